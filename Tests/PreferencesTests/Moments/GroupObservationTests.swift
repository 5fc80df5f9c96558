import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Observing a group of keys", .timeLimit(.minutes(5)))
struct GroupObservationTests {
  /// What a group change reports for two keys.
  private struct Pair: Hashable {
    var old: [PlistValue?]
    var new: [PlistValue?]
    var changed: [String]

    init(_ old: [PlistValue?], _ new: [PlistValue?], _ changed: String...) {
      (self.old, self.new, self.changed) = (old, new, changed)
    }

    init(_ change: PreferencesGroupChange) {
      let keys = ["a", "b"]
      old = keys.map { change.oldValues.plistValue(forKey: $0) }
      new = keys.map { change.newValues.plistValue(forKey: $0) }
      changed = change.changedKeys
    }
  }

  @Test(
    "calls the handler once for all keys that change at one moment", arguments: Backing.allCases)
  func oneCall(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.set(["a": 1, "b": 1, "c": 1])
    let seen = Recorder<Pair>()
    let observation = store.observeGroup(["a", "b", "a"], initial: true) { seen.record(Pair($0)) }
    #expect(seen.take() == [Pair([1, 1], [1, 1])])
    store.set(["a": 2, "b": 2, "c": 2])
    #expect(seen.take() == [Pair([1, 1], [2, 2], "a", "b")])
    store.set(2, forKey: "c")
    store.set(2, forKey: "b")
    #expect(seen.take() == [])
    store.set(3, forKey: "b")
    #expect(seen.take() == [Pair([2, 2], [2, 3], "b")])
    try store.update {
      $0["a"] = 4; $0["b"] = nil
    }
    #expect(seen.take() == [Pair([2, 3], [4, nil], "a", "b")])
    store.register(defaults: ["a": 0, "b": 5] as PlistDictionary)
    #expect(seen.take() == [Pair([4, nil], [4, 5], "b")])
    store.removeAll()
    #expect(seen.take() == [Pair([4, 5], [0, 5], "a")])
    observation.cancel()
    store.set(["a": 9, "b": 9])
    #expect(seen.take() == [])
    try store.flush()
  }

  @Test("reads the values of the group by type, and knows no other key")
  func values() throws {
    let store = PreferencesStore.inMemory()
    let changes = Recorder<PreferencesGroupChange>()
    let observation = store.observeGroup(["host", "port"]) { changes.record($0) }
    store.set(["host": "example.org", "port": "443", "other": 1])
    let change = try #require(changes.all.first)
    #expect(changes.all.count == 1)
    #expect(change.newValues.keys == ["host", "port"])
    #expect(change.newValues.string(forKey: "host") == "example.org")
    #expect(change.newValues.integer(forKey: "port") == 443)
    #expect(!change.newValues.containsValue(forKey: "other"))
    #expect(!change.oldValues.containsValue(forKey: "host"))
    observation.cancel()
  }

