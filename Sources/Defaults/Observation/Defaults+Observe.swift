/// Calling closures.
extension Defaults {
  /// Calls the closure with each change of a key's value, in the key's suite.
  ///
  /// A change is one of what the store has for the key, whoever makes it: this process through the key or
  /// through the store, or another process. It is told on the thread that makes it, before that goes on,
  /// unless the closure is being called at the time, which then comes first; where another process makes
  /// it, on a thread of the library. Calls do not overlap, and no lock is held
  /// meanwhile: the closure may read, write, observe, and end observations.
  ///
  /// ```swift
  /// let observation = Defaults.observe(.quality) { change in
  ///   print("from", change.oldValue, "to", change.newValue)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - options: Which calls there are besides.
  ///   - handler: Is called as long as what is returned is kept and not invalidated, but not for what is
  ///     changed within ``withoutPropagation(_:)``.
  @preconcurrency
  public static func observe<Value: Serializable>(
    _ key: Key<Value>, options: ObservationOptions = [.initial],
    handler: @escaping @Sendable (KeyChange<Value>) -> Void
  ) -> any Observation {
    let preference = key.preference
    return KeyObservation(of: [key], options) { change, isPrior in
      handler(
        KeyChange(
          kind: .setting, isPrior: isPrior, oldValue: preference.value(of: change.oldValue),
          newValue: preference.value(of: change.newValue)))
    }
  }

  /// Calls the closure with each change of the value of any of these keys, and with
  /// ``ObservationOptions/initial`` first for each of them.
  ///
  /// Calls for keys of the same suite do not overlap.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - options: Which calls there are besides.
  ///   - handler: Is called as long as what is returned is kept and not invalidated, but not for what is
  ///     changed within ``withoutPropagation(_:)``.
  @preconcurrency
  public static func observe(
    keys: _AnyKey..., options: ObservationOptions = [.initial],
    handler: @escaping @Sendable () -> Void
  ) -> any Observation {
    observe(keys: keys, options: options, handler: handler)
  }

  /// The same for a list of keys.
  @preconcurrency
  public static func observe(
    keys: [_AnyKey], options: ObservationOptions = [.initial],
    handler: @escaping @Sendable () -> Void
  ) -> any Observation {
    KeyObservation(of: keys, options) { _, _ in handler() }
  }
}
