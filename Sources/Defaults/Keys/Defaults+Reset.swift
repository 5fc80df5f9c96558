public import Preferences

/// Going back to defaults.
///
/// What is removed is told to observers of each key; what is registered stays, and so do the layers other
/// than the suite's own.
extension Defaults {
  /// Removes what is stored under these keys, so that they have their defaults.
  public static func reset(_ keys: _AnyKey...) {
    reset(keys)
  }

  /// Removes what is stored under these keys, so that they have their defaults.
  public static func reset(_ keys: [_AnyKey]) {
    for key in keys { key.reset() }
  }

  /// Removes what is stored under keys of these names.
  public static func reset(_ names: String..., suite: PreferencesStore = .standard) {
    reset(names, suite: suite)
  }

  /// Removes what is stored under keys of these names.
  public static func reset(_ names: [String], suite: PreferencesStore = .standard) {
    for name in names { suite.removeObject(forKey: name) }
  }

  /// Removes all that is stored in a suite.
  public static func removeAll(suite: PreferencesStore = .standard) {
    suite.removeAll()
  }
}
