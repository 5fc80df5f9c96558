import Defaults
import Foundation
import PropertyList
import TypedPreferences
import TestSupport
import Testing

/// The default is read, the failure is reported once, and the stored value stays.
@Suite("Stored values that cannot be read")
struct BadValueTests {
  struct Person: Codable, Hashable, Defaults.Serializable {
    var name: String
    var age: Int
    var home = Home(city: "Wien", zip: 1010)
  }

  struct Home: Codable, Hashable {
    var city: String
    var zip: Int
  }

  struct Native: Codable, Hashable, Defaults.Serializable, Defaults.PreferPlist {
    var name: String
    var age: Int
  }

  enum Theme: String, Defaults.Serializable {
    case light
  }

  enum Mode: String, Codable, Defaults.Serializable {
    case fast
  }

  struct Bridged: Hashable, Defaults.Serializable {
    var number: Int
    static let bridge = BridgedBridge()
  }

  struct BridgedBridge: Defaults.Bridge {
    func serialize(_ value: Bridged?) -> [Int]? { value.map { [$0.number] } }
    func deserialize(_ object: [Int]?) -> Bridged? { object?.first.map(Bridged.init) }
  }

  /// A type with a default that no bad value can be.
  struct Subject: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Whether the stored value can be read; otherwise what the issues below go by.
    var check: @Sendable (KeyFixture) -> (isDefault: Bool, isGood: Bool)

    init<Value: Defaults.Serializable & Equatable & Sendable>(_ value: Value) {
      testDescription = "\(Value.self)"
      check = { fixture in
        let key = fixture.key(default: value)
        let isGood = (try? key.load()) != nil
        let values = (0..<3).map { _ in Defaults[key] }
        let again = Defaults[fixture.key(default: value)]
        return ((values + [again]).allSatisfy { $0 == value }, isGood)
      }
    }

