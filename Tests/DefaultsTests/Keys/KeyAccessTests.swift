import Defaults
import Foundation
import PropertyList
import Synchronization
import Testing

private let catalog = PreferencesStore.inMemory()

extension Defaults.Keys {
  fileprivate static let sharpness = Key("sharpness", default: 0.8, suite: catalog)
  fileprivate static let nickname = Key<String?>("nickname", suite: catalog)
  fileprivate static let volumes = Key<[String: Int]>("volumes", default: [:], suite: catalog)
}

@Suite("Access to values by keys")
struct KeyAccessTests {
  @Test("A declared key has its default, takes values and is modified in place")
  func declaredKey() {
    #expect(Defaults[.sharpness] == 0.8)
    Defaults[.sharpness] = 0.5
    Defaults[.sharpness] += 0.1
    #expect(Defaults[.sharpness] == 0.6)
    #expect(catalog.double(forKey: Defaults.Keys.sharpness.name) == 0.6)
    #expect(catalog[.sharpness] == 0.6)

    Defaults[.volumes]["music"] = 7
    Defaults[.volumes]["music"]? += 1
    #expect(Defaults[.volumes] == ["music": 8])
  }

  @Test("A store's subscript accesses a key in that store, whatever the key's own suite")
  func storeSubscript() {
    let fixture = KeyFixture()
    let key = fixture.key(default: 1)
    let other = PreferencesStore.inMemory()
    other[key] = 5
    #expect(other[key] == 5)
    #expect(fixture.store[key] == 1)
    fixture.store[key] += 1
    #expect(Defaults[key] == 2)
  }

  @Test("The default is registered, so that the store's own getters see it")
  func registration() {
    let fixture = KeyFixture()
    _ = fixture.key(default: 0.25)
    #expect(fixture.store.double(forKey: fixture.name) == 0.25)
    #expect(fixture.stored == nil)
    #expect(fixture.store.origin(forKey: fixture.name)?.layer.kind == .registration)
  }

  @Test("A default is registered in the form in which it would be stored")
  func registeredForm() {
    let url = KeyFixture()
    _ = url.key(default: URL(string: "https://example.org/a")!)
    #expect(url.store.string(forKey: url.name) == #""https:\/\/example.org\/a""#)
    let coded = KeyFixture()
    _ = coded.key(default: Track(title: "One", length: 3))
    #expect(coded.store.string(forKey: coded.name) == #"{"length":3,"title":"One"}"#)
  }

  @Test("Nil is never registered")
  func nilIsNotRegistered() {
    let fixture = KeyFixture()
    _ = Defaults.Key<Int?>(fixture.name, suite: fixture.store)
    _ = Defaults.Key<Int?>(fixture.name, default: nil, suite: fixture.store)
    #expect(!fixture.store.containsValue(forKey: fixture.name))
    #expect(fixture.failures == [])
  }

