import FoundationEssentials
import PropertyList
import Testing

@testable import Preferences

@Suite("Values of stores on files and in memory")
struct StoreValueTests {
  @Test("setValue is another name of set")
  func settingByOtherName() {
    let store = PreferencesStore.inMemory()
    store.setValue([1, 2], forKey: "k")
    #expect(store.plistValue(forKey: "k") == [1, 2])
    store.setValue(nil, forKey: "k")
    #expect(store.value(forKey: "k") == nil)
  }

  @Test(
    "A value is returned as exactly its type", arguments: Backing.allCases, TypedValue.all)
  func types(backing: Backing, value: TypedValue) throws {
    let fixture = try StoreFixture(backing)
    #expect(fixture.store.object(forKey: "k") == nil)
    value.set(fixture.store)
    let object = try #require(fixture.store.object(forKey: "k"))
    #expect(type(of: object) == value.type)
  }

  @Test("A value is returned by the getters of its type", arguments: Backing.allCases)
  func getters(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let date = Date(timeIntervalSinceReferenceDate: 1)
    store.set(5, forKey: "integer")
    store.set(Float(0.5), forKey: "float")
    store.set(date, forKey: "date")
    store.set(Data([1, 2]), forKey: "data")
    store.set([1, "a", true] as [Any], forKey: "array")
    store.set(["k": [1.5]], forKey: "dictionary")
    store.set(UInt64.max, forKey: "unsigned")
    #expect(store.value(forKey: "integer") as? Int == 5)
    #expect(store.float(forKey: "float") == 0.5)
    #expect(store.object(forKey: "date") as? Date == date)
    #expect(store.data(forKey: "data") == Data([1, 2]))
    let array = try #require(store.array(forKey: "array"))
    #expect(array.map { "\(type(of: $0))" } == ["Int", "String", "Bool"])
    #expect((store.dictionary(forKey: "dictionary")?["k"] as? [Any])?.first as? Double == 1.5)
    #expect(store.plistValue(forKey: "unsigned") == .unsignedInteger(.max))
  }

  @Test("A getter of another type converts or returns nothing", arguments: Backing.allCases)
  func coercion(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set("12.5 apples", forKey: "text")
    store.set(["a", "b"], forKey: "strings")
    store.set(["a", 1] as [Any], forKey: "mixed")
    store.set(true, forKey: "boolean")
    #expect(store.integer(forKey: "text") == 12)
    #expect(store.double(forKey: "text") == 12.5)
    #expect(store.float(forKey: "text") == 12.5)
    #expect(store.bool(forKey: "text"))
    #expect(store.string(forKey: "boolean") == "1")
    #expect(store.stringArray(forKey: "strings") == ["a", "b"])
    #expect(store.stringArray(forKey: "mixed") == nil)
    #expect(store.string(forKey: "strings") == nil)
    #expect(store.array(forKey: "text") == nil)
    #expect(store.dictionary(forKey: "text") == nil)
    #expect(store.data(forKey: "text") == nil)
    #expect(store.url(forKey: "boolean") == nil)
    #expect(store.integer(forKey: "none") == 0)
    #expect(store.double(forKey: "none") == 0)
    #expect(!store.bool(forKey: "none"))
  }

