internal import Preferences
internal import Threading

/// An observation of keys, which may be in several stores.
final class KeyObservation: DefaultsObservation {
  private struct State {
    var observations: [PreferencesObservation] = []
    var isInvalid = false
    var tie: Tie?
  }

  /// A weak reference to the object of a lifetime tie, which may have been released.
  private struct Tie {
    weak var object: AnyObject?
  }

  private let state = Lock(State())

  /// - Parameters:
  ///   - isolation: The actor that calls the handler.
  ///   - handler: Receives each change of any of the keys; `isPrior` if a second call follows.
  init(
    of keys: [Defaults._AnyKey.Observed], _ options: Defaults.ObservationOptions,
    on isolation: Isolation,
    _ handler: @escaping @Sendable (_ change: PreferencesChange, _ isPrior: Bool) -> Void
  ) {
    for (store, names) in keys.namesByStore {
      let observation = store.observe(
        names, initial: options.contains(.initial), on: isolation
      ) { [weak self] change, isSuppressed in
        if isSuppressed || keys.keepValues(change, of: store) { return }
        // The values are equal in initial calls only.
        if options.contains(.prior), change.oldValue != change.newValue {
          self?.call { handler(change, true) }
        }
        self?.call { handler(change, false) }
      }
      state.withLock { $0.observations.append(observation) }
    }
  }

  /// Calls a closure unless the observation has ended.
  private func call(_ body: () -> Void) {
    if hasEnded { invalidate() } else { body() }
  }

  /// Whether it is invalid, or the object to which it is tied has been released.
  var hasEnded: Bool {
    let (isInvalid, tie) = state.withLock { ($0.isInvalid, $0.tie) }
    // Outside the lock: the strong reference made here may be the last one to the object.
    return isInvalid || tie.map { $0.object == nil } ?? false
  }

  func invalidate() {
    let observations = state.withLock { state in
      defer { state = State(isInvalid: true) }
      return state.observations
    }
    for observation in observations { observation.cancel() }
    LifetimeTies.shared.remove(self)
  }

  func tieToLifetime(of object: AnyObject) -> Self {
    let isTied = state.withLock { state in
      if state.isInvalid { return false }
      state.tie = Tie(object: object)
      return true
    }
    if isTied { LifetimeTies.shared.add(self) }
    return self
  }

  func removeLifetimeTie() {
    if hasEnded { return invalidate() }
    state.withLock { $0.tie = nil }
    LifetimeTies.shared.remove(self)
  }
}

/// The observations that are retained because their lifetimes are tied to objects.
///
/// There is no notification of the end of an object. An observation checks its object at its next
/// change, and all objects are checked whenever the number of observations has doubled since the
/// last check, so that the number of observations is bounded by that of live objects.
private final class LifetimeTies: Sendable {
  static let shared = LifetimeTies()

  private struct State {
    var observations: [ObjectIdentifier: KeyObservation] = [:]
    /// The number of observations above which all objects are checked.
    var limit = LifetimeTies.minimumLimit
  }

  private static let minimumLimit = 32

  private let state = Lock(State())

  /// Retains an observation.
  func add(_ observation: KeyObservation) {
    let all = state.withLock { state -> [KeyObservation] in
      state.observations[ObjectIdentifier(observation)] = observation
      return state.observations.count > state.limit ? Array(state.observations.values) : []
    }
    if all.isEmpty { return }
    for observation in all where observation.hasEnded { observation.invalidate() }
    state.withLock { $0.limit = max(Self.minimumLimit, 2 * $0.observations.count) }
  }

  /// Releases an observation.
  func remove(_ observation: KeyObservation) {
    let removed = state.withLock {
      $0.observations.removeValue(forKey: ObjectIdentifier(observation))
    }
    // Released outside the lock.
    withExtendedLifetime(removed) {}
  }
}
