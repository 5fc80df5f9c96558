import FoundationEssentials
import Observation
import PropertyList
import TestSupport
import Testing
import Threading
import TypedDefaults

@Suite("A PersistentStore stores a value in preferences")
struct PersistentStoreTests {
  private let preferences = PreferencesStore.inMemory()

  /// A value of any object, as the store passes it to the initializer.
  private struct Anything: DefaultConvertible {
    static let key = "anything"
    let object: Any

    init(_ object: Any) { self.object = object }

    func serialize() -> Any { object }
  }

  @Test("set, get and remove, through the store that was injected")
  func values() throws {
    let store = PersistentStore<PlaybackConfig>(store: preferences)
    #expect(store.get() == nil)
    var config = try #require(PlaybackConfig([:]))
    store.set(config)
    #expect(store.get()?.mode == .one)
    config.mode = .all
    store.set(config)
    #expect(store.get() == config)
    #expect(
      preferences.plistValue(forKey: PlaybackConfig.key) == ["mode": 2, "shuffled": true])
    store.remove()
    #expect(store.get() == nil)
    #expect(!preferences.containsValue(forKey: PlaybackConfig.key))
  }

  @Test("synchronize saves the value, and another store reads it")
  func persistence() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store.plist")
    let config = try #require(PlaybackConfig(["shuffled": false, "mode": 2]))
    do {
      let store = PersistentStore<PlaybackConfig>(store: PreferencesStore(fileAt: path))
      store.set(config)
      #expect(store.synchronize())
    }
    #expect(
      try Plist.read(folder.data("store.plist")).value
        == ["PlaybackConfig": ["mode": 2, "shuffled": false]])
    let store = PersistentStore<PlaybackConfig>(store: PreferencesStore(fileAt: path))
    #expect(store.get() == config)
  }

  @Test("`as? Bool`, `as? Int`, `as? [String: Any]` and so on succeed on what init? receives")
  func exactTypes() throws {
    let store = PersistentStore<Anything>(store: preferences)
    let date = Date(timeIntervalSinceReferenceDate: 1)
    func received(_ object: Any) -> Any? {
      store.set(Anything(object))
      return store.get()?.object
    }
    #expect(received(true) as? Bool == true)
    #expect(received(true) as? Int == nil)
    #expect(received(1) as? Int == 1)
    #expect(received(1) as? Bool == nil)
    #expect(received(0.5) as? Double == 0.5)
    #expect(received("a") as? String == "a")
    #expect(received(date) as? Date == date)
    #expect(received(Data([1])) as? Data == Data([1]))
    #expect(received(UInt8(1)) as? Int == 1)
    #expect(received([1, 2]) as? [Int] == [1, 2])
    #expect(received(["a": [true]]) as? [String: [Bool]] == ["a": [true]])
    let entries = try #require(
      received(["flag": false, "count": 3, "inner": ["x": "y"]] as [String: Any]) as? [String: Any])
    #expect(entries["flag"] as? Bool == false)
    #expect(entries["count"] as? Int == 3)
    #expect((entries["inner"] as? [String: Any])?["x"] as? String == "y")
  }

  private enum Volume: String, DefaultConvertible {
    case low, high

    static let key = "volume"

    init?(_ object: Any) {
      guard let text = object as? String else { return nil }
      self.init(rawValue: text)
    }

    func serialize() -> Any { rawValue }
  }

  private final class Playlist: DefaultConvertible {
    static let key = "playlist"
    var titles: [String]

    init?(_ object: Any) {
      guard let titles = object as? [String] else { return nil }
      self.titles = titles
    }

    func serialize() -> Any { titles }
  }

  @Test("Enumerations and classes can be stored like structures")
  func otherTypes() throws {
    let volume = PersistentStore<Volume>(store: preferences)
    volume.set(.high)
    #expect(volume.get() == .high)
    let playlists = PersistentStore<Playlist>(store: preferences)
    let playlist = try #require(Playlist(["a"]))
    playlists.set(playlist)
    playlist.titles.append("b")
    #expect(playlists.get()?.titles == ["a"])
    playlists.set(playlist)
    #expect(playlists.get()?.titles == ["a", "b"])
  }

  /// A value that cannot be stored if it is broken.
  private struct Hostile: DefaultConvertible, Equatable {
    static let key = "hostile"
    var isBroken = false

    init(isBroken: Bool) { self.isBroken = isBroken }

    init?(_ object: Any) {
      guard object as? String == "whole" else { return nil }
    }

    func serialize() -> Any { isBroken ? ["a": [self]] as Any : "whole" }
  }

  @Test("A result of serialize() that cannot be stored is reported, and the old value stays")
  func unstorable() {
    let log = ErrorLog(key: Hostile.key)
    let store = PersistentStore<Hostile>(store: preferences)
    store.set(Hostile(isBroken: false))
    store.set(Hostile(isBroken: true))
    #expect(store.get() == Hostile(isBroken: false))
    #expect(preferences.plistValue(forKey: Hostile.key) == "whole")
    #expect(
      log.texts == [
        "InMemory, hostile: cannot be stored: a value of type Hostile cannot be stored; store it as "
          + "data or a string, or conform its type to PlistValueConvertible (at a.0)"
      ])
  }

  /// A value whose result of serialize() cannot be stored.
  private struct Unstorable: DefaultConvertible {
    static let key = "unstorable"
    var object: Any

    init(object: Any) { self.object = object }

    init?(_ object: Any) { return nil }

    func serialize() -> Any { object }
  }

  @Test("nil, a date of NaN and containers that are nested too deeply cannot be stored")
  func strange() {
    let log = ErrorLog(key: Unstorable.key)
    let store = PersistentStore<Unstorable>(store: preferences)
    var deep: Any = 1
    for _ in 0..<600 { deep = [deep] }
    store.set(Unstorable(object: Int?.none as Any))
    store.set(Unstorable(object: Date(timeIntervalSinceReferenceDate: .nan)))
    store.set(Unstorable(object: deep))
    #expect(!preferences.containsValue(forKey: Unstorable.key))
    #expect(log.texts.count == 3)
    #expect(
      log.texts.first
        == "InMemory, unstorable: cannot be stored: a value of type null cannot be stored; leave it out"
    )
  }

  /// A type that accepts only integers below 10.
  private struct Picky: DefaultConvertible {
    static let key = "picky"
    let number: Int

    init?(_ object: Any) {
      guard let number = object as? Int, number < 10 else { return nil }
      self.number = number
    }

    func serialize() -> Any { number }
  }

  @Test(
    "An object that makes no value stays, is reported once, and is read as nil", .serialized,
    arguments: [
      "x", 11, .unsignedInteger(.max), .real(.nan), [1], ["a": 1], .data(Data("{".utf8)), true,
      .string(String(repeating: "x", count: 100_000)),
    ] as [PlistValue])
  func mismatch(stored: PlistValue) {
    let log = ErrorLog(key: Picky.key)
    let store = PersistentStore<Picky>(store: preferences)
    preferences.set(stored, forKey: Picky.key)
    #expect(store.get() == nil)
    #expect(store.get() == nil)
    #expect(preferences.plistValue(forKey: Picky.key) == stored)
    #expect(log.texts == ["InMemory, picky: cannot be read: expected a value of type Picky"])
    preferences.set(3, forKey: Picky.key)
    #expect(store.get()?.number == 3)
    #expect(log.texts.count == 1)
  }

  @Test("The Observation framework tracks the value that get() returns")
  func tracking() throws {
    let store = PersistentStore<PlaybackConfig>(store: preferences)
    let calls = Lock(0)
    withObservationTracking {
      _ = store.get()
    } onChange: {
      calls.withLock { $0 += 1 }
    }
    preferences.set(1, forKey: "other")
    #expect(calls.withLock { $0 } == 0)
    preferences.set(["mode": 1], forKey: PlaybackConfig.key)
    #expect(calls.withLock { $0 } == 1)
  }
}
