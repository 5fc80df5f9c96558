import Foundation
import Preferences
import PropertyList
import TestSupport
import Testing
import TypedPreferences

@Suite("Limits of a declared key")
struct PreferenceTraitTests {
  private let store = PreferencesStore.inMemory()
  private let log = ErrorLog()

  private func key<Value: Codable & SendableMetatype>(
    _ value: Value, _ trait: PreferenceTrait<Value>
  ) -> PreferenceKey<Value> {
    PreferenceKey(log.key, default: value, trait, .unit("columns"), store: store)
  }

  @Test("A value outside of the range is not stored, and the error has the text of the manifest")
  func storing() throws {
    let key = key(4, .range(1...16))
    try key.store(16)
    let error = #expect(throws: TypedPreferenceError.self) { try key.store(17) }
    #expect(
      "\(try #require(error))"
        == "InMemory, \(log.key): cannot be stored: expected 1 to 16 columns")
    store[key] = 0
    #expect(log.messages == ["cannot be stored: expected 1 to 16 columns"])
    #expect(store[key] == 16)
    key.reset()
    #expect(store[key] == 4)
  }

  @Test("A stored value outside of the range is read as the default, reported once and kept")
  func reading() throws {
    let key = key(4, .range(1...16))
    store.set(40, forKey: log.key)
    for _ in 0..<2 { #expect(store[key] == 4) }
    #expect(log.messages == ["cannot be read: expected 1 to 16 columns"])
    #expect(store.integer(forKey: log.key) == 40)
    #expect(throws: TypedPreferenceError.self) { try key.load() }
    store.set(8, forKey: log.key)
    #expect(store[key] == 8)
  }

  @Test("Half-open ranges, optionals, lists, patterns and counts are limits as well")
  func kinds() {
    func refusal<Value: Codable & SendableMetatype>(
      of value: Value, default fallback: Value, _ trait: PreferenceTrait<Value>
    ) -> String? {
      do {
        try PreferenceKey("k", default: fallback, trait, store: .inMemory()).store(value)
        return nil
      } catch { return "\(error)".replacing("InMemory, k: cannot be stored: ", with: "") }
    }
    #expect(refusal(of: -1, default: 0, .range(0...)) == "expected at least 0")
    #expect(refusal(of: 1.5, default: 0, .range(...1.0)) == "expected at most 1.0")
    #expect(refusal(of: 9, default: nil, PreferenceTrait<Int?>.range(0...8)) == "expected 0 to 8")
    #expect(refusal(of: nil, default: 1, PreferenceTrait<Int?>.range(0...8)) == nil)
    #expect(
      refusal(of: "c", default: "a", .values(["a", "b"])) == #"expected "a" or "b""#)
    #expect(
      refusal(of: "A1", default: "a", .format("[a-z]+"))
        == "expected a text that matches the pattern [a-z]+")
    #expect(refusal(of: [1, 2, 3], default: [], .count(0...2)) == "expected 0 to 2 elements")
    #expect(refusal(of: Set([1, 2]), default: [], .count(0...2)) == nil)
  }

  @Test("A default outside of the limits is reported and not registered")
  func wrongDefault() {
    let key = key(40, .range(1...16))
    #expect(store[key] == 40)
    #expect(!store.containsValue(forKey: log.key))
    #expect(log.messages == ["cannot be stored: expected 1 to 16 columns"])
  }

  @Test("Values of any Codable type are stored as property lists have them, and sets in order")
  func forms() {
    enum Theme: String, Codable { case dark, light }
    struct Size: Codable { var width = 1 }
    func stored<Value: Codable & SendableMetatype>(_ value: Value) -> PlistValue? {
      let key = PreferenceKey("k", default: value, store: store)
      store[key] = value
      return store.plistValue(forKey: "k")
    }
    #expect(stored(Theme.light) == "light")
    #expect(stored([Theme.light]) == ["light"])
    #expect(stored(Size()) == ["width": 1])
    #expect(stored(Set<Theme>([.light, .dark])) == ["dark", "light"])
    #expect(stored(Theme?.some(.dark)) == "dark")
    #expect(stored(["a": Size(width: 2)]) == ["a": ["width": 2]])
  }
}
