import Foil
import Foundation

#if os(Linux)
  extension Foundation.UserDefaults: @retroactive KeyValuePreferences {}

  /// Preferences of a test.
  final class MockPreferences: KeyValuePreferences {
    private var values: [String: Any] = [:]

    func object(forKey key: String) -> Any? { values[key] }
    func set(_ value: Any?, forKey key: String) { values[key] = value }
    func removeObject(forKey key: String) { values[key] = nil }
  }

  /// Code whose preferences a test can replace.
  func isFirstStart(_ preferences: some KeyValuePreferences) -> Bool {
    defer { preferences.set(preferences.integer(forKey: "starts") + 1, forKey: "starts") }
    return preferences.integer(forKey: "starts") == 0
  }
#endif
