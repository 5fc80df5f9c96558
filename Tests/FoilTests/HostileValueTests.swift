import Foil
import FoilExtraTypes
import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("A value that cannot be read stays, is reported once, and is read as the default or nil")
struct HostileValueTests {
  /// Expects that both wrappers read a stored value as the default and nil, and report why once.
  private func refuse<Value: UserDefaultsSerializable & Equatable>(
    _ stored: PlistValue, default first: Value, because reason: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    read(stored, default: first, gives: first, or: nil, because: reason, location)
  }

  /// Expects that both wrappers read a stored value as other values, and report why once.
  private func read<Value: UserDefaultsSerializable & Equatable>(
    _ stored: PlistValue, default first: Value, gives value: Value, or optionalValue: Value?,
    because reason: String, _ location: SourceLocation = #_sourceLocation
  ) {
    let store = PreferencesStore.inMemory()
    let (log, optionalLog) = (ErrorLog(), ErrorLog())
    let wrapper = FoilDefaultStorage(
      wrappedValue: first, key: log.key, userDefaults: store)
    let optional = FoilDefaultStorageOptional<Value>(
      key: optionalLog.key, userDefaults: store)
    store.set(stored, forKey: log.key)
    store.set(stored, forKey: optionalLog.key)
    for _ in 1...3 {
      #expect(wrapper.wrappedValue == value, sourceLocation: location)
      #expect(optional.wrappedValue == optionalValue, sourceLocation: location)
    }
    let text = "cannot be read: \(reason)"
    #expect(log.messages == [text], sourceLocation: location)
    #expect(optionalLog.messages == [text], sourceLocation: location)
    for key in [log.key, optionalLog.key] {
      #expect(store.plistValue(forKey: key) == stored, sourceLocation: location)
    }
    wrapper.wrappedValue = first
    #expect(wrapper.wrappedValue == first, sourceLocation: location)
    #expect(log.messages == [text], sourceLocation: location)
  }

  private static let longText = String(repeating: "abcdefghij", count: 10_000)

  @Test("A value of another kind")
  func kinds() {
    refuse("yes", default: false, because: "expected a boolean, found a string")
    refuse(2, default: true, because: "expected a boolean, found an integer")
    refuse("5", default: 1, because: "expected an integer, found a string")
    refuse(true, default: 1, because: "expected an integer, found a boolean")
    refuse([1], default: 1.5, because: "expected a real, found an array")
    refuse(5, default: "a", because: "expected a string, found an integer")
    refuse("now", default: Date.distantPast, because: "expected a date, found a string")
    refuse("AQI=", default: Data(), because: "expected data, found a string")
    refuse(1, default: URL(filePath: "/"), because: "expected a URL")
    refuse(["a": 1], default: [1], because: "expected an array, found a dictionary")
    refuse("a", default: Set([1]), because: "expected an array, found a string")
    refuse([1], default: ["a": 1], because: "expected a dictionary, found an array")
    read(
      ["a", 1], default: ["b"], gives: ["a"], or: ["a"],
      because: "expected a string, found an integer (at 1)")
    read(
      ["a": ["b": [1, true]]], default: ["a": ["b": [7]]], gives: ["a": ["b": [1]]],
      or: ["a": ["b": [1]]], because: "expected an integer, found a boolean (at a.b.1)")
    refuse(7, default: Theme.dark, because: "expected a string, found an integer")
    refuse(
      ["a"], default: Versioned(size: 1),
      because: "Expected a dictionary but found an array.")
  }

  @Test("A number that the type cannot represent")
  func numbers() {
    refuse(300, default: UInt8(1), because: "the number cannot be represented as UInt8")
    refuse(-1, default: UInt(1), because: "the number cannot be represented as UInt")
    refuse(.unsignedInteger(.max), default: 1, because: "the number cannot be represented as Int")
    refuse(.real(.nan), default: 1, because: "the number cannot be represented as Int")
    refuse(.real(1e300), default: 1, because: "the number cannot be represented as Int")
    refuse(1.5, default: 1, because: "the number cannot be represented as Int")
    refuse(.real(1e300), default: Float(1), because: "the number cannot be represented as Float")
    refuse(.integer(.max), default: 0.5, because: "the number cannot be represented as Double")
    refuse(
      .real(.nan), default: Quality.high,
      because: "Int cannot represent the real nan exactly.")
  }

