public import PropertyList

/// Values for the Observation framework.
extension PreferencesStore {
  /// The value of a key, whose next change `withObservationTracking` and `Observations` notice.
  ///
  /// It costs more than ``plistValue(forKey:)``, whose changes they do not notice.
  ///
  /// ```swift
  /// withObservationTracking {
  ///   print(store.observableValue(forKey: "theme") ?? "none")
  /// } onChange: {
  ///   print("the theme is about to change, or has just changed")
  /// }
  /// ```
  public func observableValue(forKey key: String) -> PlistValue? {
    // Registered first, so that a change between the two steps is noticed.
    let tracker = companion(of: key) { Tracker() }
    if tracker.access() {
      tracker.keep(observe([key], initial: false) { [weak tracker] _, _ in tracker?.notify() })
    }
    return plistValue(forKey: key)
  }
}
