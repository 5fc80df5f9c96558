internal import Threading
internal import TypedPreferences

/// Observers.
extension Defaults {
  /// Calls a closure after each change of the value of a key, in the key's suite.
  ///
  /// Changes through the key, directly through the store, and by other processes are reported. The
  /// closure is called on the thread that makes the change, before the setter returns, or on a
  /// thread of the library for changes by other processes. Calls do not overlap: a change made
  /// during a call is reported after it. No lock is held, so the closure may read, write, and start
  /// and end observations.
  ///
  /// A closure that is isolated to the main actor, as those that are written in a `@MainActor`
  /// class, is called on the main actor: as described if the change is made there, and otherwise
  /// later, in order. A closure of another actor is always called later.
  ///
  /// ```swift
  /// let observation = Defaults.observe(.quality) { change in
  ///   print("from", change.oldValue, "to", change.newValue)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - options: The additional calls.
  ///   - handler: The closure. It is not called for changes within ``withoutPropagation(_:)``.
  /// - Returns: The observation, which lasts until it is released or invalidated.
  @preconcurrency
  public static func observe<Value: Serializable>(
    _ key: Key<Value>, options: ObservationOptions = [.initial],
    @_inheritActorContext
    handler: @escaping @isolated(any) @Sendable (KeyChange<Value>) -> Void
  ) -> any Observation {
    let (isolation, handler) = (Isolation(handler.isolation), Isolation.erase(handler))
    return observe(key.observed, key.preference.resolved, options, on: isolation, handler)
  }

  /// Calls a closure after each change of the value of a key in the store that it has at the start.
  static func observe<Value: Serializable>(
    _ key: _AnyKey.Observed, _ preference: TypedPreference<Value>, _ options: ObservationOptions,
    on isolation: Isolation = .none,
    _ handler: @escaping @Sendable (KeyChange<Value>) -> Void
  ) -> KeyObservation {
    KeyObservation(of: [key], options, on: isolation) { change, isPrior in
      handler(
        KeyChange(
          kind: .setting, isPrior: isPrior, oldValue: preference.value(of: change.oldValue),
          newValue: preference.value(of: change.newValue)))
    }
  }

  /// Observes keys that are listed one by one, as the method that takes an array does.
  @preconcurrency
  public static func observe(
    keys: _AnyKey..., options: ObservationOptions = [.initial],
    @_inheritActorContext
    handler: @escaping @isolated(any) @Sendable () -> Void
  ) -> any Observation {
    observe(keys: keys, options: options, handler: handler)
  }

  /// Calls a closure after each change of the value of any of several keys; with
  /// ``ObservationOption/initial`` also at the start, once for each key.
  ///
  /// Calls for keys of the same suite do not overlap.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - options: The additional calls.
  ///   - handler: The closure. It is not called for changes within ``withoutPropagation(_:)``.
  /// - Returns: The observation, which lasts until it is released or invalidated.
  @preconcurrency
  public static func observe(
    keys: [_AnyKey], options: ObservationOptions = [.initial],
    @_inheritActorContext
    handler: @escaping @isolated(any) @Sendable () -> Void
  ) -> any Observation {
    let (isolation, handler) = (Isolation(handler.isolation), Isolation.erase(handler))
    return KeyObservation(of: keys.map(\.observed), options, on: isolation) { _, _ in handler() }
  }
}
