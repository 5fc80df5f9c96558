import Defaults
import Foundation
import Observation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("withObservationTracking and Observations track keys", .timeLimit(.minutes(5)))
struct KeyTrackingTests {
  private let store = PreferencesStore.inMemory()
  private let key: Defaults.Key<Int>
  private let other: Defaults.Key<Int>

  init() {
    key = Defaults.Key("k", default: 0, suite: store)
    other = Defaults.Key("other", default: 0, suite: store)
  }

  /// Tracks what a closure reads and records its invalidation.
  private static func tracking(_ read: () -> Void) -> Recorder<Void> {
    let invalidations = Recorder<Void>()
    withObservationTracking(read) { invalidations.record(()) }
    return invalidations
  }

  @Test("Any kind of change invalidates once, and only trackings of the changed key")
  func changes() {
    let changes: [() -> Void] = [
      { Defaults[key] = 1 },
      { store[key] += 1 },
      { store.set(3, forKey: "k") },
      { key.reset() },
      { store.register(defaults: ["k": 4]) },
      { store.setVolatileDomain(["k": 5], forName: PreferencesStore.argumentDomain) },
      { store.removeVolatileDomain(forName: PreferencesStore.argumentDomain) },
      { Defaults.withoutPropagation { Defaults[key] = 6 } },
      { Defaults.removeAll(suite: store) },
    ]
    for (number, change) in changes.enumerated() {
      let tracked = [
        Self.tracking { _ = Defaults[key] }, Self.tracking { _ = store[key] },
        Self.tracking { _ = Defaults[other] + Defaults[key] },
      ]
      let untracked = Self.tracking { _ = Defaults[other] }
      Defaults[other] = Defaults[other]
      #expect(tracked.map(\.all.count) == [0, 0, 0], "change \(number)")
      change()
      #expect(tracked.map(\.all.count) == [1, 1, 1], "change \(number)")
      #expect(untracked.all.isEmpty, "change \(number)")
    }
  }

  @Test("Reading without tracking registers no observer")
  func untracked() {
    Defaults[key] += 1
    Default(key).wrappedValue += 1
    _ = store[key]
    _ = Self.tracking { _ = store.integer(forKey: "k") }
    #expect(!store.isObserved)
    _ = Self.tracking { _ = Defaults[key] }
    #expect(store.isObserved)
  }
}