  @Test("NaN can be stored as a real")
  func nan() {
    let store = PreferencesStore.inMemory()
    @FoilDefaultStorage(key: "k", userDefaults: store) var number = 1.0
    number = .nan
    #expect(number.isNaN)
    @FoilDefaultStorage(key: "g", userDefaults: store) var game = Game()
    game.scores = [.nan, -.infinity]
    #expect(game.scores[0].isNaN && game.scores[1] == -.infinity)
  }

  @Test("A string of 100 KB")
  func longText() {
    let text = Self.longText
    refuse(.string(text), default: 1, because: "expected an integer, found a string")
    refuse(.string(text), default: Theme.light, because: "expected a value of type Theme")
    refuse(
      .data(Data(text.utf8)), default: Game(),
      because: "The given data was not valid JSON.")
    let store = PreferencesStore.inMemory()
    @FoilDefaultStorage(key: "k", userDefaults: store) var value = ""
    value = text
    #expect(value == text)
  }

  @Test("A case that was removed from an enumeration")
  func vanishedCase() {
    refuse("sepia", default: Theme.dark, because: "expected a value of type Theme")
    refuse(9, default: Quality.high, because: "expected a value of type Quality")
    read(
      ["dark", "sepia"], default: [Theme.light], gives: [.dark], or: [.dark],
      because: "expected a value of type Theme (at 1)")
    refuse(
      ["a": 9], default: ["b": Quality.high], because: "expected a value of type Quality (at a)")
    refuse(
      .data(Data(#"{"level":2,"name":"Ada","quality":9}"#.utf8)), default: Profile(level: 5),
      because: "Cannot initialize Quality from invalid Int value 9 (at quality)")
  }

  @Test("A value that the type itself rejects, although Codable accepts it")
  func ownRefusal() {
    refuse(101, default: Percentage(5), because: "expected a value of type Percentage")
    read(
      ["a": [5, 101]], default: ["b": [Percentage(1)]], gives: ["a": [Percentage(5)]],
      or: ["a": [Percentage(5)]], because: "expected a value of type Percentage (at a.1)")
    refuse(
      ["size": 3, "version": 2], default: Versioned(size: 1),
      because: "expected a value of type Versioned")
    refuse(
      .data(Data(#"{"size":3,"version":2}"#.utf8)), default: VersionedData(size: 1),
      because: "expected a value of type VersionedData")
    refuse(
      ["content": .data(Data("5".utf8))], default: FragileBox(content: Fragile()),
      because: "Expected to decode String but found number instead.")
  }

  @Test(
    "JSON that is truncated or invalid", arguments: [#"{"level":2,"name":"A"#, "{", "", "\u{0}"])
  func truncated(json: String) {
    refuse(
      .data(Data(json.utf8)), default: Profile(name: "Ada"),
      because: "The given data was not valid JSON.")
    refuse(
      .string(json), default: Profile(name: "Ada"), because: "The given data was not valid JSON.")
  }

  @Test("JSON of another type")
  func otherJSON() {
    refuse(
      .data(Data("[1]".utf8)), default: Profile(name: "Ada"),
      because: "Expected to decode Dictionary<String, Any> but found an array instead.")
  }

  @Test("A property of a Codable type whose type has changed")
  func retyped() {
    refuse(
      .data(Data(#"{"level":"two","name":"Ada","quality":1}"#.utf8)), default: Profile(level: 5),
      because: "Expected to decode Int but found a string instead. (at level)")
    refuse(
      ["level": "two", "name": "Ada", "quality": 1], default: Profile(level: 5),
      because: "Expected an integer but found a string. (at level)")
  }

  private static let profile = Profile(name: "nobody", level: 5, quality: .high)

  @Test(
    "Properties that were added to a Codable type are the default's, the others what is stored",
    arguments: [
      .data(Data(#"{"name":"Ada","quality":0}"#.utf8)), #"{"name":"Ada","quality":0}"#,
      ["name": "Ada", "quality": 0],
    ] as [PlistValue])
  func added(stored: PlistValue) {
    read(
      stored, default: Self.profile, gives: Profile(name: "Ada", level: 5, quality: .low), or: nil,
      because: "the dictionary has no key level")
  }

  @Test("Properties that were added to a nested Codable type are the default's, too")
  func addedWithin() {
    read(
      .data(Data(#"{"player":{"name":"Ada"}}"#.utf8)),
      default: Game(player: Self.profile, scores: [1]),
      gives: Game(player: Profile(name: "Ada", level: 5, quality: .high), scores: [1]), or: nil,
      because: "the dictionary has no key level (at player)")
  }

  @Test("A property that was removed from a Codable type is ignored")
  func removed() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    @FoilDefaultStorage(key: log.key, userDefaults: store) var profile = Profile()
    let json = Data(#"{"age":3,"level":2,"name":"Ada","quality":1}"#.utf8)
    store.set(.data(json), forKey: log.key)
    #expect(profile == Profile(name: "Ada", level: 2, quality: .high))
    #expect(log.messages == [])
    #expect(store.data(forKey: log.key) == json)
  }

  @Test("The bytes of the file stay as they are")
  func bytes() throws {
    let (log, temporary) = (ErrorLog(), try TemporaryStore(format: .xml))
    temporary.store.set("sepia", forKey: log.key)
    try temporary.store.flush()
    let text = try temporary.text()
    @FoilDefaultStorage(key: log.key, userDefaults: temporary.store) var theme = Theme.dark
    #expect(theme == .dark)
    try temporary.store.flush()
    #expect(try temporary.text() == text)
    #expect(log.messages == ["cannot be read: expected a value of type Theme"])
  }

  @Test("A value that cannot be encoded is reported, and the old one stays")
  func encoding() {
    let store = PreferencesStore.inMemory()
    func check<Value: UserDefaultsSerializable & Equatable>(
      _ whole: Value, _ broken: Value, because reason: String
    ) {
      let log = ErrorLog()
      let wrapper = FoilDefaultStorage(
        wrappedValue: whole, key: log.key, userDefaults: store)
      let optional = FoilDefaultStorageOptional<Value>(key: log.key, userDefaults: store)
      wrapper.wrappedValue = whole
      let stored = store.plistValue(forKey: log.key)
      wrapper.wrappedValue = broken
      optional.wrappedValue = broken
      #expect(wrapper.wrappedValue == whole)
      #expect(store.plistValue(forKey: log.key) == stored)
      #expect(log.messages == Array(repeating: "cannot be stored: \(reason)", count: 2))
    }
    let (whole, broken) = (Fragile(), Fragile(isBroken: true))
    check(whole, broken, because: "it is broken")
    check([whole], [whole, broken], because: "it is broken (at 1)")
    check(["a": whole], ["a": broken], because: "it is broken (at a)")
    check(FragileBox(content: whole), FragileBox(content: broken), because: "it is broken")
    check(
      Date.distantPast, Date(timeIntervalSinceReferenceDate: .nan),
      because: "expected a date that is not NaN")
  }

  @Test("A default that cannot be encoded is reported, and is still the default")
  func brokenDefault() {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    @FoilDefaultStorage(key: log.key, userDefaults: store)
    var fragile = Fragile(isBroken: true)
    #expect(fragile == Fragile(isBroken: true))
    #expect(!store.containsValue(forKey: log.key))
    #expect(log.messages == ["cannot be stored: it is broken"])
  }
}