  @Test("A default that cannot be stored is reported and used nevertheless")
  func unstorableDefault() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Date(timeIntervalSinceReferenceDate: .nan))
    #expect(key.defaultValue.timeIntervalSinceReferenceDate.isNaN)
    #expect(fixture.reports == ["cannot be stored: expected a date that is not NaN"])
    #expect(!fixture.store.containsValue(forKey: fixture.name))
  }

  @Test("A dynamic default is computed by each read that needs it, not by the key's initializer")
  func dynamicDefault() {
    let fixture = KeyFixture()
    let calls = Atomic(0)
    let key = Defaults.Key<Int>(fixture.name, suite: fixture.store) {
      calls.add(1, ordering: .relaxed).newValue
    }
    #expect(calls.load(ordering: .relaxed) == 0)
    #expect(!fixture.store.containsValue(forKey: fixture.name))
    #expect(Defaults[key] == 1)
    #expect(Defaults[key] == 2)
    #expect(key.defaultValue == 3)

    Defaults[key] = 40
    #expect(Defaults[key] == 40)
    #expect(calls.load(ordering: .relaxed) == 3)

    fixture.store.set(.string("forty"), forKey: fixture.name)
    #expect(Defaults[key] == 4)
    #expect(Defaults[key] == 5)
    #expect(fixture.reports == ["cannot be read: expected an integer, found a string"])
  }

  @Test("A dynamic default may use what is not Sendable")
  func nonSendableDefault() {
    final class Counter {
      var count = 0
      func next() -> Int {
        count += 1
        return count
      }
    }
    let counter = Counter()
    let key = Defaults.Key<Int>("counter", suite: .inMemory()) { counter.next() }
    #expect(Defaults[key] == 1)
    #expect(Defaults[key] == 2)
    #expect(counter.count == 2)
  }

  @Test("A dynamic default of an optional key may be nil")
  func dynamicOptionalDefault() {
    let fixture = KeyFixture()
    let isThere = Atomic(false)
    let key = Defaults.Key<String?>(fixture.name, suite: fixture.store) {
      isThere.load(ordering: .relaxed) ? "camera" : nil
    }
    #expect(Defaults[key] == nil)
    isThere.store(true, ordering: .relaxed)
    #expect(Defaults[key] == "camera")
  }

  @Test("An optional key is nil at first, nil removes the stored value, and false is not nil")
  func optionalKey() {
    #expect(Defaults[.nickname] == nil)
    Defaults[.nickname] = "Ada"
    #expect(Defaults[.nickname] == "Ada")
    Defaults[.nickname] = nil
    #expect(!catalog.containsValue(forKey: "nickname"))

    let fixture = KeyFixture()
    let flag = Defaults.Key<Bool?>(fixture.name, suite: fixture.store)
    Defaults[flag] = false
    #expect(Defaults[flag] == .some(false))
    #expect(fixture.stored == false)
  }

  @Test("An optional key with a default reads it again after nil is written")
  func optionalKeyWithDefault() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Int?.some(3))
    Defaults[key] = 4
    Defaults[key] = nil
    #expect(Defaults[key] == 3)
  }

  @Test("A key with an initial value can store nil")
  func initialValue() throws {
    let fixture = try FileFixture()
    let key = Defaults.Key<String?>("greeting", initial: "hello", suite: fixture.store)
    #expect(Defaults[key] == "hello")
    #expect(fixture.store.string(forKey: "greeting") == "hello")
    Defaults[key] = nil
    #expect(Defaults[key] == nil)
    try fixture.store.flush()
    #expect(try fixture.values()["greeting"] == ["$nil": true])
    key.reset()
    #expect(Defaults[key] == "hello")
  }

  @Test("A reset key has its default, or nil if it has none")
  func reset() {
    let fixture = KeyFixture()
    let key = fixture.key(default: 1)
    Defaults[key] = 2
    #expect(!key.isDefaultValue)
    key.reset()
    #expect(Defaults[key] == 1)
    #expect(key.isDefaultValue)
    let erased: Defaults.Keys = Defaults.Key<Int?>(fixture.name, suite: fixture.store)
    Defaults[key] = 2
    erased.reset()
    #expect(fixture.stored == nil)
  }

  @Test(
    "A value is compared with the default by its stored form"
  )
  func isDefaultValue() {
    let fixture = KeyFixture()
    let key = fixture.key(default: Track(title: "One", length: 3))
    #expect(key.isDefaultValue)
    Defaults[key].length = 4
    #expect(!key.isDefaultValue)
    Defaults[key].length = 3
    #expect(key.isDefaultValue)
    #expect(fixture.stored != nil)

    let keys: [Defaults.Keys] = [
      key, Defaults.Key<Set<Double>>("s", default: [.nan, 1], suite: fixture.store),
    ]
    #expect(keys.filter { !$0.isDefaultValue } == [])
  }

  struct Track: Codable, Defaults.Serializable {
    var title: String
    var length: Int
  }
}
