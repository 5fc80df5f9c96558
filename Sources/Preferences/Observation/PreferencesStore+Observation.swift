package import Threading

/// Observing changes.
///
/// An observer is notified of every change of a key's effective value, the one over all layers of
/// the store: by values that are set and registered in this process, by suites that are added and
/// removed, and by what other processes save. A write that leaves the effective value equal is not
/// a change.
///
/// Each observer is notified of one change after the other. Each change begins with the value with
/// which the previous one ended, and the last one ends with the value that the key has. A change
/// that a thread makes is delivered on that thread before the call that makes it returns, unless
/// another thread is just calling the observer and delivers this change as well. A change that an
/// observer makes is delivered after the observer has returned. Changes by other processes are
/// delivered on one thread of the library, for all observers the same.
///
/// A handler that is isolated to the main actor, as those that are written in a `@MainActor` class,
/// is called on the main actor: as described if the change is made there, and otherwise later, in
/// order. A handler of another actor is always called later.
///
/// No lock is held meanwhile: an observer may read, write, save, cancel itself and others, and
/// register new ones.
extension PreferencesStore {
  /// Observes a key.
  ///
  /// ```swift
  /// let observation = store.observe("theme") { change in
  ///   print("from", change.oldValue ?? "none", "to", change.newValue ?? "none")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: Whether the handler is first called, before this returns, with a change from the
  ///     current value to itself.
  ///   - handler: Called with each change, as long as the observation is kept and not canceled.
  public func observe(
    _ key: String, initial: Bool = false,
    @_inheritActorContext
    _ handler: @escaping @isolated(any) @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    observe([key], initial: initial, handler)
  }

  /// Observes several keys.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether the handler is first called, before this returns, with a change of each
  ///     key from its current value to itself.
  ///   - handler: Called with each change, as long as the observation is kept and not canceled.
  public func observe(
    _ keys: [String], initial: Bool = false,
    @_inheritActorContext
    _ handler: @escaping @isolated(any) @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    let (isolation, handler) = (Isolation(handler.isolation), Isolation.erase(handler))
    return observe(keys, initial: initial, on: isolation) { change, _ in handler(change) }
  }

  /// Observes several keys.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the handler is called.
  ///   - handler: Receives each change, and whether it was made within
  ///     ``Propagation/suppressNotifications(_:)``.
  package func observe(
    _ keys: [String], initial: Bool, on isolation: Isolation = .none,
    _ handler: @escaping @Sendable (PreferencesChange, _ isSuppressed: Bool) -> Void
  ) -> PreferencesObservation {
    searchList.register(
      Observer(on: isolation, handler: handler), keys: keys.uniqueByBytes, initial: initial)
  }

  /// Observes all keys.
  ///
  /// - Parameter handler: Called with each change, as long as the observation is kept and not
  ///   canceled.
  public func observeAll(
    @_inheritActorContext
    _ handler: @escaping @isolated(any) @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    searchList.register(
      Observer(on: Isolation(handler.isolation), Isolation.erase(handler)), keys: nil)
  }

  /// The changes of a key from this call on.
  ///
  /// ```swift
  /// for await change in store.changes(forKey: "theme", initial: true) {
  ///   print(change.newValue ?? "none")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: Whether the first element is a change from the current value to itself.
  ///   - buffering: What happens to changes for which no task is waiting.
  public func changes(
    forKey key: String, initial: Bool = false,
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    changes(forKeys: [key], initial: initial, buffering: buffering)
  }

  /// The changes of several keys from this call on.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether the first elements are changes of each key from its current value to
  ///     itself.
  ///   - buffering: What happens to changes for which no task is waiting.
  public func changes(
    forKeys keys: [String], initial: Bool = false,
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    PreferencesChanges(
      stream: AsyncStream(buffering) {
        searchList.register($0, keys: keys.uniqueByBytes, initial: initial)
      })
  }

  /// The changes of all keys from this call on.
  ///
  /// - Parameter buffering: What happens to changes for which no task is waiting.
  public func changes(
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    PreferencesChanges(stream: AsyncStream(buffering) { searchList.register($0, keys: nil) })
  }
}
