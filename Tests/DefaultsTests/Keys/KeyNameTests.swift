import Defaults
import Foundation
import PropertyList
import Testing

@Suite("Names of keys")
struct KeyNameTests {
  @Test(
    "Any string is a valid name",
    arguments: ["a.b", "@x", "", " ", "größe", "🦄", "a/b", "$x", "line\nbreak", "-dash", "nul\0"])
  func anyName(name: String) throws {
    let fixture = try FileFixture()
    let key = Defaults.Key<Int>(name, default: 1, suite: fixture.store)
    #expect(Defaults[key] == 1)
    Defaults[key] = 2
    #expect(Defaults[key] == 2)
    try fixture.store.flush()
    #expect(try fixture.values() == PlistDictionary([(name, .integer(2))]))
  }

  @Test(
    "A name is a valid key path on Apple platforms if it is ASCII without dots and leading @",
    arguments: [
      ("plain", true), ("", true), (" with spaces ", true), ("a@b", true), ("~", true),
      ("a.b", false), (".", false), ("@a", false), ("é", false), ("🦄", false),
    ])
  func validKeyPath(name: String, isValid: Bool) {
    #expect(Defaults.isValidKeyPath(name: name) == isValid)
  }

  @Test("Keys are equal if their names and suites are")
  func hashing() {
    let (one, other) = (PreferencesStore.inMemory(), PreferencesStore.inMemory())
    let keys: Set<Defaults.Keys> = [
      Defaults.Key<Int>("n", default: 1, suite: one),
      Defaults.Key<String?>("n", suite: one),
      Defaults.Key<Int>("n", default: 1, suite: other),
      Defaults.Key<Int>("m", default: 1, suite: one),
    ]
    #expect(keys.count == 3)
    #expect(keys.contains(Defaults.Key<Date?>("m", suite: one)))
    #expect(!keys.contains(Defaults.Key<Int?>("m", suite: other)))
  }

  @Test("Names that are only canonically equivalent are different keys")
  func composition() {
    let store = PreferencesStore.inMemory()
    let composed = Defaults.Key<Int>("caf\u{E9}", default: 1, suite: store)
    let decomposed = Defaults.Key<Int>("cafe\u{301}", default: 2, suite: store)
    #expect(composed != decomposed)
    #expect(Set<Defaults.Keys>([composed, decomposed]).count == 2)
    Defaults[composed] = 3
    #expect(Defaults[decomposed] == 2)
  }

  @Test("Keys of the same name and different types read the same stored value, each as its type")
  func sameNameDifferentTypes() {
    let fixture = KeyFixture()
    let number = fixture.key(default: 1)
    let real = fixture.key(default: 0.5)
    Defaults[number] = 7
    #expect(Defaults[real] == 7)
    Defaults[real] = 8
    #expect(Defaults[number] == 8)
    #expect(fixture.failures == [])
  }

  @Test(
    "Keys of the same name and different types keep their own defaults, and nothing is reported"
  )
  func sameNameDifferentDefaults() {
    let fixture = KeyFixture()
    let number = fixture.key(default: 1)
    let text = fixture.key(default: "one")
    #expect(Defaults[number] == 1)
    #expect(Defaults[text] == "one")
    #expect(throws: Never.self) { try number.load() }
    #expect(fixture.failures == [])
  }

  @Test("A stored value that only one of two types can read is reported for the other alone")
  func sameNameOneFailure() {
    let fixture = KeyFixture(stored: "text")
    let number = fixture.key(default: 1)
    let text = fixture.key(default: "")
    #expect(Defaults[text] == "text")
    #expect(Defaults[number] == 1)
    #expect(Defaults[number] == 1)
    #expect(fixture.reports == ["cannot be read: expected an integer, found a string"])
  }
}
