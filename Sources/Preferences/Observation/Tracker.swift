internal import Observation
public import PropertyList
internal import Synchronization
internal import Threading

/// A value that the Observation framework tracks.
///
/// Its changes are observed only after a tracking scope has read it, so a value that is not tracked
/// costs nothing.
package final class Tracker: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let probe: Probe
  /// Stored because creating a key path costs more than all other work here.
  private let path: any KeyPath<Tracker, Void> & Sendable
  private let isObserved = Atomic(false)
  private let observation = Lock<PreferencesObservation?>(nil)

  package init() {
    let probe = Probe()
    self.probe = probe
    path = \Tracker.[probe]
  }

  /// Detects whether a tracking scope has recorded, and therefore hashed, the key path.
  private final class Probe: Hashable, Sendable {
    let isHashed = Atomic(false)

    static func == (left: Probe, right: Probe) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
      isHashed.store(true, ordering: .relaxed)
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// Represents the value in the key path.
  private subscript(probe: Probe) -> Void { () }

  /// Makes the current tracking scope, if there is one, depend on the value.
  ///
  /// - Returns: Whether ``keep(_:)`` must be called before the value is read: a scope depends on
  ///   it, and no observation is kept yet.
  @discardableResult
  package func access() -> Bool {
    registrar.access(self, keyPath: path)
    return probe.isHashed.load(ordering: .relaxed) && !isObserved.load(ordering: .acquiring)
  }

  /// Keeps an observation that calls ``notify()``.
  package func keep(_ new: PreferencesObservation) {
    // If several threads do this at once, the first observation stays, because it may already have
    // received changes. The others are canceled without the lock.
    observation.withLock { observation in if observation == nil { observation = new } }
    isObserved.store(true, ordering: .releasing)
  }

  /// Notifies the scopes that depend on the value.
  package func notify() { registrar.withMutation(of: self, keyPath: path) {} }
}

extension PreferencesStore {
  /// The value of a key, tracked by `withObservationTracking` and `Observations`.
  ///
  /// This costs more than ``plistValue(forKey:)``, which is not tracked.
  ///
  /// ```swift
  /// withObservationTracking {
  ///   print(store.observableValue(forKey: "theme") ?? "none")
  /// } onChange: {
  ///   print("the theme is about to change, or has just changed")
  /// }
  /// ```
  public func observableValue(forKey key: String) -> PlistValue? {
    // Observed first, so that no change between the two steps is missed.
    let tracker = companion(of: key) { Tracker() }
    if tracker.access() {
      tracker.keep(observe([key], initial: false) { [weak tracker] _, _ in tracker?.notify() })
    }
    return plistValue(forKey: key)
  }
}
