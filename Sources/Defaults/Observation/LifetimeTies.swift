internal import Threading

/// The observations that are kept because they are tied to objects.
///
/// Nothing tells when an object goes. An observation finds out by its next change, and here it is found out
/// whenever there are twice as many observations as were left the last time: so there are never many more
/// than objects.
final class LifetimeTies: Sendable {
  /// Those of the process.
  static let shared = LifetimeTies()

  private struct State {
    var observations: [ObjectIdentifier: KeyObservation] = [:]
    /// The number of observations that are kept without a look at their objects.
    var limit = LifetimeTies.leastLimit
  }

  private static let leastLimit = 32

  private let state = Lock(State())

  /// Keeps an observation.
  func add(_ observation: KeyObservation) {
    let all = state.withLock { state -> [KeyObservation] in
      state.observations[ObjectIdentifier(observation)] = observation
      return state.observations.count > state.limit ? Array(state.observations.values) : []
    }
    if all.isEmpty { return }
    for observation in all where observation.hasEnded { observation.invalidate() }
    state.withLock { $0.limit = max(Self.leastLimit, 2 * $0.observations.count) }
  }

  /// Keeps it no longer.
  func remove(_ observation: KeyObservation) {
    let removed = state.withLock {
      $0.observations.removeValue(forKey: ObjectIdentifier(observation))
    }
    // It is let go of when the lock is not held any more.
    withExtendedLifetime(removed) {}
  }
}
