public import PropertyList

/// Values for the Observation framework.
extension PreferencesStore {
  /// The value of a key, whose next change `withObservationTracking` and `Observations` notice.
  ///
  /// It costs more than ``plistValue(forKey:)``, which they do not.
  ///
  /// ```swift
  /// withObservationTracking {
  ///   print(store.observableValue(forKey: "theme") ?? "none")
  /// } onChange: {
  ///   print("the theme is about to be another one, or is already")
  /// }
  /// ```
  public func observableValue(forKey key: String) -> PlistValue? {
    // First, so that no change between the two goes unnoticed.
    trackedValues.access(key, of: searchList)
    return plistValue(forKey: key)
  }
}
