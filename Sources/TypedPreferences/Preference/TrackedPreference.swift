internal import Observation
internal import Preferences
internal import Synchronization
internal import Threading

/// A preference as the Observation framework sees it.
///
/// The store is observed from the moment in which a tracking first depends on the preference: one that
/// nobody tracks costs those who set it nothing.
final class TrackedPreference: Observable, Sendable {
  private let name: String
  private let registrar = ObservationRegistrar()
  private let probe: Probe
  /// Made once: to make a key path costs more than all the rest.
  private let path: any KeyPath<TrackedPreference, Void> & Sendable
  private let isObserved = Atomic(false)
  private let observation = Lock<PreferencesObservation?>(nil)

  init(_ name: String) {
    self.name = name
    let probe = Probe()
    self.probe = probe
    path = \TrackedPreference.[probe]
  }

  /// Finds out whether a key path is being put down by a tracking: that takes its hash.
  private final class Probe: Hashable, Sendable {
    let isHashed = Atomic(false)

    static func == (left: Probe, right: Probe) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
      isHashed.store(true, ordering: .relaxed)
      hasher.combine(ObjectIdentifier(self))
    }
  }

  /// What stands for the value. It holds nothing.
  private subscript(probe: Probe) -> Void { () }

  /// Notes that the tracking of this thread depends on the preference, if there is a tracking.
  @inline(__always)
  func access(in store: PreferencesStore) {
    registrar.access(self, keyPath: path)
    if probe.isHashed.load(ordering: .relaxed), !isObserved.load(ordering: .acquiring) {
      observe(store)
    }
  }

  /// Has the trackings hear of changes from now on.
  private func observe(_ store: PreferencesStore) {
    // Of two threads that come here both observe, and the first one stops when the second has begun.
    let new = store.observe(name) { [weak self] _ in
      guard let self else { return }
      registrar.withMutation(of: self, keyPath: path) {}
    }
    let old = observation.withLock { observation in
      defer { observation = new }
      return observation
    }
    isObserved.store(true, ordering: .releasing)
    old?.cancel()
  }
}
