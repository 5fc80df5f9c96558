import Defaults
import Foundation
import PropertyList
import Testing
import TypedPreferences

@Suite("Codable types and enumerations that have changed since a value was stored")
struct CodableEvolutionTests {
  private typealias Person = BadValueTests.Person
  private typealias Home = BadValueTests.Home
  private typealias Native = BadValueTests.Native
  private typealias Theme = BadValueTests.Theme
  private typealias Mode = BadValueTests.Mode

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
    #expect(fixture.reports == ["cannot be read: the dictionary has no key home"])
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
}
