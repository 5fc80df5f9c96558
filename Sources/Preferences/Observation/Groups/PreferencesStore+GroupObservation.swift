internal import Threading

/// Observing keys whose values belong together.
extension PreferencesStore {
  /// Observes several keys as a group: the handler is called once for all of them that change at one
  /// moment, with the values that all keys of the group have before and after that.
  ///
  /// Keys change at one moment when they are set by ``set(_:removing:)``, ``setAny(_:removing:)`` or
  /// an update, when all values of a domain are replaced, and when a file that another process has
  /// saved is read. Otherwise this is like ``observe(_:initial:_:)-([String],_,_)``, in the order of
  /// the calls and the threads on which they are made.
  ///
  /// ```swift
  /// let observation = store.observeGroup(["host", "port"]) { change in
  ///   let new = change.newValues
  ///   connect(to: new.string(forKey: "host"), port: new.integer(forKey: "port"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether the handler is first called, before this returns, with a change from the
  ///     current values to themselves.
  ///   - handler: Called with each change, as long as the observation is kept and not canceled.
  public func observeGroup(
    _ keys: [String], initial: Bool = false,
    @_inheritActorContext
    _ handler: @escaping @isolated(any) @Sendable (PreferencesGroupChange) -> Void
  ) -> PreferencesObservation {
    let observer = GroupObserver(on: Isolation(handler.isolation), Isolation.erase(handler))
    return searchList.register(observer, group: keys.uniqueByBytes, initial: initial)
  }

  /// The changes of a group of keys from this call on, as ``observeGroup(_:initial:_:)`` delivers
  /// them.
  ///
  /// ```swift
  /// for await change in store.changes(forGroup: ["width", "height"]) { layOut(change.newValues) }
  /// ```
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether the first element is a change from the current values to themselves.
  ///   - buffering: What happens to changes for which no task is waiting.
  public func changes(
    forGroup keys: [String], initial: Bool = false,
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesGroupChanges {
    PreferencesGroupChanges(
      stream: AsyncStream(buffering) {
        searchList.register($0, group: keys.uniqueByBytes, initial: initial)
      })
  }
}
