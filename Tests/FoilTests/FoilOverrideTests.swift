import Foil
import Observation
import PropertyList
import TestSupport
import Testing

@Suite("Properties of the standard store in tests that run in parallel", .timeLimit(.minutes(5)))
struct FoilOverrideTests {
  /// Created once, by the test that runs first.
  private static let shared = Settings()

  private struct Settings: Sendable {
    @FoilDefaultStorage(key: "count") var count = 1
    @FoilDefaultStorageOptional(key: "name") var name: String?
    @FoilDefaultStorage(key: "sizes") var sizes = ["small": 1]
  }

  @Test("Each test has its own values, changes and defaults", arguments: 1...16)
  func parallel(number: Int) async {
    let (store, shared) = (PreferencesStore.inMemory(), Self.shared)
    await PreferencesStore.withStandard(store) {
      #expect(shared.count == 1)
      #expect(shared.name == nil)
      #expect(shared.sizes == ["small": 1])
      #expect(store.integer(forKey: "count") == 1, "the default is registered")
      let (counts, names) = (Recorder<Int>(), Recorder<String?>())
      let subscriptions = [
        shared.$count.sink { counts.record($0) }, shared.$name.sink { names.record($0) },
      ]
      for round in 1...20 {
        shared.count = number * 100 + round
        shared.name = "test \(number), round \(round)"
        shared.sizes["\(number)"] = round
        await Task.yield()
        #expect(shared.count == number * 100 + round)
        #expect(Settings().count == number * 100 + round)
        #expect(shared.name == "test \(number), round \(round)")
        #expect(shared.sizes == ["small": 1, "\(number)": round])
        #expect(store.integer(forKey: "count") == number * 100 + round)
      }
      #expect(counts.all == [1] + (1...20).map { number * 100 + $0 })
      #expect(names.all == [nil] + (1...20).map { "test \(number), round \($0)" })
      for subscription in subscriptions { subscription.cancel() }
      let changed = Recorder<Int>()
      withObservationTracking {
        _ = shared.count
      } onChange: {
        changed.record(number)
      }
      shared.count = 0
      #expect(changed.all == [number])
      shared.name = nil
      #expect(shared.name == nil)
    }
  }

  @Test("A property of one store stays there")
  func fixed() {
    let own = PreferencesStore.inMemory()
    let property = FoilDefaultStorage(wrappedValue: 1, key: "count", userDefaults: own)
    PreferencesStore.withStandard(.inMemory()) {
      property.wrappedValue = 2
      #expect(!PreferencesStore.standard.containsValue(forKey: "count"))
    }
    #expect(own.integer(forKey: "count") == 2)
  }
}