  @Test(
    "A URL is returned as it was stored", arguments: Backing.allCases,
    ["https://a.b/c?x=1#f", "file:///a%20b", "mailto:a@b", "c?x=1"])
  func urls(backing: Backing, text: String) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let url = try #require(URL(string: text))
    store.set(url, forKey: "url")
    #expect(store.url(forKey: "url") == url)
    store.set(url as Any, forKey: "any")
    #expect(store.url(forKey: "any") == url)
  }

  @Test("A string is returned as a file URL, data is not", arguments: Backing.allCases)
  func urlsOfOtherValues(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set("/a b", forKey: "url")
    #expect(store.url(forKey: "url")?.absoluteString == "file:///a%20b")
    store.set(Data([1]), forKey: "url")
    #expect(store.url(forKey: "url") == nil)
    store.set(nil as URL?, forKey: "url")
    #expect(!store.containsValue(forKey: "url"))
  }

  @Test(
    "Setting nil in any form removes the value", arguments: Backing.allCases, Removal.all)
  func removal(backing: Backing, removal: Removal) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    removal.remove(store)
    store.set(1, forKey: "k")
    #expect(store.containsValue(forKey: "k"))
    removal.remove(store)
    #expect(store.object(forKey: "k") == nil)
    #expect(!store.containsValue(forKey: "k"))
  }

  @Test("Literals and optionals are stored as what they look like", arguments: Backing.allCases)
  func literals(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(["a": 1, "b": ["x", "y"]] as [String: Any], forKey: "dictionary")
    #expect(store.plistValue(forKey: "dictionary") == ["a": 1, "b": ["x", "y"]])
    store.set([1, 2], forKey: "array")
    #expect(store.plistValue(forKey: "array") == [1, 2])
    store.set(.string("x"), forKey: "value")
    #expect(store.string(forKey: "value") == "x")
    store.set(5 as Int?, forKey: "optional")
    #expect(store.plistValue(forKey: "optional") == 5)
    store.set(Int8(-3), forKey: "small")
    #expect(store.plistValue(forKey: "small") == -3)
    let plist: PlistValue? = [true]
    store.set(plist, forKey: "plist")
    #expect(store.plistValue(forKey: "plist") == [true])
  }

  @Test(
    "Keys are distinguished by their bytes, except in Swift's dictionaries",
    arguments: Backing.allCases)
  func keys(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(1, forKey: "\u{E9}")
    store.set(2, forKey: "e\u{301}")
    store.set(3, forKey: "")
    #expect(store.integer(forKey: "\u{E9}") == 1)
    #expect(store.integer(forKey: "e\u{301}") == 2)
    #expect(store.integer(forKey: "") == 3)
    #expect(store.plistRepresentation.count == 3)
    #expect(store.dictionaryRepresentation().count == 2)
  }

  @Test(
    "A value that cannot be stored is rejected and changes nothing", arguments: Backing.allCases)
  func refusal(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(1, forKey: "k")
    func error(_ value: Any?) -> String? {
      do throws(PreferencesError) {
        try store.setAny(value, forKey: "k")
        return nil
      } catch {
        return "\(error)"
      }
    }
    func cannot(_ place: String, _ type: String) -> String {
      "\(place): a value of type \(type) cannot be stored in preferences; store it as data or a string, "
        + "or conform its type to PlistValueConvertible"
    }
    func null(_ place: String) -> String {
      "\(place): null cannot be stored in preferences; leave it out"
    }
    func notNumber(_ place: String) -> String {
      "\(place): a date that is not a number (NaN) cannot be stored in preferences"
    }
    let noDate = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(error(Set(["a"])) == cannot("k", "Set<String>"))
    #expect(
      error(["a": [1: 2]])
        == "k.a: a value of type Dictionary<Int, Int> cannot be stored in preferences; "
        + "its keys must be strings")
    #expect(error([1, [2, Character("x")]] as [Any]) == cannot("k.1.1", "Character"))
    #expect(error(["a": ["b.c": UUID()]]) == cannot("k.a.b\\.c", "UUID"))
    #expect(error([1, nil] as [Int?]) == null("k.1"))
    #expect(error(Int?.none as Any) == null("k"))
    #expect(error(PlistValue.null) == null("k"))
    #expect(error(["a": [1, .null]] as PlistValue) == null("k.a.1"))
    #expect(error([PlistValue.set([])]) == cannot("k.0", "set"))
    #expect(error(noDate) == notNumber("k"))
    #expect(error(["a": [1, noDate, noDate]] as [String: [Any]]) == notNumber("k.a.1"))
    #expect(error(["a": .date(noDate)] as PlistValue) == notNumber("k.a"))
    #expect(store.integer(forKey: "k") == 1)
    try store.flush()
  }

  @Test("Containers may be nested as deeply as files allow", arguments: Backing.allCases)
  func depth(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    func nested(_ levels: Int) -> Any {
      (1...levels).reduce(1 as Any) { value, _ in [value] as [Any] }
    }
    try store.setAny(nested(511), forKey: "k")
    try store.flush()
    #expect(throws: PreferencesError.self) { try store.setAny(nested(512), forKey: "k") }
    let deep = (1...512).reduce(PlistValue.integer(1)) { value, _ in .array([value]) }
    #expect(throws: PreferencesError.self) { try store.setAny(deep, forKey: "k") }
    #expect(throws: PreferencesError.self) { try store.setAny([deep], forKey: "k") }
    store.setPersistentDomain(["k": nested(511)], forName: store.domain)
    try store.flush()
  }

  @Test(
    "An update sees earlier writes, returns a value, and is atomic",
    arguments: Backing.allCases)
  func update(backing: Backing) throws {
    struct Failure: Error {}
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(41, forKey: "counter")
    store.set(1, forKey: "gone")
    let result = try store.update { values in
      guard case .integer(let count)? = values["counter"] else { return Int64(0) }
      // Reading the store within the update is allowed.
      #expect(store.integer(forKey: "counter") == 41)
      values["counter"] = .integer(count + 1)
      values["gone"] = nil
      return count + 1
    }
    #expect(result == 42)
    #expect(store.integer(forKey: "counter") == 42)
    #expect(!store.containsValue(forKey: "gone"))
    #expect(throws: Failure.self) {
      try store.update { values in
        values["counter"] = 0
        throw Failure()
      }
    }
    #expect(throws: PreferencesError.nullValue(at: PlistKeyPath(components: ["counter", "1"]))) {
      try store.update { $0["counter"] = [1, .null] }
    }
    #expect(store.integer(forKey: "counter") == 42)
    try store.flush()
    #expect(store.integer(forKey: "counter") == 42)
  }

  @Test("The first access of a store may be an update", arguments: Backing.allCases)
  func firstUpdate(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    try store.update { values in
      #expect(store.object(forKey: "a") == nil)
      values["a"] = 1
    }
    #expect(store.integer(forKey: "a") == 1)
  }

  @Test("Saving succeeds and changes no value", arguments: Backing.allCases)
  func saving(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.set(1, forKey: "a")
    #expect(store.synchronize())
    try store.flush()
    #expect(store.synchronize())
    #expect(store.integer(forKey: "a") == 1)
    #expect(try store.recover() == nil)
    #expect(store.problems.isEmpty)
  }

  @Test("Stores in memory are independent and have no files")
  func unique() {
    let one = PreferencesStore.inMemory()
    let other = PreferencesStore.inMemory()
    one.set(1, forKey: "k")
    one.register(defaults: ["r": 1])
    one.setPersistentDomain(["g": 1], forName: PreferencesStore.globalDomain)
    #expect(!other.containsValue(forKey: "k"))
    #expect(!other.containsValue(forKey: "r"))
    #expect(!other.containsValue(forKey: "g"))
    #expect(one.searchList.files.allSatisfy { $0.path == nil })
    #expect(one.origins(forKey: "k").map(\.layer.path) == [nil])
  }
}
