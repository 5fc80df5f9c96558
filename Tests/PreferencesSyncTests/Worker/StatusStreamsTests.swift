import Foundation
import TestSupport
import Testing

@testable import PreferencesSync

@Suite("Streams of a status", .timeLimit(.minutes(5)))
struct StatusStreamsTests {
  private let streams = StatusStreams<Int>()

  /// A task that reads the streams, and waits for the next status.
  private func reader() async -> Task<Void, Never> {
    let hasBegun = Latch()
    let updates = streams.updates { 0 }
    let reader = Task {
      for await _ in updates { hasBegun.open() }
    }
    #expect(await eventually { hasBegun.isOpen })
    return reader
  }

  /// Cancels a task while a thread that runs a closure pauses in it, and requires both to end.
  private func cancel(
    _ reader: Task<Void, Never>, during body: @escaping @Sendable (_ pause: () -> Void) -> Void
  ) async throws {
    let isPausing = Latch()
    let sender = TestThread {
      body {
        isPausing.open()
        // For longer than the other thread takes to begin.
        usleep(100_000)
      }
    }
    #expect(await eventually { isPausing.isOpen })
    let canceler = TestThread { reader.cancel() }
    try #require(await eventually { sender.isFinished && canceler.isFinished })
    await reader.value
  }

  @Test("A stream begins with the present status, delivers the newest, and ends")
  func updates() async {
    var first = streams.updates { 1 }.makeAsyncIterator()
    #expect(await first.next() == 1)
    streams.send { 2 }
    #expect(await first.next() == 2)
    var second = streams.updates { 2 }.makeAsyncIterator()
    for status in 3...100 { streams.send { status } }
    streams.finish()
    streams.send { 101 }
    var status = await second.next()
    while let present = status, present < 100 { status = await second.next() }
    #expect(status == 100)
    #expect(await second.next() == nil)
    var last = streams.updates { 102 }.makeAsyncIterator()
    #expect(await last.next() == 102)
    #expect(await last.next() == nil)
  }

  @Test("A task that reads can be canceled while a status is sent")
  func cancellation() async throws {
    try await cancel(reader()) { [streams] pause in
      streams.send {
        pause()
        return 1
      }
    }
  }

  @Test("Streams that nobody reads any longer receive nothing")
  func end() async throws {
    try await cancel(reader()) { $0() }
    streams.send {
      Issue.record("There is no stream.")
      return 1
    }
  }
}
