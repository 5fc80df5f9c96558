import Foundation
import Observation
import PropertyList
import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Tracking by the Observation framework", .timeLimit(.minutes(5)))
struct TrackingTests {
  /// Counts the invalidations of a tracking.
  private final class Tracking: Sendable {
    private let count = Lock(0)

    /// Tracks some keys.
    init(_ store: PreferencesStore, _ keys: String...) {
      withObservationTracking {
        for key in keys { _ = store.observableValue(forKey: key) }
      } onChange: { [weak self] in
        self?.count.withLock { $0 += 1 }
      }
    }

    var calls: Int { count.withLock { $0 } }
  }

  @Test("The tracked value is that of all layers", arguments: Backing.allCases)
  func value(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    #expect(store.observableValue(forKey: "k") == nil)
    store.register(defaults: ["k": 1])
    #expect(store.observableValue(forKey: "k") == 1)
    store.set("a", forKey: "k")
    #expect(store.observableValue(forKey: "k") == "a")
  }

  @Test(
    "A change invalidates once, and only trackings of the changed key", arguments: Backing.allCases)
  func change(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.set(0, forKey: "k")
    let (one, two) = (Tracking(store, "k"), Tracking(store, "k", "l"))
    store.set(1, forKey: "other")
    store.set(0, forKey: "k")
    #expect([one, two].map(\.calls) == [0, 0])
    store.set(1, forKey: "l")
    #expect([one, two].map(\.calls) == [0, 1])
    store.set(1, forKey: "k")
    #expect([one, two].map(\.calls) == [1, 1])
    store.removeObject(forKey: "k")
    #expect([one, two].map(\.calls) == [1, 1])
    let again = Tracking(store, "k")
    store.set(2, forKey: "k")
    #expect([one, two, again].map(\.calls) == [1, 1, 1])
  }

  @Test(
    "Changes by another store, another layer or an update invalidate", arguments: Backing.allCases)
  func otherWays(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let other = backing == .files ? try fixture.store() : store
    let changes: [() throws -> Void] = [
      { store.register(defaults: ["k": 1]) },
      { other.set(2, forKey: "k") },
      { try other.update { $0["k"] = 3 } },
      { other.setPersistentDomain(["k": 4], forName: other.domain) },
      { store.setVolatileDomain(["k": 5], forName: PreferencesStore.argumentDomain) },
      { store.removeVolatileDomain(forName: PreferencesStore.argumentDomain) },
      { store.removeAll() },
    ]
    for (number, change) in changes.enumerated() {
      let (tracking, unrelated) = (Tracking(store, "k"), Tracking(store, "other"))
      try change()
      #expect([tracking, unrelated].map(\.calls) == [1, 0], "change \(number)")
    }
    try other.flush()
  }

  @Test("The onChange closure may read, write and track", arguments: Backing.allCases)
  func nesting(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    let (calls, inner) = (Lock(0), Lock<Tracking?>(nil))
    withObservationTracking {
      _ = store.observableValue(forKey: "k")
    } onChange: {
      calls.withLock { $0 += 1 }
      let tracking = Tracking(store, "k", "new")
      inner.withLock { $0 = tracking }
      store.set(2, forKey: "k")
    }
    store.set(1, forKey: "k")
    #expect(calls.withLock { $0 } == 1)
    #expect(inner.withLock { $0 }?.calls == 1)
    #expect(store.integer(forKey: "k") == 2)
  }

  @Test("All threads that track a new key concurrently are notified of its next change")
  func threads() {
    for round in 0..<50 {
      let store = PreferencesStore.inMemory()
      let trackings = Lock<[Tracking]>([])
      let start = Latch()
      let threads = (0..<8).map { _ in
        TestThread {
          start.wait()
          let tracking = Tracking(store, "k")
          trackings.withLock { $0.append(tracking) }
        }
      }
      start.open()
      for thread in threads { #expect(thread.join()) }
      store.set(1, forKey: "k")
      #expect(trackings.withLock { $0 }.map(\.calls) == Array(repeating: 1, count: 8), "\(round)")
    }
  }

  @Test("A sequence of observations yields the current values")
  func observations() async throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    let other = DomainFile(path: store.user.path)
    var values: [PlistValue?] = []
    for await value in Observations({ store.observableValue(forKey: "k") }) {
      values.append(value)
      switch values.count {
      case 1: store.set(1, forKey: "k")
      case 2:
        store.register(defaults: ["k": 0])
        store.removeObject(forKey: "k")
      case 3:
        try await store.flush()
        other.set(3, forKey: "k")
        try other.save()
      default: break
      }
      if values.count == 4 { break }
    }
    #expect(values == [nil, 1, 0, 3])
  }

  @Test("Nothing of a tracking outlives the store")
  func release() throws {
    var fixture: StoreFixture? = try StoreFixture()
    weak let list = fixture?.store.searchList
    let tracking = try Tracking(#require(fixture).store, "k")
    #expect(list != nil)
    fixture = nil
    #expect(eventually { list == nil })
    #expect(tracking.calls == 0)
  }
}

@Suite("A tracker")
struct TrackerTests {
  @Test("needs an observation once a tracking scope has read the value, and only one")
  func access() {
    let (tracker, canceled) = (Tracker(), Recorder<Int>())
    #expect(!tracker.access())
    withObservationTracking {
      #expect(tracker.access())
    } onChange: {
    }
    for number in 1...2 { tracker.keep(PreferencesObservation { canceled.record(number) }) }
    // The first observer may have received a change that the second has not.
    #expect(canceled.all == [2])
    #expect(!tracker.access())
  }
}
