import Foil
import Foundation
import TestSupport
import Testing
import Threading

// Code as users write it, with the store of the application.

enum PlayerKey: String, CaseIterable {
  case isMuted, plays, lastPlayed
}

extension FoilDefaultStorage {
  init(wrappedValue: T, _ key: PlayerKey) {
    self.init(wrappedValue: wrappedValue, key: key.rawValue)
  }
}

extension FoilDefaultStorageOptional {
  init(_ key: PlayerKey) {
    self.init(key: key.rawValue)
  }
}

typealias UserDefaults = PreferencesStore

/// A class of settings that belongs to an actor.
@MainActor
final class PlayerSettings {
  static let shared = PlayerSettings()

  @FoilDefaultStorage(key: "isMuted")
  var isMuted = true

  @FoilDefaultStorage(key: "plays", userDefaults: .standard)
  var plays = 0

  @FoilDefaultStorageOptional(key: "lastPlayed")
  var lastPlayed: Date?

  @FoilDefaultStorage(key: "rating")
  static var rating = 3
}

/// A structure of settings that all threads share.
struct SharedSettings: Sendable, Hashable {
  static let shared = SharedSettings()

  @FoilDefaultStorage(.isMuted) var isMuted = true
  @FoilDefaultStorage(.plays) var plays = 0
  @FoilDefaultStorageOptional(.lastPlayed) var lastPlayed: Date?
}

/// A class that is used locally.
final class LocalSettings {
  @FoilDefaultStorage(wrappedValue: .light, key: "theme", userDefaults: UserDefaults.standard)
  var theme: Theme
}

/// An enumeration that replaces unknown cases.
enum Density: String {
  case compact, wide
}

extension Density: UserDefaultsSerializable {
  init(storedValue: String) { self = Density(rawValue: storedValue) ?? .wide }
}

/// The application's store belongs to the process, so each test runs in a process of its own.
@Suite("Code written for Foil compiles and works as before")
struct ClientCodeTests {
  private static func use(_ folder: String) throws {
    setenv("XDG_CONFIG_HOME", folder, 1)
    setenv("XDG_CONFIG_DIRS", folder + "/system", 1)
    try PreferencesStore.setApplication(identifier: "org.example.player")
  }

  @Test("Properties of a class of an actor, including static ones")
  func mainActor() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      try Self.use(path)
      try await Self.useSettings()
    }
    #expect(try folder.names().contains("org.example.player.plist"))
  }

  @MainActor
  private static func useSettings() throws {
    func mute(_ isMuted: Bool) { PlayerSettings.shared.isMuted = isMuted }
    #expect(PlayerSettings.shared.isMuted)
    #expect(PreferencesStore.standard.bool(forKey: "isMuted"))
    mute(false)
    #expect(!PreferencesStore.standard.bool(forKey: "isMuted"))
    PlayerSettings.shared.plays += 2
    PlayerSettings.shared.lastPlayed = Date(timeIntervalSinceReferenceDate: 5)
    PlayerSettings.rating += 1
    #expect(PreferencesStore.standard.integer(forKey: "plays") == 2)
    #expect(PreferencesStore.standard.integer(forKey: "rating") == 4)
    let received = Lock<[Date?]>([])
    var subscriptions: Set<AnyCancellable> = []
    PlayerSettings.shared.$lastPlayed
      .sink { value in received.withLock { $0.append(value) } }
      .store(in: &subscriptions)
    PlayerSettings.shared.lastPlayed = nil
    #expect(received.withLock { $0 } == [Date(timeIntervalSinceReferenceDate: 5), nil])
    try PreferencesStore.standard.flush()
  }

  @Test("Custom initializers with an enumeration of keys, in a structure that threads share")
  func enumeratedKeys() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      try Self.use(path)
      let copy = SharedSettings.shared
      await Task.detached { SharedSettings.shared.plays = 4 }.value
      #expect(PreferencesStore.standard.integer(forKey: PlayerKey.plays.rawValue) == 4)
      #expect(copy == SharedSettings.shared)
      SharedSettings.shared.lastPlayed = .distantPast
      for key in PlayerKey.allCases { PreferencesStore.standard.removeObject(forKey: key.rawValue) }
      #expect(SharedSettings.shared.plays == 0)
      #expect(SharedSettings.shared.lastPlayed == nil)
      try await PreferencesStore.standard.flush()
    }
  }

  @Test("An explicit default and store, and an initializer that cannot fail")
  func explicit() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      try Self.use(path)
      let settings = LocalSettings()
      settings.theme = .dark
      #expect(UserDefaults.standard.string(forKey: "theme") == "dark")
      @FoilDefaultStorage(key: "density") var density = Density.compact
      UserDefaults.standard.set("gone", forKey: "density")
      #expect(density == .wide)
      try UserDefaults.standard.flush()
    }
  }
}