    static let all: [Subject] = [
      Subject(true), Subject(-7), Subject(Int8(-7)), Subject(UInt64(7)), Subject(UInt8(7)),
      Subject(0.125), Subject(Float(0.125)), Subject(CGFloat(0.125)), Subject("default"),
      Subject(Date(timeIntervalSinceReferenceDate: 1)), Subject(Data([9])),
      Subject(URL(string: "default:x")!), Subject(UUID()), Subject(Decimal(9)),
      Subject(Locale(identifier: "de_AT")), Subject(TimeZone(identifier: "Europe/Vienna")!),
      Subject(Duration.seconds(9)),
      Subject(DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 1)),
      Subject(7..<9), Subject(0.5...0.75), Subject([-7]), Subject(Set(["default"])),
      Subject(["default": -7]), Subject([7: "default"]), Subject([[["default": Set([7])]]]),
      Subject(Int?.some(-7)), Subject([Int?.some(-7), nil]),
      Subject(Person(name: "default", age: 9)), Subject([Person(name: "default", age: 9)]),
      Subject(["default": Person(name: "default", age: 9)]),
      Subject(Native(name: "default", age: 9)),
      Subject(Theme.light), Subject(Mode.fast), Subject([Theme.light]), Subject(Bridged(number: 9)),
    ]
  }

  static let hostile: [PlistValue] = [
    "e", "1e", ".", "1.2.3", "1e400", .real(-.infinity), .float(.infinity), .float(.nan), true, 3,
    -1, 300, .integer(.min), .unsignedInteger(.max), 1.5, .real(.nan), .real(.infinity),
    .real(1e300), "", "text", "12", #""quoted""#, "{", "[", "\"", #"{"name":"x""#, "[1,2", "null",
    "true", "{}", "[]", #"{"name":null,"age":{}}"#, #"{"age":"old"}"#, #"["a",1]"#, "[5,1]",
    "\u{0}", .string(String(repeating: "[", count: 100_000)),
    .string(String(repeating: "{\"a\":", count: 2_000)),
    .string(String(repeating: "x", count: 100_000)), .date(.distantPast),
    .data(Data()), .data(Data([0xFF, 0xFE, 0])), .data(Data("bplist00".utf8)),
    .data(Data(repeating: 0x5B, count: 100_000)), .data(Data(#"{"name":"#.utf8)), [], [:],
    [1, "two", .real(3)], [5, 1], [.real(.nan), 1], [1, 2, 3], [[]], [[:]], ["a"], [true],
    ["a": "b"], ["name": 5], ["$nil": false], .uid(7), ["1": 1], [0, .integer(.min)],
    [.string("{"), .string("}")],
    .array((0..<1_000).map { .integer($0) }),
  ]

  @Test(
    "No stored value harms a key of any type", arguments: Subject.all)
  func hostileValues(subject: Subject) {
    for stored in Self.hostile {
      let fixture = KeyFixture(stored: stored)
      let (isDefault, isGood) = subject.check(fixture)
      if isGood {
        #expect(fixture.failures == [])
      } else {
        #expect(isDefault || Self.isMerged(stored, subject), "\(stored.kind)")
        // Two key objects are one preference.
        #expect(fixture.reports.count == 1, "\(fixture.reports)")
        #expect(fixture.failures.first?.operation == .read)
      }
      #expect(fixture.stored == stored)
    }
  }

  /// Whether a stored value gives the default a part of itself.
  private static func isMerged(_ stored: PlistValue, _ subject: Subject) -> Bool {
    guard ["Person", "Native"].contains(subject.testDescription) else { return false }
    return switch stored {
    case .dictionary: true
    case .string(let text): text.hasPrefix("{")
    case .data(let data): data.first == UInt8(ascii: "{")
    default: false
    }
  }

  @Test(
    "The report says what was expected and what was found",
    arguments: [
      ("text", "cannot be read: expected an integer, found a string"),
      (.real(1.5), "cannot be read: the number does not fit UInt8"),
      (300, "cannot be read: the number does not fit UInt8"),
      (-1, "cannot be read: the number does not fit UInt8"),
      ([1], "cannot be read: expected an integer, found an array"),
      (.data(Data()), "cannot be read: expected an integer, found data"),
    ] as [(PlistValue, String)])
  func reports(stored: PlistValue, text: String) {
    let fixture = KeyFixture(stored: stored)
    #expect(Defaults[fixture.key(default: UInt8(5))] == 5)
    #expect(fixture.reports == [text])
  }

  @Test("The report names the place within a container")
  func places() {
    let fixture = KeyFixture(stored: ["a": [["x": 1], ["x": "one"]]])
    #expect(Defaults[fixture.key(default: [String: [[String: Int]]]())] == [:])
    #expect(
      fixture.reports == ["cannot be read: expected an integer, found a string (at a.1.x)"])
  }

  @Test("A failure is reported again for another bad value, not after a repair")
  func reportsAgain() {
    let fixture = KeyFixture(stored: "bad")
    let key = fixture.key(default: 1)
    #expect(Defaults[key] == 1)
    fixture.store.set(2, forKey: fixture.name)
    #expect(Defaults[key] == 2)
    fixture.store.set(true, forKey: fixture.name)
    #expect(Defaults[key] == 1)
    #expect(
      fixture.reports == [
        "cannot be read: expected an integer, found a string",
        "cannot be read: expected an integer, found a boolean",
      ])
  }

  @Test("A removed enumeration case reads as the default")
  func vanishedCase() {
    let raw = KeyFixture(stored: "dark")
    #expect(Defaults[raw.key(default: Theme.light)] == .light)
    #expect(raw.reports == ["cannot be read: expected a raw value of Theme"])
    let coded = KeyFixture(stored: #""slow""#)
    #expect(Defaults[coded.key(default: Mode.fast)] == .fast)
    #expect(
      coded.reports == [
        "cannot be read: Cannot initialize Mode from invalid String value slow"
      ])
    #expect(coded.stored == #""slow""#)
  }

  @Test(
    "An added property takes its value from the default, the others keep theirs",
    arguments: [
      #"{"age":36,"name":"Ada"}"#, ["age": 36, "name": "Ada"],
      .data(Data(#"{"age":36,"name":"Ada"}"#.utf8)),
    ] as [PlistValue])
  func addedProperty(stored: PlistValue) {
    let fixture = KeyFixture(stored: stored)
    let key = fixture.key(default: Person(name: "", age: 0))
    #expect(Defaults[key] == Person(name: "Ada", age: 36))
    #expect(Defaults[key] == Person(name: "Ada", age: 36))
    #expect(fixture.reports == ["cannot be read: there is no value for the key home"])
    #expect(fixture.stored == stored)
    #expect(throws: Defaults.Failure.self) { try key.load() }
  }

  @Test("An added property of a nested value takes its value from the default")
  func addedNestedProperty() {
    let fixture = KeyFixture(stored: #"{"age":36,"name":"Ada","home":{"city":"London"}}"#)
    #expect(
      Defaults[fixture.key(default: Person(name: "", age: 0))]
        == Person(name: "Ada", age: 36, home: Home(city: "London", zip: 1010)))
    let optional = KeyFixture(stored: #"{"name":"Ada"}"#)
    #expect(
      Defaults[optional.key(default: Native?.some(Native(name: "", age: 5)))]
        == Native(name: "Ada", age: 5))
    let native = KeyFixture(stored: ["name": "Ada"])
    #expect(Defaults[native.key(default: Native(name: "", age: 5))] == Native(name: "Ada", age: 5))
    #expect(native.reports.count == 1)
  }

  @Test("A removed property is ignored without a report")
  func removedProperty() {
    let fixture = KeyFixture(stored: #"{"age":1,"name":"x","shoe":9}"#)
    #expect(
      Defaults[fixture.key(default: Native(name: "", age: 0))] == Native(name: "x", age: 1))
    #expect(fixture.failures == [])
  }

  @Test("A property of another type makes the whole value the default")
  func retypedProperty() {
    let fixture = KeyFixture(stored: #"{"age":"36","name":"Ada"}"#)
    let key = fixture.key(default: Native(name: "default", age: 0))
    #expect(Defaults[key] == Native(name: "default", age: 0))
    #expect(fixture.failures.map(\.reason.path.components) == [["age"]])
    #expect(fixture.stored == #"{"age":"36","name":"Ada"}"#)
  }

  @Test("Writing after a merged read stores the merged value")
  func writingAfterMerge() {
    let fixture = KeyFixture(stored: #"{"name":"Ada"}"#)
    let key = fixture.key(default: Native(name: "", age: 5))
    Defaults[key].age += 1
    #expect(fixture.stored == ["name": "Ada", "age": 6])
    #expect(try! key.load() == Native(name: "Ada", age: 6))
  }

  @Test("An optional key with a bad value is nil")
  func optionalKey() {
    let fixture = KeyFixture(stored: "many")
    let key = Defaults.Key<Int?>(fixture.name, suite: fixture.store)
    #expect(Defaults[key] == nil)
    #expect(fixture.reports == ["cannot be read: expected an integer, found a string"])
    #expect(fixture.stored == "many")
  }

  @Test("Reading bad values leaves the file unchanged")
  func file() throws {
    let folder = try KeyFolder()
    try folder.folder.write(#"{ numbers = (1, "two"); }"#, to: "settings.plist")
    let key = Defaults.Key<[Int]>("numbers", default: [9], suite: folder.store)
    #expect(Defaults[key] == [9])
    try folder.store.flush()
    #expect(try folder.folder.text("settings.plist") == #"{ numbers = (1, "two"); }"#)
  }
}
