import Foil
import Foundation
import PropertyList
import Testing

@Suite("What is stored and makes no value is left, reported once, and read as the default or nil")
struct HostileValueTests {
  /// Reads what is stored through both wrappers, which should give the default and nil, and say why once.
  private func refuse<Value: UserDefaultsSerializable & Equatable>(
    _ stored: PlistValue, default first: Value, because reason: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    read(stored, default: first, gives: first, or: nil, because: reason, location)
  }

  private func read<Value: UserDefaultsSerializable & Equatable>(
    _ stored: PlistValue, default first: Value, gives value: Value, or optionalValue: Value?,
    because reason: String, _ location: SourceLocation
  ) {
    let store = PreferencesStore.inMemory()
    let (failures, optionalFailures) = (Failures(), Failures())
    let wrapper = FoilDefaultStorage(
      wrappedValue: first, key: failures.key, userDefaults: store)
    let optional = FoilDefaultStorageOptional<Value>(
      key: optionalFailures.key, userDefaults: store)
    store.set(stored, forKey: failures.key)
    store.set(stored, forKey: optionalFailures.key)
    for _ in 1...3 {
      #expect(wrapper.wrappedValue == value, sourceLocation: location)
      #expect(optional.wrappedValue == optionalValue, sourceLocation: location)
    }
    let text = "cannot be read: \(reason)"
    #expect(failures.texts == [text], sourceLocation: location)
    #expect(optionalFailures.texts == [text], sourceLocation: location)
    for key in [failures.key, optionalFailures.key] {
      #expect(store.plistValue(forKey: key) == stored, sourceLocation: location)
    }
    wrapper.wrappedValue = first
    #expect(wrapper.wrappedValue == first, sourceLocation: location)
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
    refuse(["a", 1], default: ["b"], because: "expected a string, found an integer (at 1)")
    refuse(
      ["a": ["b": [1, true]]], default: ["a": ["b": [7]]],
      because: "expected an integer, found a boolean (at a.b.1)")
    refuse(7, default: Theme.dark, because: "expected a string, found an integer")
    refuse(
      ["a"], default: Versioned(size: 1),
      because: "Expected a dictionary but found an array.")
  }

  @Test("A number that does not fit")
  func numbers() {
    refuse(300, default: UInt8(1), because: "the number does not fit UInt8")
    refuse(-1, default: UInt(1), because: "the number does not fit UInt")
    refuse(.unsignedInteger(.max), default: 1, because: "the number does not fit Int")
    refuse(.real(.nan), default: 1, because: "the number does not fit Int")
    refuse(.real(1e300), default: 1, because: "the number does not fit Int")
    refuse(1.5, default: 1, because: "the number does not fit Int")
    refuse(.real(1e300), default: Float(1), because: "the number does not fit Float")
    refuse(.integer(.max), default: 0.5, because: "the number does not fit Double")
    refuse(
      .real(.nan), default: Quality.high,
      because: "Int cannot hold the real nan exactly.")
  }

  @Test("NaN is a number among reals")
  func nan() {
    let store = PreferencesStore.inMemory()
    @FoilDefaultStorage(key: "k", userDefaults: store) var number = 1.0
    number = .nan
    #expect(number.isNaN)
    @FoilDefaultStorage(key: "g", userDefaults: store) var game = Game()
    game.scores = [.nan, -.infinity]
    #expect(game.scores[0].isNaN && game.scores[1] == -.infinity)
  }

  @Test("A text of 100 KB")
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

