import Foil
import FoilExtraTypes
import Foundation
import PropertyList
import Testing

@Suite("Values of all types are stored in the form of their type")
struct StoredFormTests {
  /// Expects that both wrappers store a value in a form and read it back.
  private func check<Value: UserDefaultsSerializable & Equatable>(
    _ value: Value, default first: Value, is stored: PlistValue
  ) {
    let store = PreferencesStore.inMemory()
    let wrapper = FoilDefaultStorage(wrappedValue: first, key: "k", userDefaults: store)
    let optional = FoilDefaultStorageOptional<Value>(key: "o", userDefaults: store)
    #expect(wrapper.wrappedValue == first)
    #expect(optional.wrappedValue == nil)
    wrapper.wrappedValue = value
    optional.wrappedValue = value
    #expect(store.plistValue(forKey: "k") == stored)
    #expect(store.plistValue(forKey: "o") == stored)
    #expect(wrapper.wrappedValue == value)
    #expect(optional.wrappedValue == value)
  }

  @Test("Bool Int UInt Float Double String Date Data, and integers of all widths: as they are")
  func native() {
    check(true, default: false, is: true)
    check(Int.min, default: 0, is: .integer(.min))
    check(Int8.min, default: 0, is: -128)
    check(Int16.max, default: 0, is: 32767)
    check(Int32.max, default: 0, is: 2_147_483_647)
    check(Int64.max, default: 0, is: .integer(.max))
    check(UInt.max, default: 0, is: .unsignedInteger(.max))
    check(UInt8.max, default: 0, is: 255)
    check(UInt16.max, default: 0, is: 65535)
    check(UInt32.max, default: 0, is: 4_294_967_295)
    check(UInt64.max, default: 0, is: .unsignedInteger(.max))
    check(Float(0.1), default: 0, is: .float(0.1))
    check(0.1, default: 0, is: 0.1)
    check(Double.infinity, default: 0, is: .real(.infinity))
    check("\"é\u{0}\"", default: "", is: "\"é\u{0}\"")
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    check(date, default: .distantPast, is: .date(date))
    check(Data([1, 2]), default: Data(), is: .data(Data([1, 2])))
  }

  @Test("URL: as the setter of the store does")
  func url() throws {
    let web = try #require(URL(string: "https://example.org/a%20b?c#d"))
    let other = PreferencesStore.inMemory()
    other.set(web, forKey: "u")
    let stored = try #require(other.plistValue(forKey: "u"))
    #expect(stored.kind == .data)
    check(web, default: URL(filePath: "/"), is: stored)
    check(URL(filePath: "/tmp/a b"), default: web, is: "/tmp/a b")
  }

  @Test("Array, Set, Dictionary: of all types that can be stored, at any depth")
  func containers() {
    check([1, 2], default: [], is: [1, 2])
    check(Set(["a"]), default: [], is: ["a"])
    check(["a": [1.5]], default: [:], is: ["a": [1.5]])
    check([["a": Set([Theme.dark])]], default: [], is: [["a": ["dark"]]])
    check([Percentage(5)], default: [], is: [5])
    check(
      ["a": ["b": [Tag(text: "x"), Tag(text: "y")]]], default: [:],
      is: ["a": ["b": ["x", "y"]]])
    check(
      [Profile()], default: [],
      is: [.data(Data(#"{"level":1,"name":"nobody","quality":0}"#.utf8))])
  }

  @Test("Equal sets are stored alike")
  func sets() {
    let store = PreferencesStore.inMemory()
    let wrapper = FoilDefaultStorage(wrappedValue: Set<Int>(), key: "k", userDefaults: store)
    wrapper.wrappedValue = Set(0..<50)
    let stored = store.plistValue(forKey: "k")
    wrapper.wrappedValue = Set((0..<50).reversed().map { $0 })
    #expect(store.plistValue(forKey: "k") == stored)
  }

  @Test("RawRepresentable: the raw value, also of Codable types")
  func raw() {
    check(Theme.dark, default: .light, is: "dark")
    check(Quality.high, default: .low, is: 1)
    check([.left, .right], default: Sides.left, is: 3)
    check(
      Owner(rawValue: Profile(name: "Ada")), default: Owner(rawValue: Profile()),
      is: .data(Data(#"{"level":1,"name":"Ada","quality":0}"#.utf8)))
  }

  @Test("Codable: JSON data with sorted keys")
  func codable() {
    check(
      Game(player: Profile(name: "Ada", level: 2, quality: .high), scores: [.infinity, 0.5]),
      default: Game(),
      is: .data(
        Data(
          #"{"player":{"level":2,"name":"Ada","quality":1},"scores":["inf",0.5]}"#.utf8)))
  }

  @Test("Types with their own implementation: what that returns")
  func own() {
    check(Percentage(100), default: Percentage(0), is: 100)
    check(Tag(text: "x"), default: Tag(text: ""), is: "x")
    check(Versioned(size: 3), default: Versioned(size: 0), is: ["size": 3, "version": 1])
    check(
      VersionedData(size: 3), default: VersionedData(size: 0),
      is: .data(Data(#"{"size":3,"version":1}"#.utf8)))
    check(
      FragileBox(content: Fragile()), default: FragileBox(content: Fragile()),
      is: ["content": .data(Data(#""whole""#.utf8))])
  }

  @Test("A float reads back from an XML file, which has only doubles")
  func float() throws {
    let temporary = try TemporaryStore(format: .xml)
    @FoilDefaultStorage(key: "k", userDefaults: temporary.store) var number = Float(0)
    number = 0.1
    try temporary.store.flush()
    let stored = try temporary.read()
    #expect(stored == ["k": .real(Double(Float(0.1)))])
    guard case .dictionary(let values) = stored else { return }
    let store = PreferencesStore.inMemory()
    store.register(defaults: values)
    @FoilDefaultStorageOptional(key: "k", userDefaults: store) var same: Float?
    #expect(same == 0.1)
  }

  @Test("storedValue and init(storedValue:) can be called directly")
  func members() {
    #expect([Percentage(1), Percentage(2)].storedValue == [1, 2])
    #expect([Percentage](storedValue: [1, 2]) == [Percentage(1), Percentage(2)])
    #expect([Percentage](storedValue: [1, 200]) == nil)
    #expect(Set<Percentage>(storedValue: [1]) == [Percentage(1)])
    #expect(Set<Percentage>(storedValue: [200]) == nil)
    #expect(["a": Theme.dark].storedValue == ["a": "dark"])
    #expect([String: Theme](storedValue: ["a": "dark"]) == ["a": .dark])
    #expect([String: Theme](storedValue: ["a": "blue"]) == nil)
    #expect(Int(storedValue: 1) == 1.storedValue)
    #expect(Quality(storedValue: 2) == nil)
    #expect(Profile(storedValue: Profile().storedValue) == Profile())
    #expect(Profile(storedValue: Data()) == nil)
    #expect(Fragile(isBroken: true).storedValue == nil)
    #expect(Profile.StoredValue.self == Data?.self)
    #expect(Profile(storedValue: nil) == nil)
  }
}
