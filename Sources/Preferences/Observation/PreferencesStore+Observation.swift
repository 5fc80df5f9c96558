/// Hearing of changes.
///
/// An observer hears of every change of the value that a key has over all layers of the store: of what is
/// set and registered in this process, of suites that are added, and of what other processes save. A
/// write that leaves that value equal is no change.
///
/// It hears of one change after the other, each from the value with which the one before it ended, and
/// the last one ends with the value that the key has. What a thread changes, it hears of on that thread
/// before the call that changes it returns, unless another thread is just calling the observer, which
/// then tells it of this, too; and what an observer itself changes is told when its own call has
/// returned. What other processes change is told on a thread of the library, for all observers the same.
///
/// No lock is held meanwhile: an observer may read, write, save, cancel itself and others, and register
/// new ones.
extension PreferencesStore {
  /// Calls the closure with each change of a key.
  ///
  /// ```swift
  /// let observation = store.observe("theme") { change in
  ///   print("from", change.oldValue ?? "none", "to", change.newValue ?? "none")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: Whether it is first called, before this returns, with a change from the present value
  ///     to the same.
  ///   - handler: Is called as long as what is returned is kept and not canceled.
  public func observe(
    _ key: String, initial: Bool = false,
    _ handler: @escaping @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    observe([key], initial: initial, handler)
  }

  /// Calls the closure with each change of any of these keys.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether it is first called, before this returns, with a change for each key from the
  ///     present value to the same.
  ///   - handler: Is called as long as what is returned is kept and not canceled.
  public func observe(
    _ keys: [String], initial: Bool = false,
    _ handler: @escaping @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    observe(keys, initial: initial, hearsMuted: true, handler)
  }

  /// The same.
  ///
  /// - Parameter hearsMuted: Whether the observer hears of what is changed within
  ///   ``Propagation/mute(_:)``.
  package func observe(
    _ keys: [String], initial: Bool, hearsMuted: Bool,
    _ handler: @escaping @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    observe(Observer(hearsMuted: hearsMuted, handler), keys: keys.uniqueByBytes, initial: initial)
  }

  /// Calls the closure with each change of any key.
  ///
  /// - Parameter handler: Is called as long as what is returned is kept and not canceled.
  public func observeAll(
    _ handler: @escaping @Sendable (PreferencesChange) -> Void
  ) -> PreferencesObservation {
    observe(Observer(handler), keys: nil, initial: false)
  }

  func observe(
    _ observer: Observer, keys: [String]?, initial: Bool
  ) -> PreferencesObservation {
    searchList.add(observer, keys: keys, initial: initial)
    return PreferencesObservation(searchList, observer, keys: keys)
  }

  /// The changes of a key, one after another, from this call on.
  ///
  /// ```swift
  /// for await change in store.changes(of: "theme", initial: true) {
  ///   print(change.newValue ?? "none")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - initial: Whether the first is one from the present value to the same.
  ///   - buffering: What becomes of changes for which nobody is waiting.
  public func changes(
    of key: String, initial: Bool = false, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    PreferencesChanges(self, keys: [key], initial: initial, buffering)
  }

  /// The changes of any of these keys, one after another, from this call on.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - initial: Whether there is first one for each key from the present value to the same.
  ///   - buffering: What becomes of changes for which nobody is waiting.
  public func changes(
    of keys: [String], initial: Bool = false, buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    PreferencesChanges(self, keys: keys.uniqueByBytes, initial: initial, buffering)
  }

  /// The changes of any key, one after another, from this call on.
  ///
  /// - Parameter buffering: What becomes of changes for which nobody is waiting.
  public func changes(
    buffering: PreferencesChanges.Buffering = .unbounded
  ) -> PreferencesChanges {
    PreferencesChanges(self, keys: nil, initial: false, buffering)
  }
}

extension [String] {
  /// The keys, each once.
  fileprivate var uniqueByBytes: [String] {
    var seen = Set<ByteKey>()
    return filter { seen.insert(ByteKey($0)).inserted }
  }
}
