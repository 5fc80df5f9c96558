import Foundation
import TestSupport
import Testing
import Threading

@testable import PreferencesSync

@Suite("Streams of a status", .timeLimit(.minutes(5)))
struct StatusStreamsTests {
  private let value = Lock(0)
  private let beforeDelivery = Lock<(@Sendable () -> Void)?>(nil)
  private let streams: StatusStreams<Int>

  init() {
    streams = StatusStreams { [value, beforeDelivery] in
      HeldLocks.assertNone("the status is asked for with a lock held")
      beforeDelivery.withLock { $0 }?()
      return value.withLock { $0 }
    }
  }

  private func send(_ status: Int) {
    value.withLock { $0 = status }
    streams.send()
  }

  /// A task that reads the streams, and waits for the next status.
  private func reader() async -> Task<Void, Never> {
    let hasBegun = Latch()
    let updates = streams.updates()
    let reader = Task {
      for await _ in updates { hasBegun.open() }
    }
    #expect(await eventually { hasBegun.isOpen })
    return reader
  }

  @Test("A stream begins with the present status, delivers the newest, and ends")
  func updates() async {
    value.withLock { $0 = 1 }
    var first = streams.updates().makeAsyncIterator()
    #expect(await first.next() == 1)
    send(2)
    #expect(await first.next() == 2)
    var second = streams.updates().makeAsyncIterator()
    for status in 3...100 { send(status) }
    streams.finish()
    streams.send()
    var status = await second.next()
    while let present = status, present < 100 { status = await second.next() }
    #expect(status == 100)
    #expect(await second.next() == nil)
    value.withLock { $0 = 102 }
    var last = streams.updates().makeAsyncIterator()
    #expect(await last.next() == 102)
    #expect(await last.next() == nil)
  }

  @Test("A task that reads can be canceled while a status is sent")
  func cancellation() async throws {
    let isPausing = Latch()
    let reader = await reader()
    beforeDelivery.withLock { pause in
      pause = {
        isPausing.open()
        // For longer than the other thread takes to begin.
        usleep(100_000)
      }
    }
    streams.send()
    #expect(await eventually { isPausing.isOpen })
    let canceler = TestThread { reader.cancel() }
    try #require(await eventually { canceler.isFinished })
    await reader.value
  }

  @Test("Streams that nobody reads any longer receive nothing")
  func end() async throws {
    let reader = await reader()
    reader.cancel()
    await reader.value
    beforeDelivery.withLock { $0 = { Issue.record("There is no stream.") } }
    streams.send()
  }
}
