public import Preferences
internal import TypedPreferences

/// Asynchronous sequences of values.
extension Defaults {
  /// Returns a sequence of the value of a key after each change.
  ///
  /// ```swift
  /// for await quality in Defaults.updates(.quality) {
  ///   print(quality)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: Whether the first element is the present value.
  ///   - buffering: How values are buffered until the iteration reaches them.
  public static func updates<Value: Serializable>(
    _ key: Key<Value>, initial: Bool = true, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<Value> {
    let preference = key.preference.resolved
    return Updates(of: [key], initial: initial, buffering) { preference.value(of: $0[0]) }
  }

  /// Returns a sequence of the values of several keys after each change of any of them.
  ///
  /// ```swift
  /// for await (name, quality) in Defaults.updates(.name, .quality) {
  ///   print(name, quality)
  /// }
  /// ```
  ///
  /// One key changes from one element to the next, so if all keys are in the same suite, the values
  /// of an element were all current at the same time.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether the first element holds the present values.
  ///   - buffering: How values are buffered until the iteration reaches them.
  public static func updates<each Value: Serializable>(
    _ keys: repeat Key<each Value>, initial: Bool = true,
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<(repeat each Value)> {
    var all: [_AnyKey] = []
    for key in repeat each keys { all.append(key) }
    let preferences = (repeat (each keys).preference.resolved)
    return Updates(of: all, initial: initial, buffering) { stored in
      var position = 0
      func next<One>(_ preference: TypedPreference<One>) -> One {
        defer { position += 1 }
        return preference.value(of: stored[position])
      }
      return (repeat next(each preferences))
    }
  }

  /// Returns a sequence of an element for each change of any of several keys.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether there is an element at the start.
  ///   - buffering: How elements are buffered until the iteration reaches them.
  public static func updates(
    _ keys: [_AnyKey], initial: Bool = true, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> Updates<Void> {
    Updates(of: keys, initial: initial, buffering) { _ in }
  }
}
