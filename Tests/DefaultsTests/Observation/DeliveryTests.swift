import Defaults
import Foundation
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Every effective change is delivered exactly once", .serialized, .timeLimit(.minutes(30)))
struct DeliveryTests {
  private static let observers = 100
  private static let writes = 2000 * TestScale.rounds

  private let key = Defaults.Key<Int>("k", default: 0, suite: .inMemory())

  /// Counts numbers that should arrive in order.
  private final class Count: Sendable {
    private let state = Lock((next: 0, isRight: true))

    func record(_ number: Int) {
      state.withLock { state in
        if number != state.next { state.isRight = false }
        state.next += 1
      }
    }

    /// How many have arrived; nil if one was out of order.
    var numbers: Int? { state.withLock { $0.isRight ? $0.next : nil } }
  }

  /// The resident memory of the process, in bytes.
  private static var memory: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  @Test("A hundred observers of one key receive every change")
  func observers() {
    let counts = (0..<Self.observers).map { _ in Count() }
    let observations = counts.map { count in Defaults.observe(key) { count.record($0.newValue) } }
    for number in 1...Self.writes {
      Defaults[key] = number
      Defaults[key] = number
    }
    #expect(counts.map(\.numbers) == Array(repeating: Self.writes + 1, count: Self.observers))
    for observation in observations { observation.invalidate() }
    #expect(!key.suite.isObserved)
  }

  @Test("Changes by several threads reach every observer in the same order")
  func writers() {
    let writes = 2000
    let recorders = (0..<4).map { _ in Recorder<String>() }
    let key = Defaults.Key<String>("text", default: "", suite: key.suite)
    let observations = recorders.map { recorder in
      Defaults.observe(key, options: []) { change in recorder.record(change.newValue) }
    }
    let threads = (0..<4).map { thread in
      TestThread {
        for number in 0..<writes { Defaults[key] = "\(thread) \(number)" }
      }
    }
    for thread in threads { #expect(thread.join()) }
    // One thread may still deliver changes of the others after they have ended.
    #expect(eventually { recorders.allSatisfy { $0.all.count == 4 * writes } })
    for recorder in recorders { #expect(recorder.all == recorders[0].all) }
    for thread in 0..<4 {
      let own = recorders[0].all.filter { $0.hasPrefix("\(thread) ") }
      #expect(own == (0..<writes).map { "\(thread) \($0)" })
    }
    for observation in observations { observation.invalidate() }
  }

  @Test("Streams receive every change and retain none that was consumed")
  func streams() async {
    let counts = (0..<10).map { _ in Count() }
    let tasks = counts.map { [key] count in
      let updates = Defaults.updates(key)
      return Task {
        for await number in updates { count.record(number) }
      }
    }
    var memory = 0
    for round in 0..<10 {
      for number in 1...Self.writes / 10 { Defaults[key] = round * Self.writes / 10 + number }
      let all = (round + 1) * Self.writes / 10 + 1
      #expect(await eventually { counts.allSatisfy { $0.numbers == all } })
      if round == 4 { memory = Self.memory }
    }
    expectFlat(since: memory)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(!key.suite.isObserved)
  }

  @Test("Streams that buffer the newest values retain no others")
  func boundedStreams() async {
    let streams = (0..<10).map { _ in Defaults.updates(key, buffering: .newest(3)) }
    var memory = 0
    let writes = Self.writes
    for number in 1...writes {
      Defaults[key] = number
      if number == writes / 2 { memory = Self.memory }
    }
    expectFlat(since: memory)
    var iterators = streams.map { $0.makeAsyncIterator() }
    for index in iterators.indices {
      for number in writes - 2...writes { #expect(await iterators[index].next() == number) }
    }
    Defaults[key] = 0
    for index in iterators.indices { #expect(await iterators[index].next() == 0) }
  }

  /// Expects constant memory. Only checked in a soak test, which runs alone.
  private func expectFlat(since memory: Int) {
    if TestScale.rounds > 1 { #expect(Self.memory - memory < 16 << 20) }
  }
}
