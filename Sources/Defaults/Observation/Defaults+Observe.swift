public import Foundation
internal import Preferences
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
  /// A closure that is isolated to the main actor, such as one written in a `@MainActor` class, is
  /// called on the main actor: before the setter returns if the change is made there, and otherwise
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

  /// Calls a closure after each change of the value of a key, in the store that the key has when
  /// the observation begins.
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

  /// Runs a closure whose changes are not reported to observers, subscribers and sequences.
  ///
  /// Closures of ``observe(_:options:handler:)``, subscribers of ``publisher(_:options:)`` and
  /// loops over `updates` use it to change the keys that they observe. Only changes that this
  /// thread makes within the closure are suppressed; changes of other threads at the same time are
  /// reported. The next reported change has the value set here as its old value, and the next
  /// element of a sequence of several keys also has it.
  ///
  /// The values of ``Default`` and the Observation framework are not affected, since they reflect
  /// the current value.
  public static func withoutPropagation<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try Propagation.suppressNotifications(body)
  }

  /// A call that an observer receives in addition to one for each change.
  public enum ObservationOption: Sendable {
    /// A call with the present value, before the method that starts the observation returns.
    case initial
    /// Two calls for each change, the first of them with ``KeyChange/isPrior``.
    ///
    /// Both calls follow the change, one right after the other: the first one also reads the new
    /// value.
    case prior
  }

  /// The calls that an observer receives in addition to one for each change.
  public typealias ObservationOptions = Set<ObservationOption>

  /// A change of the value of a key.
  public struct KeyChange<Value: Serializable> {
    /// The kind of the change.
    public let kind: ChangeKind
    /// The positions of changed elements; nil, because a key always changes as a whole.
    public var indexes: IndexSet? { nil }
    /// Whether this is the first of two calls for the change.
    public let isPrior: Bool
    /// The value before the change; in an initial call the present value.
    public let oldValue: Value
    /// The value after the change.
    public let newValue: Value
  }

  /// The kinds of changes of key-value observing.
  public enum ChangeKind: Sendable {
    /// A value was set, removed or registered. Changes of keys are always of this kind.
    case setting
    /// An element was inserted into a collection.
    case insertion
    /// An element was removed from a collection.
    case removal
    /// An element of a collection was replaced.
    case replacement
  }
}

extension Defaults.KeyChange: Sendable where Value: Sendable {}

extension Defaults.KeyChange: Equatable where Value: Equatable {}
