public import PropertyList

extension PreferencesStore {
  /// The value of a key, tracked by `withObservationTracking` and `Observations`.
  ///
  /// This costs more than ``plistValue(forKey:)``, which is not tracked.
  ///
  /// ```swift
  /// withObservationTracking {
  ///   print(store.observableValue(forKey: "theme") ?? "none")
  /// } onChange: {
  ///   print("the theme is about to change, or has just changed")
  /// }
  /// ```
  public func observableValue(forKey key: String) -> PlistValue? {
    // Observed first, so that no change between the two steps is missed.
    let tracker = companion(of: key) { Tracker() }
    if tracker.access() {
      tracker.keep(observe([key], initial: false) { [weak tracker] _, _ in tracker?.notify() })
    }
    return plistValue(forKey: key)
  }
}
