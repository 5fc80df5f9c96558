@testable import Preferences

extension PreferencesStore {
  /// Whether the store has observers.
  var isObserved: Bool {
    let observers = Mirror(reflecting: searchList).descendant("observers")
    return (observers as? ObserverList)?.isEmpty == false
  }
}