  @Test("calls once for a suite that is added or removed, and for what another process saves")
  func layers() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    store.setPersistentDomain(["a": 1, "b": 2], forName: "suite")
    let seen = Recorder<Pair>()
    let observation = store.observeGroup(["a", "b"]) { seen.record(Pair($0)) }
    store.addSuite(named: "suite")
    #expect(seen.take() == [Pair([nil, nil], [1, 2], "a", "b")])
    store.removeSuite(named: "suite")
    #expect(seen.take() == [Pair([1, 2], [nil, nil], "a", "b")])
    try fixture.write(["a": 3, "b": 4], to: "user/\(StoreFixture.domain).plist")
    #expect(eventually { !seen.all.isEmpty })
    #expect(seen.take() == [Pair([nil, nil], [3, 4], "a", "b")])
    try store.flush()
    observation.cancel()
  }

  @Test("is a sequence, too", arguments: Backing.allCases)
  func sequence(backing: Backing) async throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(["a": 1, "b": 1])
    var changes = store.changes(forGroup: ["a", "b"], initial: true).makeAsyncIterator()
    store.set(["a": 2, "b": 2])
    store.set(["a": 3, "b": 3])
    #expect(await changes.next().map(Pair.init) == Pair([1, 1], [1, 1]))
    #expect(await changes.next().map(Pair.init) == Pair([1, 1], [2, 2], "a", "b"))
    #expect(await changes.next().map(Pair.init) == Pair([2, 2], [3, 3], "a", "b"))
    var latest = store.changes(forGroup: ["a", "b"], buffering: .newest(1)).makeAsyncIterator()
    for number in Int64(4)...6 { store.set(["a": .integer(number), "b": .integer(number)]) }
    #expect(await latest.next().map(Pair.init) == Pair([5, 5], [6, 6], "a", "b"))
    let task = Task {
      for await _ in store.changes(forGroup: ["a"]) {}
      return true
    }
    task.cancel()
    #expect(await task.value)
  }

  /// What an observer has seen of two keys that are always set to the same value.
  private struct Summary {
    var count = 0
    var torn = 0
    var gaps = 0
    var last: PlistValue?

    mutating func add(_ change: PreferencesGroupChange) {
      count += 1
      for values in [change.oldValues, change.newValues]
      where values.plistValue(forKey: "a") != values.plistValue(forKey: "b") {
        torn += 1
      }
      if change.oldValues.plistValue(forKey: "a") != last { gaps += 1 }
      last = change.newValues.plistValue(forKey: "a")
    }
  }

  @Test("never delivers a torn pair, nor leaves a gap", arguments: Backing.allCases)
  func threads(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let summary = Lock(Summary())
    let observation = store.observeGroup(["a", "b"]) { change in
      summary.withLock { $0.add(change) }
    }
    let rounds = Int64(TestScale.count(10_000))
    let writers = [Int64(1), -1].map { sign in
      TestThread {
        for number in 1...rounds {
          store.set(["a": .integer(sign * number), "b": .integer(sign * number)])
        }
      }
    }
    let isDone = Latch()
    let saver = TestThread { while !isDone.isOpen { _ = try? store.flush() } }
    for thread in writers { #expect(thread.join()) }
    isDone.open()
    #expect(saver.join())
    let result = summary.withLock { $0 }
    #expect(result.count == 2 * rounds)
    #expect(result.torn == 0)
    #expect(result.gaps == 0)
    #expect(result.last == store.plistValue(forKey: "a"))
    observation.cancel()
  }

  @Test("never delivers a torn pair of another process")
  func others() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let summary = Lock(Summary())
    let observation = store.observeGroup(["a", "b"]) { change in
      summary.withLock { $0.add(change) }
    }
    let other = DomainFile(path: store.user.path)
    for number in 1...50 {
      _ = other.set([("a", .integer(Int64(number))), ("b", .integer(Int64(number)))])
      try other.save()
    }
    #expect(eventually { summary.withLock { $0.last } == 50 })
    #expect(summary.withLock { $0.torn } == 0)
    #expect(summary.withLock { $0.gaps } == 0)
    observation.cancel()
  }

  @Test("of the first moments of a process reads no file with a lock held")
  func firstMoments() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("XDG_CONFIG_HOME", path, 1)
      for number in 0..<20 {
        let store = try PreferencesStore(domain: "domain \(number)")
        store.set(["a": 1, "b": 1])
        try await store.flush()
        #expect(store.observableValue(forKey: "a") == 1)
        let observation = store.observeGroup(["a", "b"], initial: true) { _ in }
        // Reads begin to watch files, which takes locks, about in the middle of this.
        for _ in 0..<20 {
          store.addSuite(named: "suite")
          #expect(store.observableValue(forKey: "b") == 1)
          store.removeSuite(named: "suite")
          usleep(1000)
        }
        observation.cancel()
      }
    }
  }
}
