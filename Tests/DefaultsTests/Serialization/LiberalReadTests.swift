import Defaults
import DefaultsExtraTypes
import Foundation
import PropertyList
import Testing

@Suite("Stored forms of other libraries and earlier versions")
struct LiberalReadTests {
  struct Person: Codable, Hashable, Defaults.Serializable {
    var name: String
    var age: Int
  }

  enum Theme: String, Hashable, Defaults.Serializable {
    case dark, light
  }

  enum Level: Int, Codable, Defaults.Serializable {
    case low = 1
    case high = 2
  }

  enum Shape: Codable, Hashable, Defaults.Serializable {
    case circle(radius: Double)
  }

  struct Native: Codable, Hashable, Defaults.Serializable, Defaults.PreferPlist {
    var name: String
  }

  /// Expects that a stored form is read as a value, without a failure and without being changed.
  private func expect<Value: Defaults.Serializable & Equatable>(
    _ stored: PlistValue, reads value: Value, default other: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let fixture = KeyFixture(stored: stored)
    #expect(Defaults[fixture.key(default: other)] == value, sourceLocation: sourceLocation)
    #expect(fixture.failures == [], sourceLocation: sourceLocation)
    #expect(fixture.stored == stored, sourceLocation: sourceLocation)
  }

  private func json(_ text: String) -> PlistValue { .data(Data(text.utf8)) }

