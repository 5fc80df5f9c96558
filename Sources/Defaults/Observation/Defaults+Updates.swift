public import Preferences

/// Values as sequences.
extension Defaults {
  /// The value of a key, and then each one that it becomes.
  ///
  /// ```swift
  /// for await quality in Defaults.updates(.quality) {
  ///   print(quality)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: Whether the first is the present value, and not the next one.
  ///   - buffering: What becomes of values for which nobody is waiting.
  public static func updates<Value: Serializable>(
    _ key: Key<Value>, initial: Bool = true, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<Value> {
    let preference = key.preference
    return Updates(of: [key], initial: initial, buffering) { preference.value(of: $0[0]) }
  }

  /// The values of some keys, and then the values of all of them whenever one has become another.
  ///
  /// ```swift
  /// for await (name, quality) in Defaults.updates(.name, .quality) {
  ///   print(name, quality)
  /// }
  /// ```
  ///
  /// From one element to the next a single key changes, so none shows values that were not there at the
  /// same time, as long as all keys are in the same suite.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether the first are the present values, and not the next ones.
  ///   - buffering: What becomes of values for which nobody is waiting.
  public static func updates<each Value: Serializable>(
    _ keys: repeat Key<each Value>, initial: Bool = true,
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<(repeat each Value)> {
    var all: [_AnyKey] = []
    for key in repeat each keys { all.append(key) }
    return Updates(of: all, initial: initial, buffering) { stored in
      var position = 0
      func next<One>(_ key: Key<One>) -> One {
        defer { position += 1 }
        return key.preference.value(of: stored[position])
      }
      return (repeat next(each keys))
    }
  }

  /// An element whenever the value of one of these keys has become another.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether there is one at once.
  ///   - buffering: What becomes of elements for which nobody is waiting.
  public static func updates(
    _ keys: [_AnyKey], initial: Bool = true, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<Void> {
    Updates(of: keys, initial: initial, buffering) { _ in }
  }
}
