public import Preferences

/// Resetting keys to their defaults.
///
/// Observers of each key are notified. Registered defaults stay, and so do the layers other than
/// the suite's own domain.
extension Defaults {
  /// Removes the stored values of keys, so that they have their defaults.
  public static func reset(_ keys: _AnyKey...) {
    reset(keys)
  }

  /// Removes the stored values of keys, so that they have their defaults.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - suite: Without effect, for compatibility: each key is reset in its own suite.
  public static func reset(_ keys: _AnyKey..., suite: PreferencesStore) {
    reset(keys)
  }

  /// Removes the stored values of keys, so that they have their defaults.
  public static func reset(_ keys: [_AnyKey]) {
    for key in keys { key.reset() }
  }

  /// Removes the stored values of the keys with these names.
  public static func reset(_ names: String..., suite: PreferencesStore = .standard) {
    reset(names, suite: suite)
  }

  /// Removes the stored values of the keys with these names.
  public static func reset(_ names: [String], suite: PreferencesStore = .standard) {
    for name in names { suite.removeObject(forKey: name) }
  }

  /// Removes all stored values of a suite.
  public static func removeAll(suite: PreferencesStore = .standard) {
    suite.removeAll()
  }
}
