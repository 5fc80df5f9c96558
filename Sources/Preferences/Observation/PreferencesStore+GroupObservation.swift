internal import PropertyList
internal import Threading

/// Observing keys whose values belong together.
extension PreferencesStore {
  /// Observes several keys as a group. Keys that change together lead to one call, with the values
  /// of all keys before and after the change.
  ///
  /// Keys change together when they are set by ``set(_:removing:)``, ``setAny(_:removing:)`` or an
  /// update, when all values of a domain are replaced, and when changes by another process are
  /// read. The order and threads of calls are as for ``observe(_:initial:_:)-([String],_,_)``.
  ///
  /// ```swift
  /// let observation = store.observeGroup(["host", "port"]) { change in
  ///   let new = change.newValues
  ///   connect(to: new.string(forKey: "host"), port: new.integer(forKey: "port"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - keys: The keys of the group.
  ///   - initial: Whether the handler is first called, before this returns, with a change from the
  ///     current values to themselves.
  ///   - handler: Called with each change until the observation is canceled or released.
  public func observeGroup(
    _ keys: [String], initial: Bool = false,
    @_inheritActorContext
    _ handler: @escaping @isolated(any) @Sendable (PreferencesGroupChange) -> Void
  ) -> PreferencesObservation {
    let observer = GroupObserver(on: Isolation(handler.isolation), Isolation.erase(handler))
    return searchList.register(observer, group: keys.uniqueByBytes, initial: initial)
  }

  /// The changes of a group of keys from this call on; see ``observeGroup(_:initial:_:)``.
  ///
  /// ```swift
  /// for await change in store.changes(forGroup: ["width", "height"]) { layOut(change.newValues) }
  /// ```
  ///
  /// - Parameters:
  ///   - keys: The keys of the group.
  ///   - initial: Whether the first element is a change from the current values to themselves.
  ///   - buffering: How changes are buffered while no task is waiting for one.
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
