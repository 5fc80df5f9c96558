@testable import Preferences

extension PreferencesStore {
  /// Whether any observer of the store is registered.
  var isObserved: Bool { searchList.hasObservers }
}
