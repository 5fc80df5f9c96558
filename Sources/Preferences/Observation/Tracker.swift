internal import Observation
internal import Synchronization
internal import Threading

/// A value that the Observation framework tracks.
///
/// Its changes are observed only once a tracking scope has read it, so that a value that is not
/// tracked costs nothing.
package final class Tracker: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let probe: Probe
  /// Stored because creating a key path costs more than everything else here.
  private let path: any KeyPath<Tracker, Void> & Sendable
  private let isObserved = Atomic(false)
  private let observation = Lock<PreferencesObservation?>(nil)

  package init() {
    let probe = Probe()
    self.probe = probe
    path = \Tracker.[probe]
  }

  /// Detects whether a tracking scope has recorded the key path, which takes its hash.
  private final class Probe: Hashable, Sendable {
    let isHashed = Atomic(false)

    static func == (left: Probe, right: Probe) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
      isHashed.store(true, ordering: .relaxed)
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// The property that the key path refers to instead of the value.
  private subscript(probe: Probe) -> Void { () }

  /// Records that the current tracking scope, if there is one, depends on the value.
  ///
  /// - Returns: Whether a scope depends on the value and ``keep(_:)`` has not been called, which
  ///   then has to be done before the value is read.
  @discardableResult
  package func access() -> Bool {
    registrar.access(self, keyPath: path)
    return probe.isHashed.load(ordering: .relaxed) && !isObserved.load(ordering: .acquiring)
  }

  /// Keeps an observation of the value that calls ``notify()``.
  package func keep(_ new: PreferencesObservation) {
    // Of those that several threads begin at the same time the first one stays, which may already
    // have received changes. The others are canceled outside the lock.
    observation.withLock { observation in if observation == nil { observation = new } }
    isObserved.store(true, ordering: .releasing)
  }

  /// Notifies the scopes that depend on the value of a change.
  package func notify() {
    registrar.withMutation(of: self, keyPath: path) {}
  }
}
