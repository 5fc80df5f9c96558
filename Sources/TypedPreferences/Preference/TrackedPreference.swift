internal import Observation
internal import Preferences
internal import PropertyList
internal import Synchronization
internal import Threading

/// The observable object of a preference for the Observation framework.
///
/// It observes the store only once a tracking scope has read the preference, so that setting a
/// preference that is not tracked costs nothing.
final class TrackedPreference: Observable, Sendable {
  private let name: String
  private let registrar = ObservationRegistrar()
  private let probe: Probe
  /// Stored because creating a key path costs more than everything else here.
  private let path: any KeyPath<TrackedPreference, Void> & Sendable
  private let isObserved = Atomic(false)
  private let observation = Lock<PreferencesObservation?>(nil)

  init(_ name: String) {
    self.name = name
    let probe = Probe()
    self.probe = probe
    path = \TrackedPreference.[probe]
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

  /// The property that the key path refers to in place of the value.
  private subscript(probe: Probe) -> Void { () }

  /// Records that the current tracking scope, if there is one, depends on the preference.
  ///
  /// - Parameter isSame: Returns whether a change between two stored forms, which differ, is none of
  ///   the value; nil if every change is.
  @inline(__always)
  func access(
    in store: PreferencesStore,
    unless isSame: @autoclosure () -> (@Sendable (PlistValue?, PlistValue?) -> Bool)?
  ) {
    registrar.access(self, keyPath: path)
    if probe.isHashed.load(ordering: .relaxed), !isObserved.load(ordering: .acquiring) {
      startObserving(store, unless: isSame())
    }
  }

  /// Notifies the registrar of every change from now on.
  private func startObserving(
    _ store: PreferencesStore, unless isSame: (@Sendable (PlistValue?, PlistValue?) -> Bool)?
  ) {
    // If two threads get here, both start observing, and the second one cancels the first.
    let new = store.observe(name) { [weak self] change in
      guard let self, isSame?(change.oldValue, change.newValue) != true else { return }
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
