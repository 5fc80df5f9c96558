import Defaults
import Foundation
import PropertyList
import Testing

@Suite("Codable types and types with raw values")
struct CodableTypeTests {
  struct Person: Codable, Hashable, Defaults.Serializable {
    var name: String
    var age: Int
    var weight: Double?
  }

  enum Mode: String, Codable, Defaults.Serializable {
    case fast, slow
  }

  enum Rank: Int, Defaults.Serializable, CaseIterable {
    case low = 1
    case high = 2
  }

  enum Media: String, Codable, Defaults.Serializable, Defaults.PreferRawRepresentable {
    case json = "application/json"
  }

  struct Rectangle: Codable, Hashable, Defaults.Serializable, Defaults.PreferPlist {
    var origin: [Double]
    var made: Date
    var label: String?
  }

  struct Flags: OptionSet, Defaults.Serializable, Hashable {
    var rawValue: UInt8
    static let bold = Flags(rawValue: 1)
    static let italic = Flags(rawValue: 2)
  }

  @Test("A Codable value is stored as a JSON string with sorted keys")
  func codable() {
    let fixture = KeyFixture()
    let person = Person(name: "Ada/Lovelace", age: 36)
    #expect(fixture.keeps(person, default: Person(name: "", age: 0)))
    #expect(fixture.stored == #"{"age":36,"name":"Ada\/Lovelace"}"#)
    Defaults[fixture.key(default: person)].age += 1
    #expect(fixture.stored == #"{"age":37,"name":"Ada\/Lovelace"}"#)
  }

  @Test("Containers of Codable values are stored as containers of JSON strings")
  func codableContainers() {
    let fixture = KeyFixture()
    let ada = Person(name: "Ada", age: 36)
    #expect(fixture.keeps([ada], default: []))
    #expect(fixture.stored == [#"{"age":36,"name":"Ada"}"#])
    #expect(fixture.keeps(Set([ada]), default: []))
    #expect(fixture.stored == [#"{"age":36,"name":"Ada"}"#])
    #expect(fixture.keeps(["first": [ada]], default: [:]))
    #expect(fixture.stored == ["first": [#"{"age":36,"name":"Ada"}"#]])
    #expect(fixture.keeps(Person?.some(ada), default: nil))
    #expect(fixture.stored == #"{"age":36,"name":"Ada"}"#)
  }

  @Test("A Codable value keeps infinities and NaN")
  func numbers() {
    let fixture = KeyFixture()
    let other = Person(name: "", age: 0)
    #expect(fixture.keeps(Person(name: "", age: 0, weight: .infinity), default: other))
    #expect(fixture.stored == #"{"age":0,"name":"","weight":"inf"}"#)
    #expect(fixture.keeps(Person(name: "", age: 0, weight: -.infinity), default: other))
    Defaults[fixture.key(default: other)].weight = .nan
    #expect(Defaults[fixture.key(default: other)].weight?.isNaN == true)
    #expect(fixture.failures == [])
  }

  @Test("A type with raw values is stored as its raw value")
  func rawRepresentable() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Rank.high, default: .low))
    #expect(fixture.stored == 2)
    #expect(fixture.keeps([Rank.high, .low], default: []))
    #expect(fixture.stored == [2, 1])
    #expect(fixture.keeps(["x": Set([Rank.low])], default: [:]))
    #expect(fixture.stored == ["x": [1]])
    #expect(fixture.keeps([.bold, .italic] as Flags, default: []))
    #expect(fixture.stored == 3)
  }

  @Test("Codable takes precedence over raw values")
  func codableWins() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Mode.slow, default: .fast))
    #expect(fixture.stored == #""slow""#)
  }

  @Test("PreferRawRepresentable stores the raw value")
  func preferRawRepresentable() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Media?.none)
    Defaults[key] = .json
    #expect(fixture.stored == "application/json")
    #expect(Defaults[key] == .json)
  }

  @Test("PreferPlist stores a native property list")
  func preferPlist() {
    let fixture = KeyFixture()
    let date = Date(timeIntervalSinceReferenceDate: 7.5)
    let rectangle = Rectangle(origin: [1, .infinity], made: date)
    #expect(
      fixture.keeps(rectangle, default: Rectangle(origin: [], made: .now)))
    #expect(fixture.stored == ["origin": [1.0, .real(.infinity)], "made": .date(date)])
    #expect(fixture.keeps([rectangle], default: []))
    #expect(fixture.stored == [["origin": [1.0, .real(.infinity)], "made": .date(date)]])
  }

  struct Addresses: RawRepresentable, Hashable, Defaults.Serializable {
    var rawValue: [URL]
  }

  @Test("A raw value may be of any serializable type")
  func bridgedRawValue() {
    let fixture = KeyFixture()
    let value = Addresses(rawValue: [URL(string: "https://example.org")!])
    #expect(fixture.keeps(value, default: Addresses(rawValue: [])))
    #expect(fixture.stored == [#""https:\/\/example.org""#])
  }

  enum Weight: Int, Codable, Defaults.Serializable, Defaults.PreferPlist {
    case light = 300
    case bold = 700
  }

  @Test("PreferPlist takes precedence over raw values")
  func preferPlistWithRawValue() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Weight.bold, default: .light))
    #expect(fixture.stored == 700)
  }

  @Test("A Codable class is stored as JSON, and each read creates an instance")
  func classes() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Counter(0))
    Defaults[key] = Counter(4)
    #expect(fixture.stored == #"{"count":4}"#)
    let one = Defaults[key]
    one.count = 99
    #expect(Defaults[key].count == 4)
  }

  final class Counter: Codable, Defaults.Serializable {
    var count: Int
    init(_ count: Int) { self.count = count }
  }
}
