import TestSupport
import Testing

import Threading
@testable import Preferences

@Suite("Many observers of a key")
struct ObserverCountTests {
  /// The order of cancellation.
  enum Order: CaseIterable {
    case registration, reverse, random

    func sort(_ observations: [PreferencesObservation]) -> [PreferencesObservation] {
      var generator = SeededGenerator(seed: 1)
      return switch self {
      case .registration: observations
      case .reverse: observations.reversed()
      case .random: observations.shuffled(using: &generator)
      }
    }
  }

  @Test(
    "Canceling takes as long for each of 20,000 as registering does, within a wide margin",
    arguments: Order.allCases)
  func cancellation(order: Order) {
    let clock = ContinuousClock()
    let store = PreferencesStore.inMemory()
    let (all, group) = (20_000, ["k", "l"])
    var observations: [PreferencesObservation] = []
    let registering = clock.measure {
      for number in 0..<all {
        let new =
          switch number % 3 {
          case 0: store.observe("k") { _ in }
          case 1: store.observeGroup(group) { _ in }
          default: store.observeAll { _ in }
          }
        observations.append(new)
      }
    }
    observations = order.sort(observations)
    let canceling = clock.measure { for observation in observations { observation.cancel() } }
    #expect(canceling < registering * 10)
    #expect(!store.searchList.hasObservers)
  }

  @Test("Those that are left are called in order of registration")
  func order() {
    let store = PreferencesStore.inMemory()
    let calls = Recorder<Int>()
    var generator = SeededGenerator(seed: 1)
    var observations: [Int: PreferencesObservation] = [:]
    for number in 0..<300 {
      observations[number] = store.observe("k") { _ in calls.record(number) }
      if number % 3 == 0, let removed = observations.keys.sorted().randomElement(using: &generator)
      {
        observations.removeValue(forKey: removed)?.cancel()
      }
      store.set(number, forKey: "k")
      #expect(calls.take() == observations.keys.sorted())
    }
  }
}