  @Test("A Codable value is read from a JSON string, JSON data and a native property list")
  func codable() {
    let (ada, other) = (Person(name: "Ada", age: 36), Person(name: "", age: 0))
    expect(#"{"name":"Ada","age":36}"#, reads: ada, default: other)
    expect(#" { "age" : 36.0, "name" : "\u0041da", "more": [null] } "#, reads: ada, default: other)
    expect(json(#"{"name":"Ada","age":36}"#), reads: ada, default: other)
    expect(["name": "Ada", "age": 36], reads: ada, default: other)
    expect(#"{"circle":{"radius":2}}"#, reads: .circle(radius: 2), default: Shape.circle(radius: 0))
    expect(#"{"name":"x"}"#, reads: Native(name: "x"), default: Native(name: ""))
    expect(json(#"{"name":"x"}"#), reads: Native(name: "x"), default: Native(name: ""))
  }

  @Test(
    "An array of Codable values is read from JSON elements, native elements and a single JSON text")
  func codableArrays() {
    let both = [Person(name: "Ada", age: 36), Person(name: "Al", age: 41)]
    let texts = [#"{"name":"Ada","age":36}"#, #"{"name":"Al","age":41}"#]
    let whole = "[" + texts.joined(separator: ",") + "]"
    expect(.array(texts.map { .string($0) }), reads: both, default: [])
    expect(.array(texts.map { json($0) }), reads: both, default: [])
    expect(
      [["name": "Ada", "age": 36], .string(texts[1])], reads: both, default: [])
    expect(.string(whole), reads: both, default: [])
    expect(json(whole), reads: both, default: [])
    expect(.string(whole), reads: Set(both), default: [])
    expect(.string(whole), reads: both, default: [Person]?.none)
  }

  @Test(
    "A dictionary of Codable values is read from JSON values, native values and a single JSON text")
  func codableDictionaries() {
    let value = ["a": Person(name: "Ada", age: 36)]
    expect(["a": #"{"name":"Ada","age":36}"#], reads: value, default: [:])
    expect(["a": ["name": "Ada", "age": 36]], reads: value, default: [:])
    expect(#"{"a":{"name":"Ada","age":36}}"#, reads: value, default: [:])
    expect(json(#"{"a":{"name":"Ada","age":36}}"#), reads: value, default: [:])
    expect(#"{"1":["x"]}"#, reads: [1: ["x"]], default: [:])
    expect(#"{"a":[{"name":"Ada","age":36}]}"#, reads: ["a": Array(value.values)], default: [:])
  }

  @Test("Containers of native values are read from a JSON string and JSON data")
  func nativeContainers() {
    expect("[1,2]", reads: [1, 2], default: [])
    expect(json("[1,2]"), reads: Set([1, 2]), default: [])
    expect(#"[1,null]"#, reads: [1, nil], default: [])
    expect(#"{"a":1.5}"#, reads: ["a": 1.5], default: [:])
    let date = Date(timeIntervalSinceReferenceDate: 2.5)
    expect("[2.5]", reads: [date], default: [])
    expect(#"{"a":"AP8="}"#, reads: ["a": Data([0, 255])], default: [:])
    expect("[3,7]", reads: 3..<7, default: 0..<1)
    expect("[3,7]", reads: 3...7, default: 0...1)
  }

  @Test("Raw values are read natively and from JSON, also after the type has become Codable")
  func rawValues() {
    expect("dark", reads: Theme.dark, default: .light)
    expect(#""dark""#, reads: Theme.dark, default: .light)
    expect(json(#""dark""#), reads: Theme.dark, default: .light)
    expect([#""dark""#, "light"], reads: [Theme.dark, .light], default: [])
    expect(#"["dark","light"]"#, reads: [Theme.dark, .light], default: [])
    expect(2, reads: Level.high, default: .low)
    expect("2", reads: Level.high, default: .low)
    expect(json("2"), reads: Level.high, default: .low)
  }

  @Test("A URL is read from text, a path, an archive and JSON")
  func urls() throws {
    let (page, other) = (URL(string: "https://example.org/a")!, URL(string: "x:y")!)
    let file = URL(fileURLWithPath: "/tmp/a")
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: page as NSURL, requiringSecureCoding: true)
    expect("https://example.org/a", reads: page, default: other)
    expect(#""https:\/\/example.org\/a""#, reads: page, default: other)
    expect(.data(archive), reads: page, default: other)
    expect("/tmp/a", reads: file, default: other)
    expect("file:///tmp/a", reads: file, default: other)
    expect([#""https:\/\/example.org\/a""#], reads: [page], default: [])
  }

  @Test("UUID, Decimal, Locale and TimeZone are read from text and JSON")
  func texts() {
    let uuid = UUID()
    expect(.string(uuid.uuidString.lowercased()), reads: uuid, default: UUID())
    expect(.string("\"\(uuid.uuidString)\""), reads: uuid, default: UUID())
    expect(2.5, reads: Decimal(2.5), default: 0)
    expect("2.5", reads: Decimal(2.5), default: 0)
    expect(#""de""#, reads: Locale(identifier: "de"), default: Locale(identifier: "en"))
    expect(
      #""GMT""#, reads: TimeZone(identifier: "GMT")!, default: TimeZone(secondsFromGMT: 60)!)
  }

  @Test("Types that Codable writes as arrays and objects are read from that JSON")
  func codableForms() throws {
    func expectCodable<Value: Defaults.Serializable & Codable & Equatable>(
      _ value: Value, default other: Value
    ) throws {
      let data = try JSONEncoder().encode(value)
      expect(.data(data), reads: value, default: other)
      expect(.string(String(decoding: data, as: UTF8.self)), reads: value, default: other)
    }
    try expectCodable(Locale(identifier: "de_AT"), default: Locale(identifier: "en"))
    try expectCodable(
      try #require(TimeZone(identifier: "Europe/Vienna")),
      default: try #require(TimeZone(identifier: "GMT")))
    try expectCodable(Duration.seconds(2) + .milliseconds(5), default: .zero)
    try expectCodable(Duration.seconds(-1), default: .zero)
    try expectCodable(
      DateInterval(start: Date(timeIntervalSinceReferenceDate: 10), duration: 5),
      default: DateInterval(start: .distantPast, duration: 0))
    try expectCodable(Decimal(string: "12.5")!, default: 0)
    let uuid = UUID()
    try expectCodable(uuid, default: UUID())
    try expectCodable(
      try #require(URL(string: "https://example.org/a")), default: URL(string: "x:y")!)
  }

  @Test("Integers are read as reals, whole reals as integers, 0 and 1 as Booleans")
  func numbers() {
    expect(3, reads: 3.0, default: 0)
    expect(3.0, reads: 3, default: 0)
    expect(3, reads: Float(3), default: 0)
    expect(0.1, reads: Float(0.1), default: 0)
    expect(1, reads: true, default: false)
    expect(0, reads: false, default: true)
    expect(1.5, reads: Duration.milliseconds(1500), default: .zero)
  }

  @Test("A string that looks like JSON is a string for a string key")
  func stringKeys() {
    expect(#""quoted""#, reads: #""quoted""#, default: "")
    expect("[1]", reads: "[1]", default: "")
    expect(["[1]"], reads: ["[1]"], default: [])
  }
}
