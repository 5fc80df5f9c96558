import Foundation
import TestSupport
import Testing
import TypedDefaults

// Code as users write it, with the store of the application.

/// A player that reads its configuration from a store.
@MainActor
class Player {
  lazy var config: AnyStore<PlaybackConfig> = {
    let store = PersistentStore<PlaybackConfig>()
    return AnyStore(store)
  }()

  var isRepeating: Bool { config.get().map { $0.mode != .none } ?? false }
}

@Suite("Code written for TypedDefaults compiles and works as before")
struct ClientCodeTests {
  /// The application's store belongs to the process, so this runs in a separate process.
  @Test("A value is stored in the application's preferences and read back")
  func standard() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("XDG_CONFIG_HOME", path, 1)
      setenv("XDG_CONFIG_DIRS", path + "/system", 1)
      try PreferencesStore.setApplication(identifier: "org.example.player")
      let userDefaults = PersistentStore<PlaybackConfig>()
      var config = PlaybackConfig([:])!
      userDefaults.set(config)
      #expect(userDefaults.get()?.mode == .one)
      config.mode = .all
      userDefaults.set(config)
      #expect(userDefaults.get()?.mode == .all)
      #expect(await Player().isRepeating)
      userDefaults.synchronize()
    }
    #expect(try folder.names().contains("org.example.player.plist"))
  }

  @MainActor
  @Test("A test replaces the store by one in memory")
  func injection() throws {
    let player = Player()
    let store = InMemoryStore<PlaybackConfig>()
    var config = try #require(PlaybackConfig([:]))
    store.set(config)
    player.config = AnyStore(store)
    #expect(player.isRepeating)
    config.mode = .none
    player.config.set(config)
    #expect(!player.isRepeating)
  }
}
