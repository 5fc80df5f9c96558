import Defaults
import Foundation
import PropertyList
import Testing

/// What the bridges return and take, where a program calls them.
@Suite("The shapes of the bridges")
struct BridgeShapeTests {
  struct Site: Codable, Hashable, Defaults.Serializable {
    var name: String
  }

  enum Rank: Int, Codable, Hashable, Defaults.Serializable {
    case low = 1
  }

  struct Flag: RawRepresentable, Hashable, Defaults.Serializable {
    var rawValue: Int8
  }

  private typealias Bag = CollectionTypeTests.Bag
  private typealias SetBag = CollectionTypeTests.SetBag

  /// Expects that a bridge turns a value into a form and back, and nil into nil.
  private func expect<Value: Equatable, Form: Equatable>(
    _ bridge: some Defaults.Bridge<Value, Form>, _ value: Value, is form: Form,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(bridge.serialize(value) == form, sourceLocation: sourceLocation)
    #expect(bridge.deserialize(form) == value, sourceLocation: sourceLocation)
    #expect(bridge.serialize(nil) == nil, sourceLocation: sourceLocation)
    #expect(bridge.deserialize(nil) == nil, sourceLocation: sourceLocation)
  }

  /// Expects that a bridge of forms of any type does the same.
  private func expect<Value: Equatable, Form: Equatable>(
    _ bridge: some Defaults.Bridge<Value, Any>, _ value: Value, is form: Form,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(bridge.serialize(value) as? Form == form, sourceLocation: sourceLocation)
    #expect(bridge.deserialize(form) == value, sourceLocation: sourceLocation)
    #expect(bridge.serialize(nil) == nil, sourceLocation: sourceLocation)
    #expect(bridge.deserialize(nil) == nil, sourceLocation: sourceLocation)
  }

