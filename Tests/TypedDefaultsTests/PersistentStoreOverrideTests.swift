import TestSupport
import Testing
import TypedDefaults

@Suite("A PersistentStore of the standard store in tests that run in parallel")
struct PersistentStoreOverrideTests {
  /// Created once, by the test that runs first.
  private static let shared = PersistentStore<PlaybackConfig>()

  @Test("Each test has its own value", arguments: 1...16)
  func parallel(number: Int) async throws {
    let store = PreferencesStore.inMemory()
    try await PreferencesStore.withStandard(store) {
      #expect(Self.shared.get() == nil)
      for round in 1...20 {
        var config = try #require(PlaybackConfig([:]))
        config.isShuffled = (number + round).isMultiple(of: 2)
        Self.shared.set(config)
        await Task.yield()
        #expect(Self.shared.get() == config)
        #expect(PersistentStore<PlaybackConfig>().get() == config)
        #expect(
          store.dictionary(forKey: PlaybackConfig.key)?["shuffled"] as? Bool == config.isShuffled)
      }
      #expect(Self.shared.synchronize())
      Self.shared.remove()
      #expect(Self.shared.get() == nil)
      #expect(!store.containsValue(forKey: PlaybackConfig.key))
    }
  }
}