  @Test("A case that an enumeration had once")
  func vanishedCase() {
    refuse("sepia", default: Theme.dark, because: "expected a value of type Theme")
    refuse(9, default: Quality.high, because: "expected a value of type Quality")
    refuse(
      ["dark", "sepia"], default: [Theme.light], because: "expected a value of type Theme (at 1)")
    refuse(
      ["a": 9], default: ["b": Quality.high], because: "expected a value of type Quality (at a)")
    refuse(
      .data(Data(#"{"level":2,"name":"Ada","quality":9}"#.utf8)), default: Profile(level: 5),
      because: "Cannot initialize Quality from invalid Int value 9 (at quality)")
  }

  @Test("What the type itself refuses, although Codable would have it")
  func ownRefusal() {
    refuse(101, default: Percentage(5), because: "expected a value of type Percentage")
    refuse(
      ["a": [5, 101]], default: ["b": [Percentage(1)]],
      because: "expected a value of type Percentage (at a.1)")
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
    "JSON that breaks off, or is none", arguments: [#"{"level":2,"name":"A"#, "{", "", "\u{0}"])
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

  @Test("A property of a Codable type that is of another type now")
  func retyped() {
    refuse(
      .data(Data(#"{"level":"two","name":"Ada","quality":1}"#.utf8)), default: Profile(level: 5),
      because: "Expected to decode Int but found a string instead. (at level)")
    refuse(
      ["level": "two", "name": "Ada", "quality": 1], default: Profile(level: 5),
      because: "Expected an integer but found a string. (at level)")
  }

  @Test(
    "A property that a Codable type has got is the default's, and the others are what is stored")
  func added() {
    let first = Profile(name: "nobody", level: 5, quality: .high)
    let json = #"{"name":"Ada","quality":0}"#
    for stored: PlistValue in [
      .data(Data(json.utf8)), .string(json), ["name": "Ada", "quality": 0],
    ] {
      read(
        stored, default: first, gives: Profile(name: "Ada", level: 5, quality: .low), or: nil,
        because: "there is no value for the key level", #_sourceLocation)
    }
    read(
      .data(Data(#"{"player":{"name":"Ada"}}"#.utf8)),
      default: Game(player: first, scores: [1]),
      gives: Game(player: Profile(name: "Ada", level: 5, quality: .high), scores: [1]), or: nil,
      because: "there is no value for the key level (at player)", #_sourceLocation)
  }

  @Test("A property that a Codable type has lost is passed over")
  func removed() {
    let (failures, store) = (Failures(), PreferencesStore.inMemory())
    @FoilDefaultStorage(key: failures.key, userDefaults: store) var profile = Profile()
    let json = Data(#"{"age":3,"level":2,"name":"Ada","quality":1}"#.utf8)
    store.set(.data(json), forKey: failures.key)
    #expect(profile == Profile(name: "Ada", level: 2, quality: .high))
    #expect(failures.texts == [])
    #expect(store.data(forKey: failures.key) == json)
  }

  @Test("The file's bytes stay as they are")
  func bytes() throws {
    let (failures, temporary) = (Failures(), try TemporaryStore(format: .xml))
    temporary.store.set("sepia", forKey: failures.key)
    try temporary.store.flush()
    let text = try temporary.text()
    @FoilDefaultStorage(key: failures.key, userDefaults: temporary.store) var theme = Theme.dark
    #expect(theme == .dark)
    try temporary.store.flush()
    #expect(try temporary.text() == text)
    #expect(failures.texts == ["cannot be read: expected a value of type Theme"])
  }

  @Test("A value that cannot be encoded is reported, and the old one stays")
  func encoding() {
    let store = PreferencesStore.inMemory()
    func check<Value: UserDefaultsSerializable & Equatable>(
      _ whole: Value, _ broken: Value, because reason: String
    ) {
      let failures = Failures()
      let wrapper = FoilDefaultStorage(
        wrappedValue: whole, key: failures.key, userDefaults: store)
      let optional = FoilDefaultStorageOptional<Value>(key: failures.key, userDefaults: store)
      wrapper.wrappedValue = whole
      let stored = store.plistValue(forKey: failures.key)
      wrapper.wrappedValue = broken
      optional.wrappedValue = broken
      #expect(wrapper.wrappedValue == whole)
      #expect(store.plistValue(forKey: failures.key) == stored)
      #expect(failures.texts == Array(repeating: "cannot be stored: \(reason)", count: 2))
    }
    let (whole, broken) = (Fragile(), Fragile(isBroken: true))
    check(whole, broken, because: "it is broken")
    check([whole], [whole, broken], because: "it is broken (at 1)")
    check(["a": whole], ["a": broken], because: "it is broken (at a)")
    check(FragileBox(content: whole), FragileBox(content: broken), because: "it is broken")
    check(
      Date.distantPast, Date(timeIntervalSinceReferenceDate: .nan),
      because: "expected a date that is a number")
  }

  @Test("A default that cannot be encoded is reported, and is the default nevertheless")
  func brokenDefault() {
    let (failures, store) = (Failures(), PreferencesStore.inMemory())
    @FoilDefaultStorage(key: failures.key, userDefaults: store)
    var fragile = Fragile(isBroken: true)
    #expect(fragile == Fragile(isBroken: true))
    #expect(!store.containsValue(forKey: failures.key))
    #expect(failures.texts == ["cannot be stored: it is broken"])
  }
}
