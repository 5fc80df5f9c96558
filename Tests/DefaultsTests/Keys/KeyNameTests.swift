import Defaults
import Foundation
import PropertyList
import Testing

@Suite struct KeyNameTests {
  @Test(
    "Every name is allowed",
    arguments: ["a.b", "@x", "", " ", "größe", "🦄", "a/b", "$x", "line\nbreak", "-dash", "nul\0"])
  func anyName(name: String) throws {
    let folder = try KeyFolder()
    let key = Defaults.Key<Int>(name, default: 1, suite: folder.store)
    #expect(Defaults[key] == 1)
    Defaults[key] = 2
    #expect(Defaults[key] == 2)
    try folder.store.flush()
    #expect(try folder.values() == PlistDictionary([(name, .integer(2))]))
  }

  @Test(
    "A name is portable to Apple's observing if it is ASCII, has no dot and no leading @",
    arguments: [
      ("plain", true), ("", true), (" with spaces ", true), ("a@b", true), ("~", true),
      ("a.b", false), (".", false), ("@a", false), ("é", false), ("🦄", false),
    ])
  func validKeyPath(name: String, isValid: Bool) {
    #expect(Defaults.isValidKeyPath(name: name) == isValid)
  }

  @Test("Keys are equal by name and store alone")
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

  @Test("Names that differ in the composition of their letters are different keys")
  func composition() {
    let store = PreferencesStore.inMemory()
    let composed = Defaults.Key<Int>("caf\u{E9}", default: 1, suite: store)
    let decomposed = Defaults.Key<Int>("cafe\u{301}", default: 2, suite: store)
    #expect(composed != decomposed)
    #expect(Set<Defaults.Keys>([composed, decomposed]).count == 2)
    Defaults[composed] = 3
    #expect(Defaults[decomposed] == 2)
  }

  @Test("Keys of one name and different types see the same stored value, each in its type")
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
    "Of keys of one name with defaults of different types each has its own, and nothing is reported"
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

  @Test("A stored value that suits one of two types is reported for the other one alone")
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
