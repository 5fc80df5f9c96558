public import Foundation
public import Preferences
import Testing

/// Preferences of a dictionary, as a test would write them.
private final class Mock: KeyValuePreferences {
  var values: [String: Any] = [:]
  func object(forKey key: String) -> Any? { values[key] }
  func set(_ value: Any?, forKey key: String) { values[key] = value }
  func removeObject(forKey key: String) { values[key] = nil }
}

extension Foundation.UserDefaults: KeyValuePreferences {}

@Suite("Preferences that a test can replace")
struct KeyValuePreferencesTests {
  /// Code that does not know which preferences it has.
  private func use(_ preferences: any KeyValuePreferences) -> [String] {
    preferences.set(5, forKey: "int")
    preferences.set(1.5, forKey: "double")
    preferences.set(Float(0.5), forKey: "float")
    preferences.set(true, forKey: "bool")
    preferences.set("7 up", forKey: "text")
    preferences.set(["a", "b"], forKey: "list")
    preferences.set(["a": 1], forKey: "entries")
    preferences.set(Data([1]), forKey: "data")
    preferences.set(URL(fileURLWithPath: "/a"), forKey: "url")
    preferences.set("gone", forKey: "gone")
    preferences.removeObject(forKey: "gone")
    preferences.set(URL?.none, forKey: "text2")
    return [
      "\(preferences.integer(forKey: "int")) \(preferences.integer(forKey: "text"))",
      "\(preferences.double(forKey: "double")) \(preferences.float(forKey: "float"))",
      "\(preferences.bool(forKey: "bool")) \(preferences.bool(forKey: "none"))",
      "\(preferences.string(forKey: "text") ?? "") \(preferences.string(forKey: "int") ?? "")",
      "\(preferences.array(forKey: "list")?.count ?? 0)",
      "\(preferences.stringArray(forKey: "list") ?? [])",
      "\(preferences.dictionary(forKey: "entries")?["a"] as? Int ?? 0)",
      "\(preferences.data(forKey: "data") ?? Data())",
      "\(preferences.url(forKey: "url")?.path ?? "")",
      "\(preferences.object(forKey: "gone") == nil) \(preferences.object(forKey: "text2") == nil)",
      "\(preferences.object(forKey: "int") as? Int ?? 0)",
    ]
  }

  @Test("A mock of three methods gives the same values as a store")
  func mock() {
    let mock = Mock()
    let results = use(mock)
    #expect(results == use(PreferencesStore.inMemory()))
    #expect(results.first == "5 7")
    #expect(mock.values.count == 9)
  }

  @Test("Foundation's class conforms with one line")
  func foundation() {
    let preferences: any KeyValuePreferences = Foundation.UserDefaults.standard
    #expect(preferences.object(forKey: "a key that nobody has set") == nil)
  }
}
