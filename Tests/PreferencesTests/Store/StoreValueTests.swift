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

  @Test("A value is returned as exactly its type", arguments: Backing.allCases)
  func types(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let date = Date(timeIntervalSinceReferenceDate: 1)
    store.set(5, forKey: "integer")
    store.set(1, forKey: "one")
    store.set(1.0, forKey: "double")
    store.set(Float(0.5), forKey: "float")
    store.set(true, forKey: "boolean")
    store.set("text", forKey: "string")
    store.set(date, forKey: "date")
    store.set(Data([1, 2]), forKey: "data")
    store.set([1, "a", true] as [Any], forKey: "array")
    store.set(["k": [1.5]], forKey: "dictionary")
    store.set(UInt64.max, forKey: "unsigned")

    func type(_ key: String) -> Any.Type? { store.object(forKey: key).map { Swift.type(of: $0) } }
    #expect(type("integer") == Int.self)
    #expect(type("one") == Int.self)
    #expect(type("double") == Double.self)
    #expect(type("float") == Float.self)
    #expect(type("boolean") == Bool.self)
    #expect(type("string") == String.self)
    #expect(type("date") == Date.self)
    #expect(type("data") == Data.self)
    #expect(type("array") == [Any].self)
    #expect(type("dictionary") == [String: Any].self)
    #expect(type("unsigned") == UInt.self)
    #expect(store.object(forKey: "none") == nil)

    let array = try #require(store.array(forKey: "array"))
    #expect(array.map { "\(Swift.type(of: $0))" } == ["Int", "String", "Bool"])
    #expect(store.value(forKey: "integer") as? Int == 5)
    #expect(store.data(forKey: "data") == Data([1, 2]))
    #expect(store.object(forKey: "date") as? Date == date)
    #expect((store.dictionary(forKey: "dictionary")?["k"] as? [Any])?.first as? Double == 1.5)
    #expect(store.plistValue(forKey: "unsigned") == .unsignedInteger(.max))
    #expect(store.float(forKey: "float") == 0.5)
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

  @Test("A URL is returned as it was stored, a path as a file URL", arguments: Backing.allCases)
  func urls(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    for text in ["https://a.b/c?x=1#f", "file:///a%20b", "mailto:a@b", "c?x=1"] {
      let url = try #require(URL(string: text))
      store.set(url, forKey: "url")
      #expect(store.url(forKey: "url") == url)
      store.set(url as Any, forKey: "any")
      #expect(store.url(forKey: "any") == url)
    }
    store.set("/a b", forKey: "url")
    #expect(store.url(forKey: "url")?.absoluteString == "file:///a%20b")
    store.set(Data([1]), forKey: "url")
    #expect(store.url(forKey: "url") == nil)
    store.set(nil as URL?, forKey: "url")
    #expect(!store.containsValue(forKey: "url"))
  }

  @Test("Setting nil in any form removes the value", arguments: Backing.allCases)
  func removal(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let forms: [(PreferencesStore) -> Void] = [
      { $0.set(nil, forKey: "k") }, { $0.set(nil as Any?, forKey: "k") },
      { $0.set(nil as Int?, forKey: "k") }, { $0.set(nil as PlistValue?, forKey: "k") },
      { $0.set(nil as String?, forKey: "k") }, { $0.set(nil as URL?, forKey: "k") },
      { $0.set(nil as [Int]?, forKey: "k") }, { $0.removeObject(forKey: "k") },
      { try? $0.setAny(nil, forKey: "k") }, { $0.removeAll() },
    ]
    for (index, remove) in forms.enumerated() {
      store.set(index, forKey: "k")
      #expect(store.containsValue(forKey: "k"))
      remove(store)
      #expect(store.object(forKey: "k") == nil, "\(index)")
      #expect(!store.containsValue(forKey: "k"))
    }
    store.removeObject(forKey: "never there")
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
    "Registered defaults are merged, later ones win, and any value overrides them",
    arguments: Backing.allCases)
  func registration(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.register(defaults: ["a": 1, "b": 1])
    store.register(defaults: ["b": 2, "c": 2] as PlistDictionary)
    store.register(defaults: [:])
    #expect(store.integer(forKey: "a") == 1)
    #expect(store.integer(forKey: "b") == 2)
    #expect(store.integer(forKey: "c") == 2)
    store.set(2, forKey: "b")
    #expect(store.persistentDomain(forName: store.domain)?["b"] as? Int == 2)
    #expect(store.persistentDomain(forName: store.domain)?.count == 1)
    store.register(defaults: ["b": 3])
    #expect(store.integer(forKey: "b") == 2)
    store.removeObject(forKey: "b")
    #expect(store.integer(forKey: "b") == 3)
  }

  @Test(
    "Volatile domains are replaced as a whole", arguments: Backing.allCases)
  func volatileDomains(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    let argument = PreferencesStore.argumentDomain
    let registration = PreferencesStore.registrationDomain
    store.register(defaults: ["a": 1])
    store.setVolatileDomain(["b": 2], forName: registration)
    #expect(!store.containsValue(forKey: "a"))
    #expect(store.integer(forKey: "b") == 2)
    store.set(1, forKey: "b")
    store.setVolatileDomain(["b": "3"], forName: argument)
    #expect(store.integer(forKey: "b") == 3)
    store.setVolatileDomain(["c": 4], forName: argument)
    #expect(store.integer(forKey: "b") == 1)
    #expect(store.volatileDomain(forName: argument) as? [String: Int] == ["c": 4])

    store.setVolatileDomain(["d": 5], forName: "other")
    #expect(!store.containsValue(forKey: "d"))
    #expect(store.volatileDomain(forName: "other") as? [String: Int] == ["d": 5])
    #expect(store.volatileDomainNames == [argument, registration, "other"])
    for name in store.volatileDomainNames { store.removeVolatileDomain(forName: name) }
    #expect(store.volatileDomainNames == [argument, registration])
    #expect(!store.containsValue(forKey: "c"))
    #expect(store.volatileDomain(forName: registration).isEmpty)
    #expect(store.volatileDomain(forName: "none").isEmpty)
  }

  @Test(
    "A persistent domain is a single file and replaced as a whole", arguments: Backing.allCases
  )
  func persistentDomains(backing: Backing) throws {
    let fixture = try StoreFixture(backing)
    let store = fixture.store
    store.register(defaults: ["r": 1])
    #expect(store.persistentDomain(forName: store.domain) == nil)
    store.set(1, forKey: "a")
    store.setPersistentDomain(["b": 2], forName: store.domain)
    #expect(store.persistentDomain(forName: store.domain) as? [String: Int] == ["b": 2])
    #expect(!store.containsValue(forKey: "a"))
    store.setPersistentDomain(["g": 3], forName: PreferencesStore.globalDomain)
    #expect(store.integer(forKey: "g") == 3)
    #expect(store.persistentDomain(forName: PreferencesStore.globalDomain)?.count == 1)
    store.setPersistentDomain(["o": 4], forName: "other")
    #expect(!store.containsValue(forKey: "o"))
    #expect(store.persistentDomain(forName: "other") as? [String: Int] == ["o": 4])
    store.removePersistentDomain(forName: store.domain)
    #expect(store.persistentDomain(forName: store.domain) == nil)
    #expect(store.containsValue(forKey: "r"))

    store.setPersistentDomain(["x": 1], forName: "../escape")
    #expect(store.persistentDomain(forName: "../escape") == nil)
    try store.flush()
    #expect(store.persistentDomain(forName: "other") as? [String: Int] == ["o": 4])
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
    func cannot(_ type: String) -> String {
      "a value of type \(type) cannot be stored in preferences"
    }
    #expect(error(Set(["a"])) == cannot("Set<String>"))
    #expect(error([1: 2]) == cannot("Dictionary<Int, Int>"))
    #expect(error([[Character("x")]]) == cannot("Character"))
    #expect(error(["a": UUID()]) == cannot("UUID"))
    #expect(error([nil, 1] as [Int?]) == cannot("Optional<Int>"))
    #expect(error(PlistValue.null) == cannot("null"))
    #expect(error([PlistValue.set([])]) == cannot("set"))
    #expect(
      error(Date(timeIntervalSinceReferenceDate: .nan)) == cannot("date that is not a number"))
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
      // Reading the store meanwhile is allowed.
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
    #expect(throws: PreferencesError.unsupportedType("null")) {
      try store.update { $0["counter"] = .null }
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
