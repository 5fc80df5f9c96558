import Foundation
import PropertyList
import TestSupport
import Testing

@testable import Preferences

@Suite("Setting several keys at one moment")
struct GroupSetTests {
  @Test("sets and removes them, and a key that is in both is set", arguments: Backing.allCases)
  func values(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.set(["a": 1, "b": 2, "c": 3])
    store.set(["a": 10, "d": "x"], removing: ["b", "a", "b", "none"])
    #expect(store.plistRepresentation == ["a": 10, "c": 3, "d": "x"])
    store.set([:])
    store.set([:], removing: ["c"])
    #expect(store.plistRepresentation == ["a": 10, "d": "x"])
    try store.flush()
    #expect(store.plistRepresentation == ["a": 10, "d": "x"])
  }

  @Test("is saved by one commit, together with what was set before")
  func saved() throws {
    let folder = try TemporaryFolder()
    let engine = PreferencesEngine.manual()
    let store = PreferencesStore(fileAt: folder.path("store.plist"), options: .init(engine: engine))
    store.set(1, forKey: "before")
    store.set(["a": 1, "b": 2], removing: ["c"])
    try store.flush()
    #expect(engine.statistics.commits.count == 1)
    #expect(try Plist.read(folder.data("store.plist")).value == ["a": 1, "b": 2, "before": 1])
  }

  @Test("holds for many keys", arguments: Backing.allCases)
  func many(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.set(["key 3": "old", "stays": 1])
    let values = PlistDictionary((0..<5_000).map { ("key \($0)", .integer(Int64($0))) })
    let observed = ChangeRecorder(store, "key 3")
    store.set(values, removing: ["key 9999"])
    #expect(store.snapshot().plistRepresentation.count == 5_001)
    #expect(observed.take() == [PreferencesChange("old", 3, of: "key 3")])
    store.set([:], removing: values.keys.map { $0 })
    #expect(store.plistRepresentation == ["stays": 1])
    try store.flush()
    #expect(store.plistRepresentation == ["stays": 1])
  }

  @Test("notifies observers of each key once, when all are set", arguments: Backing.allCases)
  func observers(backing: Backing) throws {
    let store = try StoreFixture(backing).store
    store.set(["a": 1, "b": 1])
    let seen = Recorder<[PlistValue?]>()
    let observation = store.observe(["a", "b"]) { change in
      seen.record([change.newValue, store.plistValue(forKey: "a"), store.plistValue(forKey: "b")])
    }
    store.set(["a": 2, "b": 3])
    #expect(seen.take() == [[2, 2, 3], [3, 2, 3]])
    store.set(["a": 2, "b": 3])
    #expect(seen.take() == [])
    observation.cancel()
  }

  @Test("throws what cannot be stored, and changes nothing then")
  func errors() throws {
    let store = PreferencesStore.inMemory()
    store.set(1, forKey: "a")
    let error = #expect(throws: PreferencesError.self) {
      try store.setAny(["a": 2, "b": ["x": Character("y")]], removing: ["a"])
    }
    #expect(
      error.map { "\($0)" }
        == "b.x: a value of type Character cannot be stored in preferences; store it as data or a string, or conform its type to PlistValueConvertible"
    )
    #expect(store.plistRepresentation == ["a": 1])
    try store.setAny(["a": 2.5, "list": [1, "two"]])
    #expect(store.plistRepresentation == ["a": 2.5, "list": [1, "two"]])
  }

  @Test("rounds dates of a file that is held to XML")
  func dates() throws {
    let store = try StoreFixture(format: .xml).store
    store.set(["d": .date(Date(timeIntervalSinceReferenceDate: 1.5))])
    #expect(store.plistValue(forKey: "d") == .date(Date(timeIntervalSinceReferenceDate: 1)))
  }
}
