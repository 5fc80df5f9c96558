internal import PropertyList
package import Threading

/// Observing changes.
///
/// An observer is notified of every change of a key's effective value over all layers: by values
/// set or registered in this process, by added or removed suites, and by changes that other
/// processes save. A write that leaves the effective value equal is not a change.
///
/// Each observer receives one change at a time. Each change begins with the value that the previous
/// one ended with, and the last one ends with the current value. A change is delivered on the
/// thread that makes it, before the call that makes it returns, unless another thread is calling
/// the observer and also delivers this change. A change that an observer makes is delivered after
/// the observer returns. Changes by other processes are delivered to all observers on one thread of
/// the library.
///
/// A handler isolated to the main actor, such as one written in a `@MainActor` class, is called on
/// the main actor: before the call returns if the change is made there, otherwise later, in order.
/// A handler of another actor is always called later.
///
/// Observers are called without locks: they may read, write, save, cancel themselves and others,
/// and register new observers.
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
  ///   - key: The key to observe.
  ///   - initial: Whether the handler is first called, before this returns, with a change from the
  ///     current value to itself.
  ///   - handler: Called with each change until the observation is canceled or released.
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
  ///   - keys: The keys to observe.
  ///   - initial: Whether the handler is first called, before this returns, with a change of each
  ///     key from its current value to itself.
  ///   - handler: Called with each change until the observation is canceled or released.
  public func observe(
    _ keys: [String], initial: Bool = false,
    @_inheritActorContext
    _ handler: @escaping @isolated(any) @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    let (isolation, handler) = (Isolation(handler.isolation), Isolation.erase(handler))
    return observe(keys, initial: initial, on: isolation) { change, _ in handler(change) }
  }

  /// Observes several keys. The handler also receives whether the change was made in
  /// ``Propagation/suppressNotifications(_:)``.
  package func observe(
    _ keys: [String], initial: Bool, on isolation: Isolation = .none,
    _ handler: @escaping @Sendable (PreferencesChange, _ isSuppressed: Bool) -> Void
  ) -> PreferencesObservation {
    searchList.register(
      Observer(on: isolation, handler: handler), keys: keys.uniqueByBytes, initial: initial)
  }

  /// Observes all keys.
  ///
  /// - Parameter handler: Called with each change until the observation is canceled or released.
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
  ///   - key: The key to observe.
  ///   - initial: Whether the first element is a change from the current value to itself.
  ///   - buffering: How changes are buffered while no task is waiting for one.
  public func changes(
    forKey key: String, initial: Bool = false,
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    changes(forKeys: [key], initial: initial, buffering: buffering)
  }

  /// The changes of several keys from this call on.
  ///
  /// - Parameters:
  ///   - keys: The keys to observe.
  ///   - initial: Whether the first elements are changes of each key from its current value to itself.
  ///   - buffering: How changes are buffered while no task is waiting for one.
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
  public func changes(
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    PreferencesChanges(stream: AsyncStream(buffering) { searchList.register($0, keys: nil) })
  }

  /// The values now, and again after changes of any key. Several changes while no task is waiting
  /// count as one.
  ///
  /// ```swift
  /// for await snapshot in store.snapshots() { apply(snapshot) }
  /// ```
  ///
  /// The sequence keeps the store, ends when the iterating task is canceled, and can be iterated
  /// once.
  public func snapshots() -> some AsyncSequence<PreferencesSnapshot, Never> & Sendable {
    let signals = AsyncStream(Void.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observation = observeAll { _ in continuation.yield() }
      continuation.onTermination = { _ in observation.cancel() }
      continuation.yield()
    }
    return signals.map { _ in self.snapshot() }
  }
}
