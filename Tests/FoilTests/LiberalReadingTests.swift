import Foil
import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("Values that other libraries have stored for a type are read")
struct LiberalReadingTests {
  /// Expects that both wrappers read a stored value without an error.
  private func check<Value: UserDefaultsSerializable & Equatable>(
    _ stored: PlistValue, is value: Value, default first: Value,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let (log, store) = (ErrorLog(), PreferencesStore.inMemory())
    store.set(stored, forKey: log.key)
    let wrapper = FoilDefaultStorage(
      wrappedValue: first, key: log.key, userDefaults: store)
    let optional = FoilDefaultStorageOptional<Value>(key: log.key, userDefaults: store)
    #expect(wrapper.wrappedValue == value, sourceLocation: location)
    #expect(optional.wrappedValue == value, sourceLocation: location)
    #expect(log.messages == [], sourceLocation: location)
  }

  private let json = #"{"level":2,"name":"Ada","quality":1}"#
  private let profile = Profile(name: "Ada", level: 2, quality: .high)

  @Test("Codable: JSON as data or text, or a native property list")
  func codable() {
    check(.data(Data(json.utf8)), is: profile, default: Profile())
    check(.string(json), is: profile, default: Profile())
    check(["level": 2, "name": "Ada", "quality": 1], is: profile, default: Profile())
  }

  @Test("Containers of Codable: each element in any of these forms")
  func containers() {
    check(
      [.string(json), .data(Data(json.utf8)), ["level": 2, "name": "Ada", "quality": 1]],
      is: [profile, profile, profile], default: [])
    check([.string(json)], is: Set([profile]), default: [])
    check(["a": .string(json)], is: ["a": profile], default: [:])
  }

  @Test("RawRepresentable: the raw value, or JSON of it")
  func raw() {
    check("dark", is: Theme.dark, default: .light)
    check(#""dark""#, is: Theme.dark, default: .light)
    check(.data(Data(#""dark""#.utf8)), is: Theme.dark, default: .light)
    check("1", is: Quality.high, default: .low)
    check(["1", 0], is: [Quality.high, .low], default: [])
  }

  @Test("A type with its own implementation: Codable forms that it does not read itself")
  func own() {
    check(#"{"size":4}"#, is: Versioned(size: 4), default: Versioned(size: 0))
    check(["size": 4], is: VersionedData(size: 4), default: VersionedData(size: 0))
  }

  @Test("Arguments of the command line: as the type of the property")
  func arguments() {
    let store = PreferencesStore.inMemory()
    store.setVolatileDomain(
      ["flag": "YES", "count": "12", "ratio": "0.5", "theme": "dark", "quality": "1"],
      forName: PreferencesStore.argumentDomain)
    @FoilDefaultStorage(key: "flag", userDefaults: store) var flag = false
    @FoilDefaultStorage(key: "count", userDefaults: store) var count = 0
    @FoilDefaultStorage(key: "ratio", userDefaults: store) var ratio = 0.0
    @FoilDefaultStorage(key: "theme", userDefaults: store) var theme = Theme.light
    @FoilDefaultStorageOptional(key: "quality", userDefaults: store) var quality: Quality?
    #expect(flag)
    #expect(count == 12)
    #expect(ratio == 0.5)
    #expect(theme == .dark)
    #expect(quality == .high)
  }
}
