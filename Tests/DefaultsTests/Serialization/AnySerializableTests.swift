import Defaults
import Foundation
import PropertyList
import Testing

@Suite("Defaults.AnySerializable")
struct AnySerializableTests {
  typealias AnySerializable = Defaults.AnySerializable

  enum Media: String, Defaults.Serializable {
    case json = "application/json"
    case stream = "application/octet-stream"
  }

  struct Person: Codable, Hashable, Defaults.Serializable {
    var name: String
  }

  @Test("A default and a value can be literals")
  func topLevel() {
    let fixture = KeyFixture()
    let key = Defaults.Key<AnySerializable>(fixture.name, default: 1, suite: fixture.store)
    #expect(Defaults[key].get(Int.self) == 1)
    #expect(fixture.store.integer(forKey: fixture.name) == 1)
    Defaults[key] = "🦄"
    #expect(Defaults[key].get() == "🦄")
    #expect(fixture.stored == "🦄")
    Defaults[key] = nil
    #expect(fixture.stored == nil)
    #expect(Defaults[key] == 1)
  }

  @Test("Every kind of literal is a value")
  func literals() {
    let values: [String: AnySerializable] = [
      "string": "x", "integer": -3, "float": 2.5, "boolean": true, "nothing": nil,
      "array": [1, "a", [true]], "dictionary": ["a": 1, "b": ["c": 2.5]],
    ]
    let fixture = KeyFixture()
    #expect(fixture.keeps(values, default: [:]))
    #expect(
      fixture.stored == [
        "string": "x", "integer": -3, "float": 2.5, "boolean": true, "nothing": ["$nil": true],
        "array": [1, "a", [true]], "dictionary": ["a": 1, "b": ["c": 2.5]],
      ])
    #expect(values["array"]?.get([Int].self) == nil)
    #expect(values["dictionary"]?.get([String: AnySerializable].self)?["a"]?.get(Int.self) == 1)
    #expect(values["nothing"]?.get(Int.self) == nil)
    #expect(([1, 2, 3] as AnySerializable).get() == [1, 2, 3])
    #expect(([1: "x"] as AnySerializable).get() == [1: "x"])
  }

  @Test("A value is read as the requested type, or nil")
  func get() {
    let any = AnySerializable(Media.json)
    let media: Media? = any.get()
    #expect(media == .json)
    #expect(any.get(String.self) == "application/json")
    #expect(any.get(Int.self) == nil)
    #expect(any.get(Person.self) == nil)
    #expect(AnySerializable(Person(name: "Ada")).get() == Person(name: "Ada"))
    #expect(AnySerializable(Date?.none).get(Date.self) == nil)
  }

  @Test("A value is set in place")
  func set() {
    let fixture = KeyFixture()
    let key = Defaults.Key<AnySerializable>(
      fixture.name, default: AnySerializable(Media.json), suite: fixture.store)
    #expect(Defaults[key].get() == Media.json)
    Defaults[key].set(Media.stream)
    #expect(Defaults[key].get() == Media.stream)
    #expect(fixture.stored == "application/octet-stream")
    Defaults[key].set([URL(string: "x:y")!])
    #expect(fixture.stored == [#""x:y""#])
  }

  @Test("A value is set as a type")
  func setType() {
    var value: AnySerializable = 1
    value.set(.json, type: Media.self)
    #expect(value == "application/json")
    value.set(nil, type: Int?.self)
    #expect(value._defaults_isNil)
  }

  @Test("The keys of a dictionary literal may be of several types, the last of equal ones wins")
  func dictionaryLiteral() {
    let (name, number): (AnyHashable, AnyHashable) = ("name", 7)
    #expect([name: "x", number: [2], "name": "y"] as AnySerializable == ["name": "y", "7": [2]])
    struct Foreign: Hashable {}
    let fixture = KeyFixture()
    let key = Defaults.Key<AnySerializable>(fixture.name, default: 1, suite: fixture.store)
    Defaults[key] = [AnyHashable(Foreign()): 1]
    #expect(fixture.stored == nil)
    #expect(
      fixture.reports == [
        "cannot be stored: a value of type Foreign cannot be stored; store it as data or a string, or "
          + "conform its type to PlistValueConvertible"
      ])
  }

  @Test("A default can be an array, and a value of another type can replace it")
  func arrayDefault() {
    let fixture = KeyFixture()
    let key = Defaults.Key<AnySerializable>(
      fixture.name, default: [Defaults.AnySerializable(Media.json)], suite: fixture.store)
    #expect(Defaults[key].get([Media].self) == [.json])
    Defaults[key].set(Media.stream)
    let media: Media? = Defaults[key].get()
    #expect(media == .stream)
  }

  @Test("A dictionary holds values of several types")
  func dictionary() {
    let fixture = KeyFixture()
    let key = Defaults.Key<[String: AnySerializable]>(
      fixture.name, default: [:], suite: fixture.store)
    Defaults[key]["unicorn"] = "🦄"
    Defaults[key]["number"] = 3
    Defaults[key]["boolean"] = true
    Defaults[key]["media"] = AnySerializable(Media.json)
    Defaults[key]["person"] = AnySerializable(Person(name: "Ada"))
    Defaults[key]["gone"] = 1
    Defaults[key]["gone"] = nil
    #expect(
      fixture.stored == [
        "boolean": true, "media": "application/json", "number": 3,
        "person": #"{"name":"Ada"}"#, "unicorn": "🦄",
      ])
    if let text: String = Defaults[key]["unicorn"]?.get() {
      #expect(text == "🦄")
    } else {
      Issue.record("no text")
    }
    #expect(Defaults[key]["media"]?.get() == Media.json)
    #expect(Defaults[key]["person"]?.get(Person.self)?.name == "Ada")
    #expect(Defaults[key]["none"] == nil)
  }

  @Test("An array and a set hold values of several types")
  func arrayAndSet() {
    let fixture = KeyFixture()
    #expect(
      fixture.keeps([1, "a", AnySerializable(Media.json), nil], default: [AnySerializable]()))
    #expect(fixture.stored == [1, "a", "application/json", ["$nil": true]])
    let set: Set<AnySerializable> = [1, "a", 1, true]
    #expect(set.count == 3)
    #expect(fixture.keeps(set, default: []))
  }

  @Test("Values with equal stored forms are equal and hash equally")
  func hashing() {
    #expect(AnySerializable(Media.json) == "application/json")
    #expect(AnySerializable([1, 2]) == [1, 2])
    #expect(AnySerializable(1) != true)
    #expect(AnySerializable(1) != 1.0)
    #expect(AnySerializable(Int?.none) == nil)
    #expect(AnySerializable(Set([2, 1])).hashValue == AnySerializable(Set([1, 2])).hashValue)
  }

  @Test("A value that cannot be stored is reported and keeps the old one")
  func unstorable() {
    struct Foreign {}
    let fixture = KeyFixture()
    let key = Defaults.Key<[String: AnySerializable]>(
      fixture.name, default: [:], suite: fixture.store)
    Defaults[key]["a"] = 1
    Defaults[key]["b"] = [Foreign()]
    #expect(fixture.stored == ["a": 1])
    #expect(
      fixture.reports == [
        "cannot be stored: a value of type Foreign cannot be stored; store it as data or a string, or "
          + "conform its type to PlistValueConvertible (at b.0)"
      ])
  }
}
