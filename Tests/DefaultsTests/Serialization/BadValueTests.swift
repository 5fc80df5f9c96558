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

  @Test(
    "No stored value harms a key of any type", arguments: Subject.all)
  func hostileValues(subject: Subject) {
    for (index, stored) in Self.hostile.enumerated() {
      let fixture = KeyFixture(stored: stored)
      let (isDefault, isGood) = subject.check(fixture)
      if isGood {
        #expect(fixture.failures == [], "hostile value \(index)")
      } else {
        let isPartial = subject.isCollection && stored.isCollection
        #expect(isDefault || isPartial || Self.isMerged(stored, subject), "hostile value \(index)")
        // Once, although several keys of the same name have read the value.
        #expect(
          isPartial && !isDefault
            ? Set(fixture.reports).count == fixture.reports.count : fixture.reports.count == 1,
          "hostile value \(index)")
        #expect(fixture.failures.first?.operation == .read, "hostile value \(index)")
      }
      #expect(fixture.stored == stored, "hostile value \(index)")
    }
  }

  /// Whether properties of a stored value are merged with the default.
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
      (.real(1.5), "cannot be read: the number cannot be represented as UInt8"),
      (300, "cannot be read: the number cannot be represented as UInt8"),
      (-1, "cannot be read: the number cannot be represented as UInt8"),
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
    #expect(Defaults[fixture.key(default: [String: [[String: Int]]]())] == ["a": [["x": 1]]])
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
    let fixture = try FileFixture()
    try fixture.folder.write(#"{ numbers = (1, "two"); }"#, to: "settings.plist")
    let key = Defaults.Key<[Int]>("numbers", default: [9], suite: fixture.store)
    #expect(Defaults[key] == [9])
    try fixture.store.flush()
    #expect(try fixture.folder.text("settings.plist") == #"{ numbers = (1, "two"); }"#)
  }
}
