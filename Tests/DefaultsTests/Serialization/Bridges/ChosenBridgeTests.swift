import Defaults
import Foundation
import PropertyList
import Testing

/// Types for which a program chooses one of the library's bridges, or makes its own of them.
@Suite("Bridges that programs choose")
struct ChosenBridgeTests {
  struct Site: Codable, Hashable, Defaults.Serializable {
    var name: String
    var town = "Lund"
    static let bridge = Defaults.TopLevelCodableBridge<Site>()
  }

  /// Codable, and yet stored as its raw value.
  enum Rank: Int, Codable, Defaults.Serializable {
    case low = 1
    case high = 2
    static let bridge = Defaults.RawRepresentableBridge<Rank>()
  }

  /// Has a custom bridge that states only that the type is Codable.
  struct Place: Codable, Hashable, Defaults.Serializable {
    struct Bridge: Defaults.CodableBridge {
      typealias Value = Place
    }
    var name: String
    static let bridge = Bridge()
  }

  /// A range of the program's own.
  struct Span<Bound: Comparable & Defaults.Serializable>: Equatable, Defaults.RangeSerializable {
    var lowerBound: Bound
    var upperBound: Bound

    init(uncheckedBounds bounds: (lower: Bound, upper: Bound)) {
      (lowerBound, upperBound) = bounds
    }

    static var bridge: Defaults.RangeBridge<Span> { Defaults.RangeBridge() }
  }

  struct Version: RawRepresentable, Comparable, Defaults.Serializable {
    var rawValue: Int
    static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// A box of any type that can be stored.
  struct Box<Content: Defaults.Serializable & Equatable>: Equatable, Defaults.Serializable {
    struct Bridge: Defaults.Bridge {
      func serialize(_ value: Box?) -> Content.Serializable? {
        value.flatMap { Content.bridge.serialize($0.content as? Content.Value) }
      }
      func deserialize(_ object: Content.Serializable?) -> Box? {
        (Content.bridge.deserialize(object) as? Content).map { Box(content: $0) }
      }
    }
    var content: Content
    static var bridge: Bridge { Bridge() }
  }

  /// A crew whose members have a custom bridge, stored through the bridges of containers.
  struct Crew: Hashable, Defaults.Serializable {
    typealias Account = CustomBridgeTests.Account

    struct Bridge: Defaults.Bridge {
      private let members = Defaults.DictionaryBridge<Int, Account>()
      private let ranks = Defaults.SetBridge<Rank>()
      private let guests = Defaults.ArrayBridge<Account>()

      func serialize(_ value: Crew?) -> [String: Any]? {
        guard let value, let members = members.serialize(value.members),
          let ranks = ranks.serialize(value.ranks), let guests = guests.serialize(value.guests)
        else { return nil }
        return ["members": members, "ranks": ranks, "guests": guests]
      }

      func deserialize(_ object: [String: Any]?) -> Crew? {
        guard let members = members.deserialize(object?["members"] as? [String: [String: String]]),
          let ranks = ranks.deserialize(object?["ranks"]),
          let guests = guests.deserialize(object?["guests"] as? [[String: String]])
        else { return nil }
        return Crew(members: members, ranks: ranks, guests: guests)
      }
    }

    var members: [Int: Account]
    var ranks: Set<Rank>
    var guests: [Account]
    static let bridge = Bridge()
  }

  @Test("A chosen Codable bridge stores JSON, and reads what the library reads of Codable types")
  func codable() {
    let ida = Site(name: "Ida")
    let fixture = KeyFixture()
    #expect(fixture.keeps(ida, default: Site(name: "")))
    #expect(fixture.stored == #"{"name":"Ida","town":"Lund"}"#)
    #expect(fixture.keeps([ida], default: []))
    #expect(fixture.stored == [#"{"name":"Ida","town":"Lund"}"#])
    let forms: [PlistValue] = [
      .data(Data(#"{"name":"Ida","town":"Lund"}"#.utf8)), ["name": "Ida", "town": "Lund"],
    ]
    for form in forms {
      let fixture = KeyFixture(stored: form)
      #expect(Defaults[fixture.key(default: Site(name: ""))] == ida)
      #expect(fixture.reports == [])
    }
    let older = KeyFixture(stored: #"{"name":"Ida"}"#)
    #expect(Defaults[older.key(default: Site(name: "", town: "Ystad"))].town == "Ystad")
    #expect(older.reports == ["cannot be read: the dictionary has no key town"])
  }

  @Test("A program's own bridge of a Codable type stores JSON, and reads the other forms, too")
  func ownCodable() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Place(name: "Lund"), default: Place(name: "")))
    #expect(fixture.stored == #"{"name":"Lund"}"#)
    for form in [.data(Data(#"{"name":"Lund"}"#.utf8)), ["name": "Lund"]] as [PlistValue] {
      let fixture = KeyFixture(stored: form)
      #expect(Defaults[fixture.key(default: Place(name: ""))] == Place(name: "Lund"))
      #expect(fixture.reports == [])
    }
  }

  @Test("A chosen bridge of raw values stores these, and reads JSON, too")
  func rawValue() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Rank.high, default: .low))
    #expect(fixture.stored == 2)
    let json = KeyFixture(stored: "2")
    #expect(Defaults[json.key(default: Rank.low)] == .high)
  }

  @Test("A program's own range is stored as its bounds")
  func range() {
    let fixture = KeyFixture()
    let span = Span(uncheckedBounds: (lower: 1, upper: 5))
    #expect(fixture.keeps(span, default: Span(uncheckedBounds: (lower: 0, upper: 0))))
    #expect(fixture.stored == [1, 5])
    let (start, end) = (Version(rawValue: 1), Version(rawValue: 2))
    #expect(fixture.keeps([Span(uncheckedBounds: (lower: start, upper: end))], default: []))
    #expect(fixture.stored == [[1, 2]])
    let reversed = KeyFixture(stored: [5, 1])
    #expect(Defaults[reversed.key(default: span)] == span)
    #expect(
      reversed.reports == ["cannot be read: expected the lower and upper bounds of a range"])
  }

  @Test("A generic bridge uses the bridge of its content")
  func box() {
    let fixture = KeyFixture()
    #expect(fixture.keeps(Box(content: Site(name: "x")), default: Box(content: Site(name: ""))))
    #expect(fixture.stored == #"{"name":"x","town":"Lund"}"#)
    #expect(
      fixture.keeps(
        [Box(content: UUID(uuidString: "00000000-0000-0000-0000-000000000000")!)], default: []))
    #expect(fixture.stored == ["00000000-0000-0000-0000-000000000000"])
    #expect(fixture.keeps(Box(content: [Rank.low]), default: Box(content: [])))
    #expect(fixture.stored == [1])
  }

  @Test("Bridges of containers are parts of a program's own")
  func composition() {
    let fixture = KeyFixture()
    let ada = CustomBridgeTests.Account(name: "Ada", age: "36")
    let crew = Crew(members: [7: ada], ranks: [.high, .low], guests: [ada])
    #expect(fixture.keeps(crew, default: Crew(members: [:], ranks: [], guests: [])))
    #expect(
      fixture.stored == [
        "guests": [["age": "36", "name": "Ada"]], "members": ["7": ["age": "36", "name": "Ada"]],
        "ranks": [1, 2],
      ])
  }
}
