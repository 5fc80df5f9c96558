import Defaults
import Foundation
import PropertyList
import Synchronization
import TypedPreferences
import TestSupport
import Testing

@Suite("Migrations of keys")
struct MigrationTests {
  @Test("A conversion to nil stores nil if the key is optional")
  func conversionToNil() {
    let fixture = KeyFixture(stored: "none")
    let key = Defaults.Key<Int?>(
      fixture.name, initial: 5, suite: fixture.store, migrate: .from(String.self) { Int($0) })
    #expect(Defaults[key] == nil)
  }

  @Test("A migration that begins within an update of its suite is reported and deferred")
  func withinUpdate() throws {
    let fixture = try FileFixture()
    fixture.store.set(1, forKey: "old")
    let name = "key-" + UUID().uuidString
    _ = FailureLog.shared
    func key() -> Defaults.Key<Int> {
      Defaults.Key(name, default: 4, suite: fixture.store, migrate: .renamed(from: "old"))
    }
    try fixture.store.update { _ in #expect(Defaults[key()] == 4) }
    #expect(FailureLog.shared.failures(of: name).map(\.operation) == [.migrate])
    #expect(Defaults[key()] == 1)
  }

  @Test("A renamed key keeps its value, which is saved at once")
  func renamed() throws {
    let fixture = try FileFixture()
    fixture.store.set(["a", "b"] as PlistValue, forKey: "old")
    let key = Defaults.Key<[String]>(
      "new", default: [], suite: fixture.store, migrate: .renamed(from: "old"))
    #expect(try fixture.values() == ["new": ["a", "b"]])
    #expect(Defaults[key] == ["a", "b"])
  }

  @Test("A renamed key can convert its value")
  func renamedAndConverted() {
    let fixture = KeyFixture()
    fixture.store.set(3, forKey: "seconds")
    for _ in 0..<2 {
      let key = Defaults.Key<Int>(
        fixture.name, default: 0, suite: fixture.store,
        migrate: .renamed(from: "seconds", Int.self) { $0 * 1000 })
      #expect(Defaults[key] == 3000)
    }
    #expect(!fixture.store.containsValue(forKey: "seconds"))
    fixture.store.set("soon", forKey: "seconds")
    fixture.store.removeObject(forKey: fixture.name)
    _ = Defaults.Key<Int>(
      fixture.name, default: 0, suite: fixture.store,
      migrate: .renamed(from: "seconds", Int.self) { $0 * 1000 })
    #expect(fixture.store.string(forKey: "seconds") == "soon")
    #expect(fixture.reports == ["cannot be migrated: expected an integer, found a string"])
  }

  @Test("A value that another process has migrated is not migrated again")
  func otherProcess() throws {
    let fixture = try FileFixture()
    fixture.store.set("1", forKey: "count")
    try fixture.store.flush()
    #expect(fixture.store.string(forKey: "count") == "1")
    // Saved by another process, possibly not yet noticed by this one.
    let saved = try Plist.write(["count": 2], as: .xml)
    try fixture.folder.write(saved, to: "settings.plist")
    let key = Defaults.Key<Int>(
      "count", default: 0, suite: fixture.store, migrate: .from(String.self) { _ in 99 })
    #expect(try fixture.values() == ["count": 2])
    fixture.store.synchronize()
    #expect(Defaults[key] == 2)
  }

  @Test("A renamed key leaves the old value if there is a new one")
  func renamedTooLate() throws {
    let fixture = KeyFixture(stored: 2)
    fixture.store.set(1, forKey: "old")
    let key = Defaults.Key<Int>(
      fixture.name, default: 0, suite: fixture.store, migrate: .renamed(from: "old"))
    #expect(Defaults[key] == 2)
    #expect(fixture.store.integer(forKey: "old") == 1)
  }

  @Test("A registered default neither prevents a migration nor is renamed")
  func renamedWithDefaults() {
    let fixture = KeyFixture()
    _ = Defaults.Key<Int>("old", default: 9, suite: fixture.store)
    let key = Defaults.Key<Int>(
      fixture.name, default: 1, suite: fixture.store, migrate: .renamed(from: "old"))
    #expect(Defaults[key] == 1)
    #expect(fixture.stored == nil)
  }

  @Test("A value of another type is converted once")
  func converted() {
    let fixture = KeyFixture(stored: "12")
    let calls = Atomic(0)
    func key() -> Defaults.Key<Double> {
      Defaults.Key(
        fixture.name, default: 1, suite: fixture.store,
        migrate: .from(String.self) { text in
          calls.add(1, ordering: .relaxed)
          return Double(text) ?? 0
        })
    }
    #expect(Defaults[key()] == 12)
    #expect(fixture.stored == .real(12))
    #expect(Defaults[key()] == 12)
    Defaults[key()] = 13
    key().reset()
    #expect(Defaults[key()] == 1)
    #expect(calls.load(ordering: .relaxed) == 1)
    #expect(fixture.failures == [])
  }

  @Test("A conversion runs neither on a value that can be read nor on one of another type")
  func notConverted() {
    let readable = KeyFixture(stored: 3)
    let key = Defaults.Key<Double>(
      readable.name, default: 0, suite: readable.store, migrate: .from(Int.self) { _ in 99 })
    #expect(Defaults[key] == 3)
    #expect(readable.stored == 3)

    let foreign = KeyFixture(stored: .data(Data([1])))
    let other = Defaults.Key<Double>(
      foreign.name, default: 0, suite: foreign.store, migrate: .from(String.self) { _ in 99 })
    #expect(Defaults[other] == 0)
    #expect(foreign.stored == .data(Data([1])))
    #expect(foreign.reports == ["cannot be read: expected a real, found data"])
  }

  @Test("Several migrations run in order and are saved together")
  func chain() throws {
    let fixture = try FileFixture()
    fixture.store.set("3", forKey: "first")
    let key = Defaults.Key<[Int]>(
      "third", default: [], suite: fixture.store,
      migrate: .renamed(from: "first"), .renamed(from: "second"),
      .from(String.self) { [Int($0) ?? 0] })
    #expect(Defaults[key] == [3])
    #expect(try fixture.values() == ["third": [3]])
  }

  @Test("A conversion that throws is reported and changes nothing")
  func failingConversion() {
    struct Refusal: Error {}
    let fixture = KeyFixture()
    fixture.store.set("x", forKey: "old")
    let key = Defaults.Key<Int>(
      fixture.name, default: 4, suite: fixture.store,
      migrate: .renamed(from: "old"), .from(String.self) { _ in throw Refusal() })
    #expect(fixture.reports == ["cannot be migrated: Refusal()"])
    #expect(fixture.store.string(forKey: "old") == "x")
    #expect(fixture.stored == nil)
    #expect(Defaults[key] == 4)
  }

  @Test("A renamed value that the new key cannot read keeps its old name")
  func renamedMismatch() {
    let fixture = KeyFixture()
    fixture.store.set("x", forKey: "old")
    _ = Defaults.Key<Int>(
      fixture.name, default: 4, suite: fixture.store, migrate: .renamed(from: "old"))
    #expect(fixture.reports == ["cannot be migrated: expected an integer, found a string"])
    #expect(fixture.store.string(forKey: "old") == "x")
    #expect(fixture.stored == nil)
  }

  @Test("A migration leaves a file that cannot be read unchanged")
  func unreadableFile() throws {
    let fixture = try FileFixture()
    try fixture.folder.write("not a property list {", to: "settings.plist")
    _ = FailureLog.shared
    let name = "migrated-" + UUID().uuidString
    let store = PreferencesStore(fileAt: fixture.folder.path("settings.plist"))
    let key = Defaults.Key<Int>(name, default: 1, suite: store, migrate: .renamed(from: "old"))
    #expect(Defaults[key] == 1)
    #expect(try fixture.folder.text("settings.plist") == "not a property list {")
    #expect(FailureLog.shared.failures(of: name) == [])
  }

  @Test(
    "JSON strings of earlier versions are stored in the current form",
    arguments: [
      (#"["a","b"]"#, ["a", "b"]),
      (#"[]"#, []),
    ] as [(String, PlistValue)])
  func codableV4(text: String, expected: PlistValue) {
    let fixture = KeyFixture(stored: .string(text))
    let key = Defaults.Key<[String]>(
      fixture.name, default: ["default"], suite: fixture.store, migrate: .codableV4())
    #expect(fixture.stored == expected)
    #expect(.array(Defaults[key].map { .string($0) }) == expected)
  }

  @Test("The migration from earlier versions converts enumerations, sets, dictionaries and URLs")
  func codableV4Types() {
    func migrated<Value: Defaults.Serializable>(_ text: String, _ value: Value) -> PlistValue? {
      let fixture = KeyFixture(stored: .string(text))
      _ = Defaults.Key(fixture.name, default: value, suite: fixture.store, migrate: .codableV4())
      return fixture.stored
    }
    #expect(migrated(#""dark""#, Theme.light) == "dark")
    #expect(migrated("dark", Theme.light) == "dark")
    #expect(migrated("[2,1]", Set<Int>()) == [1, 2])
    #expect(migrated(#"{"1":"x"}"#, [Int: String]()) == ["1": "x"])
    let page = #""https:\/\/example.org""#
    #expect(migrated(page, URL(string: "x:y")!) == .string(page))
    #expect(migrated(#"[{"x":1}]"#, [Point]()) == [#"{"x":1}"#])
    #expect(migrated(#""quoted""#, "") == #""quoted""#)
    #expect(migrated("broken [", [Int]()) == "broken [")
  }

  @Test("Only one of several threads that create the key migrates")
  func threads() {
    let fixture = KeyFixture(stored: "1")
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let key = Defaults.Key<Int>(
        fixture.name, default: 0, suite: fixture.store,
        migrate: .from(String.self) { (Int($0) ?? 0) + 1 })
      #expect(Defaults[key] == 2)
    }
    #expect(fixture.stored == 2)
    #expect(fixture.failures == [])
  }

  enum Theme: String, Defaults.Serializable {
    case light, dark
  }

  struct Point: Codable, Defaults.Serializable {
    var x: Int
  }

  private static let migrated = Defaults.Key<Double>(
    "timeout", default: 30, migrate: .renamed(from: "seconds"))

  @Test("A static key is migrated in each store that stands in", arguments: 1...8)
  func overrides(number: Int) async {
    let store = PreferencesStore.inMemory()
    store.set(Double(number), forKey: "seconds")
    PreferencesStore.withStandard(store) {
      #expect(Defaults[Self.migrated] == Double(number))
      #expect(store.object(forKey: "seconds") == nil)
      #expect(store.double(forKey: "timeout") == Double(number))
      // Once: a value that comes later is left alone.
      store.set(1.0, forKey: "seconds")
      store.removeObject(forKey: "timeout")
      #expect(Defaults[Self.migrated] == 30)
    }
  }
}
