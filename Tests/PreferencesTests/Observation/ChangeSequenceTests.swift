import Foundation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Sequences of changes", .timeLimit(.minutes(5)))
struct ChangeSequenceTests {
  /// The first changes of a sequence.
  private static func first(
    _ count: Int, of changes: PreferencesChanges
  ) async -> [PreferencesChange] {
    var result: [PreferencesChange] = []
    var iterator = changes.makeAsyncIterator()
    while result.count < count, let change = await iterator.next() { result.append(change) }
    return result
  }

  @Test(
    "A sequence yields the changes of one key, several or all, from its creation on",
    arguments: Backing.allCases)
  func changes(backing: Backing) async throws {
    let store = try StoreFixture(backing).store
    store.set(0, forKey: "k")
    let sequences = [
      store.changes(forKey: "k"), store.changes(forKeys: ["k", "l", "k"]), store.changes(),
      store.changes(forKey: "k", initial: true),
      store.changes(forKeys: ["l", "k"], initial: true, buffering: .newest(10)),
    ]
    // Before any iterator waits for them.
    store.set(1, forKey: "k")
    store.set(1, forKey: "l")
    store.set(1, forKey: "m")
    store.removeObject(forKey: "k")
    let k = [PreferencesChange(0, 1), PreferencesChange(1, nil)]
    let l = PreferencesChange(nil, 1, of: "l")
    #expect(await Self.first(2, of: sequences[0]) == k)
    #expect(await Self.first(3, of: sequences[1]) == [k[0], l, k[1]])
    let m = PreferencesChange(nil, 1, of: "m")
    #expect(await Self.first(4, of: sequences[2]) == [k[0], l, m, k[1]])
    #expect(await Self.first(3, of: sequences[3]) == [PreferencesChange(0, 0)] + k)
    let initial = [PreferencesChange(nil, nil, of: "l"), PreferencesChange(0, 0)]
    #expect(await Self.first(5, of: sequences[4]) == initial + [k[0], l, k[1]])
  }

  @Test("Snapshots begin with the present values, also of an empty store, and skip older states")
  func snapshots() async {
    weak var released: PreferencesStore?
    do {
      let store = PreferencesStore.inMemory()
      released = store
      var seen: [PlistDictionary] = []
      for await snapshot in store.snapshots() {
        seen.append(snapshot.plistRepresentation)
        if seen.count == 2 { break }
        for number in 1...10 { store.set(number, forKey: "k") }
      }
      #expect(seen == [[:], ["k": 10]])
    }
    #expect(await eventually { released == nil })
  }

  @Test("Only the newest changes are buffered by option")
  func newest() async throws {
    let store = PreferencesStore.inMemory()
    let one = store.changes(forKey: "k", buffering: .newest(1))
    let three = store.changes(forKey: "k", initial: true, buffering: .newest(3))
    let none = store.changes(forKey: "k", buffering: .newest(0))
    for number in 1...10 { store.set(number, forKey: "k") }
    #expect(await Self.first(1, of: one) == [PreferencesChange(9, 10)])
    #expect(
      await Self.first(3, of: three) == [
        PreferencesChange(7, 8), PreferencesChange(8, 9), PreferencesChange(9, 10),
      ])
    withExtendedLifetime(none) {}
  }

  @Test("Canceling the task ends the loop and the observer", arguments: Backing.allCases)
  func cancellation(backing: Backing) async throws {
    var fixture: StoreFixture? = try StoreFixture(backing)
    weak let list = fixture?.store.searchList
    let recorder = Recorder<PreferencesChange>()
    let changes = try #require(fixture).store.changes(forKey: "k", initial: true)
    let task = Task {
      for await change in changes { recorder.record(change) }
    }
    #expect(await eventually { recorder.all.count == 1 })
    fixture?.store.set(1, forKey: "k")
    #expect(await eventually { recorder.all.count == 2 })
    task.cancel()
    await task.value
    fixture?.store.set(2, forKey: "k")
    #expect(recorder.all == [PreferencesChange(nil, nil), PreferencesChange(nil, 1)])
    fixture = nil
    #expect(await eventually { list == nil })
    // The sequence still exists but has ended.
    #expect(await Self.first(1, of: changes) == [])
  }

  @Test("A task that is already canceled does not wait")
  func canceledBefore() async {
    let store = PreferencesStore.inMemory()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var count = 0
      for await _ in store.changes(forKey: "k") { count += 1 }
      return count
    }
    #expect(await task.value == 0)
  }

  @Test("The observer is released with the sequence and its iterators", arguments: [false, true])
  func release(hasIterator: Bool) async {
    var store: PreferencesStore? = .inMemory()
    weak let list = store?.searchList
    var changes: PreferencesChanges? = store?.changes(forKey: "k")
    var iterator = hasIterator ? changes?.makeAsyncIterator() : nil
    #expect(changes != nil)
    changes = nil
    store?.set(1, forKey: "k")
    store = nil
    if hasIterator {
      #expect(list != nil)
      #expect(await iterator?.next() == PreferencesChange(nil, 1))
      iterator = nil
    }
    #expect(await eventually { list == nil })
  }

  @Test("Leaving the loop ends the observer")
  func breaking() async {
    var store: PreferencesStore? = .inMemory()
    weak let list = store?.searchList
    if let changes = store?.changes(forKey: "k", initial: true) {
      for await change in changes {
        #expect(change == PreferencesChange(nil, nil))
        break
      }
    }
    store = nil
    #expect(await eventually { list == nil })
  }

  @Test("A sequence outlives its store")
  func storeReleased() async throws {
    let fixture = try StoreFixture()
    let changes = try fixture.store().changes(forKey: "k")
    fixture.store.set(1, forKey: "k")
    #expect(await Self.first(1, of: changes) == [PreferencesChange(nil, 1)])
  }

  @Test("No change by several threads is missed", arguments: Backing.allCases)
  func writers(backing: Backing) async throws {
    let store = try StoreFixture(backing).store
    let (writers, rounds) = (4, 2000)
    let changes = store.changes(forKey: "k")
    let threads = (0..<writers).map { writer in
      TestThread {
        for round in 0..<rounds { store.set("\(writer) \(round)", forKey: "k") }
      }
    }
    let all = await Self.first(writers * rounds, of: changes)
    #expect(all.isChain())
    for thread in threads { #expect(thread.join()) }
    #expect(all.last?.newValue == store.plistValue(forKey: "k"))
    for writer in 0..<writers {
      let own = all.compactMap { change -> String? in
        guard case .string(let text)? = change.newValue, text.hasPrefix("\(writer) ") else {
          return nil
        }
        return text
      }
      #expect(own == (0..<rounds).map { "\(writer) \($0)" })
    }
  }
}
