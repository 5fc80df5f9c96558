import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import TypedPreferences

@Suite(
  "A typed preference of the standard store in tests that run in parallel",
  .timeLimit(.minutes(5)))
struct PreferenceOverrideTests {
  /// Created once, by the test that runs first.
  private static let volume = TypedPreference(
    "volume", in: .standard, coder: .standard()!, default: 0.5)

  @Test("has the values, the changes and the failures of each test", arguments: 1...16)
  func parallel(number: Int) async throws {
    let store = PreferencesStore.inMemory()
    try await PreferencesStore.withStandard(store) { () async throws in
      let changes = Recorder<Double>()
      let observation = Self.volume.observe { changes.record($0) }
      let resolved = Self.volume.resolved
      for round in 1...20 {
        Self.volume.set(Double(number) + Double(round) / 100)
        await Task.yield()
        #expect(Self.volume.value == Double(number) + Double(round) / 100)
        #expect(try Self.volume.load() == Self.volume.value)
        #expect(store.double(forKey: "volume") == Self.volume.value)
      }
      #expect(changes.all == [0.5] + (1...20).map { Double(number) + Double($0) / 100 })
      observation.cancel()
      store.set("loud \(number)", forKey: "volume")
      #expect(throws: TypedPreferenceError.self) { try Self.volume.load() }
      #expect(Self.volume.value == 0.5)
      Self.volume.remove()
      #expect(Self.volume.isDefault)
      #expect(store.double(forKey: "volume") == 0.5, "the default is registered")
      let other = PreferencesStore.inMemory()
      PreferencesStore.withStandard(other) {
        resolved.set(1)
        #expect(resolved.value == 1)
        Self.volume.in(store).set(2)
        #expect(!other.containsValue(forKey: "volume"))
      }
      #expect(Self.volume.value == 2)
    }
  }
}