  @Test("Codable types are strings of JSON with sorted keys")
  func codable() {
    expect(Defaults.TopLevelCodableBridge<Site>(), Site(name: "Ida"), is: #"{"name":"Ida"}"#)
    expect(Defaults.RawRepresentableCodableBridge<Rank>(), .low, is: "1")
    let home = URL(string: "https://example.org/a")!
    expect(Defaults.URLBridge(), home, is: #""https:\/\/example.org\/a""#)
    expect(Site.bridge, Site(name: "Bo"), is: #"{"name":"Bo"}"#)
    #expect(Site.bridge.deserialize("{") == nil)
    #expect(Defaults.TopLevelCodableBridge<Double>().serialize(.infinity) == #""inf""#)
  }

  @Test("Raw values are what they are, and UUIDs are texts")
  func simple() {
    expect(Defaults.RawRepresentableBridge<Flag>(), Flag(rawValue: 3), is: Int8(3))
    #expect(Defaults.RawRepresentableBridge<Rank>().deserialize(7) == nil)
    let uuid = UUID()
    expect(Defaults.UUIDBridge(), uuid, is: uuid.uuidString)
    #expect(Defaults.UUIDBridge().deserialize("x") == nil)
  }

  @Test("Arrays, dictionaries and optionals hold what the bridge of their elements returns")
  func containers() {
    let (ida, json) = (Site(name: "Ida"), #"{"name":"Ida"}"#)
    expect(Defaults.ArrayBridge<Site>(), [ida], is: [json])
    expect(Defaults.ArrayBridge<[Site]>(), [[ida], []], is: [[json], []])
    expect(Defaults.DictionaryBridge<Int, Site>(), [1: ida], is: ["1": json])
    expect(Defaults.OptionalBridge<Site>(), ida, is: json)
    #expect(Defaults.ArrayBridge<Site>().deserialize([json, "{"]) == [ida])
    #expect(Defaults.ArrayBridge<Double>().serialize([1, .nan]) == ["1", #""nan""#])
    #expect(
      Defaults.DictionaryBridge<Int, Site>().deserialize(["1": json, "2": "{", "x": json])
        == [1: ida])
    #expect(Defaults.DictionaryBridge<Int, Site>().deserialize(["1": "{", "x": json]) == nil)
    let accounts = Defaults.ArrayBridge<CustomBridgeTests.Account>()
    expect(accounts, [.init(name: "Ida", age: "3")], is: [["name": "Ida", "age": "3"]])
    #expect(
      accounts.serialize([.init(name: "nobody", age: ""), .init(name: "Ida", age: "3")]) == nil)
  }

  @Test("Sets and other collections hold elements of native types as they are")
  func nativeElements() {
    expect(Defaults.SetBridge<Int8>(), [3, 1, 2], is: [1, 2, 3])
    expect(Defaults.SetAlgebraBridge<SetBag<String>>(), SetBag(["b", "a"]), is: ["a", "b"])
    let words = Bag(["b", "a"])
    #expect(Defaults.CollectionBridge<Bag<String>>().serialize(words) as? [String] == ["b", "a"])
    #expect(Defaults.CollectionBridge<Bag<String>>().deserialize(["b"])?.items == ["b"])
    #expect(Defaults.SetBridge<Int8>().deserialize([1, 2] as [Any]) == [1, 2])
    #expect(Defaults.SetBridge<Int8>().deserialize([1, "x"] as [Any]) == [1])
    #expect(Defaults.SetBridge<Int8>().deserialize([1, 2] as [Int8]) == [1, 2])
    #expect(Defaults.SetBridge<Int8>().deserialize("x") == nil)
  }

  @Test("Sets and other collections hold what the bridge of other elements returns")
  func bridgedElements() {
    let sites = [Site(name: "Bo"), Site(name: "Ida")]
    let json = [#"{"name":"Bo"}"#, #"{"name":"Ida"}"#]
    expect(Defaults.SetBridge<Site>(), Set(sites), is: json)
    expect(Defaults.SetAlgebraBridge<SetBag<Site>>(), SetBag(Set(sites)), is: json)
    #expect(Defaults.CollectionBridge<Bag<Site>>().serialize(Bag(sites)) as? [String] == json)
    #expect(Defaults.CollectionBridge<Bag<Site>>().deserialize(json)?.items == sites)
    #expect(Defaults.SetBridge<Set<Int>>().deserialize([[1, 2], []]) == [[1, 2], []])
  }

  @Test("Ranges are arrays of two bounds in order")
  func ranges() {
    #expect(Defaults.RangeBridge<Range<Int>>().serialize(1..<5) as? [Int] == [1, 5])
    #expect(Defaults.RangeBridge<Range<Int>>().deserialize([1, 5]) == 1..<5)
    #expect(Defaults.RangeBridge<ClosedRange<Int>>().deserialize([5, 1]) == nil)
    #expect(Defaults.RangeBridge<ClosedRange<Int>>().deserialize([5]) == nil)
    #expect(Range<Int>.bridge.serialize(nil) == nil)
  }

  @Test("AnySerializable is a value of any type")
  func any() {
    let (bridge, value) = (Defaults.AnyBridge(), ["a": [1, true]] as Defaults.AnySerializable)
    let form = bridge.serialize(value) as? [String: [Any]]
    #expect(form?["a"]?.first as? Int == 1)
    #expect(bridge.deserialize(form) == value)
    #expect(bridge.deserialize("x") == Defaults.AnySerializable("x"))
    #expect(bridge.serialize(Defaults.AnySerializable(nilLiteral: ())) == nil)
    #expect(bridge.serialize(nil) == nil)
  }

  @Test("Archives are data")
  func archives() throws {
    let bridge = Defaults.NSSecureCodingBridge<ArchivedNote>()
    let data = try #require(bridge.serialize(ArchivedNote("x")))
    #expect(bridge.deserialize(data)?.text == "x")
    #expect(bridge.deserialize(Data()) == nil)
    #expect(bridge.serialize(nil) == nil)
  }

  @Test("Protocols have primary associated types")
  func primaryTypes() {
    let bridge: any Defaults.CodableBridge<Site> = Defaults.TopLevelCodableBridge<Site>()
    #expect(bridge.serialize(Site(name: "x")) == #"{"name":"x"}"#)
    func first(_ collection: some Defaults.CollectionSerializable<Int>) -> Int? { collection.first }
    #expect(first(Bag([4, 5])) == 4)
    func elements(_ set: some Defaults.SetAlgebraSerializable<Int>) -> [Int] { set.toArray() }
    #expect(elements(SetBag([4])) == [4])
    func width(_ range: some Defaults.Range<Int>) -> Int { range.upperBound - range.lowerBound }
    #expect(width(1..<5) == 4)
    let type: any Defaults.Serializable<Defaults.UUIDBridge>.Type = UUID.self
    #expect(type.isNativelySupportedType == false)
  }
}
