internal import Threading

/// The observations that are retained because their lifetimes are tied to objects.
///
/// There is no notification of the end of an object. An observation checks its object at its next
/// change, and all objects are checked whenever the number of observations has doubled since the
/// last check, so that the number of observations is bounded by that of live objects.
final class LifetimeTies: Sendable {
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
