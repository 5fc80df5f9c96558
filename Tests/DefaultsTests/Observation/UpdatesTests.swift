import Defaults
import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("updates(key), updates(k1, k2, ...), updates([keys])", .timeLimit(.minutes(5)))
struct UpdatesTests {
  private let store = PreferencesStore.inMemory()
  private let key: Defaults.Key<Int>
  private let text: Defaults.Key<String?>

  init() {
    key = Defaults.Key("k", default: 1, suite: store)
    text = Defaults.Key("text", suite: store)
  }

  @Test("A sequence yields the current value, then every effective change")
  func values() async {
    Defaults[key] = 2
    let updates = Defaults.updates(key)
    let later = Defaults.updates(key, initial: false)
    Defaults[key] = 3
    Defaults[key] = 3
    store.set(4, forKey: "k")
    store.set(5, forKey: "other")
    Defaults.reset(key)
    Defaults.reset(key)
    store.register(defaults: ["k": 6])
    Defaults[key] = 6
    store.set("seven", forKey: "k")
    Defaults[key] = 8
    // A value that cannot be read is the key's default.
    #expect(await updates.first(7) == [2, 3, 4, 1, 6, 1, 8])
    #expect(await later.first(6) == [3, 4, 1, 6, 1, 8])
  }

  @Test("Keys with optional values and dynamic defaults have sequences")
  func otherKeys() async {
    let count = Lock(0)
    let made = Defaults.Key<Int>("made", suite: store) {
      count.withLock { count in
        count += 1
        return count
      }
    }
    let texts = Defaults.updates(text)
    let numbers = Defaults.updates(made)
    #expect(count.withLock { $0 } == 0)
    Defaults[text] = "a"
    Defaults[text] = nil
    Defaults[made] = 10
    Defaults.reset(made)
    #expect(await texts.first(3) == [nil, "a", nil])
    #expect(await numbers.first(3) == [1, 10, 2])
  }

  /// A value that is not Sendable.
  private final class Box: Codable, Defaults.Serializable {
    var content: Int
    init(_ content: Int) { self.content = content }
  }

  @Test("Values need not be Sendable, and are created by the iterating task")
  func notSendable() async {
    let box = Defaults.Key<Box>("box", suite: store) { Box(0) }
    var iterator = Defaults.updates(box).makeAsyncIterator()
    Defaults[box] = Box(1)
    #expect(await iterator.next()?.content == 0)
    let one = await iterator.next()
    #expect(one?.content == 1)
    one?.content = 2
    #expect(Defaults[box].content == 1)
  }

  @Test("A sequence of several keys yields all values whenever one changes")
  func tuples() async {
    let other = Defaults.Key<Bool>("k", default: false, suite: .inMemory())
    let updates = Defaults.updates(key, text, other, key)
    let later = Defaults.updates(key, text, initial: false)
    Defaults[key] = 2
    Defaults[other] = true
    Defaults[other] = true
    Defaults[text] = "a"
    other.suite.removeObject(forKey: "k")
    store.removeAll()
    let expected: [(Int, String?, Bool, Int)] = [
      (1, nil, false, 1), (2, nil, false, 2), (2, nil, true, 2), (2, "a", true, 2),
      (2, "a", false, 2),
    ]
    let all = await updates.first(7)
    #expect(all.count == 7)
    #expect(zip(all, expected).allSatisfy(==))
    // Keys removed together are delivered one by one, in any order.
    #expect(all[5].0 == 1 ? all[5].1 == "a" : all[5].1 == nil)
    #expect(all[6] == (1, nil, false, 1))
    let pairs = await later.first(2)
    #expect(pairs[0] == (2, nil))
    #expect(pairs[1] == (2, "a"))
  }

  @Test("A sequence of a list of keys yields an element for each change, and none without keys")
  func list() async {
    let other = Defaults.Key<Bool>("k", default: false, suite: .inMemory())
    let keys: [Defaults._AnyKey] = [key, text, other]
    let counts = Recorder<Int>()
    let tasks = [(keys, true), (keys, false), ([], true), ([], false)].enumerated().map {
      (number, arguments) in
      let updates = Defaults.updates(arguments.0, initial: arguments.1)
      return Task {
        for await _ in updates { counts.record(number) }
      }
    }
    Defaults[key] = 2
    Defaults[key] = 2
    Defaults[text] = "a"
    Defaults[other] = true
    #expect(await eventually { counts.all.count == 4 + 3 + 1 })
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(counts.all.sorted() == [0, 0, 0, 0, 1, 1, 1, 2])
  }

  @Test("All values are buffered unless only the newest are requested")
  func buffering() async {
    let all = Defaults.updates(key)
    let newest = Defaults.updates(key, buffering: .newest(2))
    let pairs = Defaults.updates(key, text, buffering: .newest(2))
    Defaults[text] = "a"
    for number in 2...1000 { Defaults[key] = number }
    #expect(await all.first(1000) == Array(1...1000))
    #expect(await newest.first(2) == [999, 1000])
    let last = await pairs.first(2)
    #expect(last[0] == (999, "a"))
    #expect(last[1] == (1000, "a"))
  }

  @Test("Canceling the iterating task ends the sequence and its observer")
  func cancellation() async {
    let values = Recorder<Int>()
    let updates = Defaults.updates(key)
    let task = Task {
      for await value in updates { values.record(value) }
    }
    Defaults[key] = 2
    #expect(await eventually { values.all == [1, 2] })
    #expect(store.isObserved)
    task.cancel()
    await task.value
    #expect(!store.isObserved)
    Defaults[key] = 3
    #expect(values.all == [1, 2])
    #expect(await updates.first(1) == [])
  }

  @Test(
    "The observer ends when the sequence and its iterators are released", arguments: [false, true])
  func release(hasIterator: Bool) async {
    var updates: Defaults.Updates<(Int, String?)>? = Defaults.updates(key, text)
    var iterator = hasIterator ? updates?.makeAsyncIterator() : nil
    #expect(updates != nil)
    #expect(store.isObserved)
    updates = nil
    if hasIterator {
      Defaults[key] = 2
      #expect(await iterator?.next()?.0 == 1)
      #expect(await iterator?.next()?.0 == 2)
      #expect(store.isObserved)
      iterator = nil
    }
    #expect(!store.isObserved)
  }

  @Test("Leaving the loop ends the observer")
  func leaving() async {
    for await value in Defaults.updates(key) {
      #expect(value == 1)
      break
    }
    #expect(!store.isObserved)
  }

  @Test("Concurrent writes to several suites are yielded one by one, the last values last")
  func threads() async {
    for _ in 0..<20 {
      let keys = (0..<3).map { _ in
        Defaults.Key<Int>("k", default: 0, suite: PreferencesStore.inMemory())
      }
      let updates = Defaults.updates(keys[0], keys[1], keys[2])
      let threads = keys.map { key in
        TestThread { for number in 1...100 { Defaults[key] = number } }
      }
      let all = await updates.first(301)
      for thread in threads { #expect(thread.join()) }
      #expect(all.count == 301)
      #expect(all.last.map { $0 == (100, 100, 100) } == true)
      // Each element differs from the previous one by one step of one key.
      #expect(all.map { $0.0 + $0.1 + $0.2 } == Array(0...300))
    }
  }
}
