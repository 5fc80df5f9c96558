internal import Synchronization

/// The clock that an engine plans by.
final class EngineClock: Sendable {
  /// A manual clock stands still until it is set.
  enum Kind { case system, manual }

  private let kind: Kind
  private let start = ContinuousClock.now
  /// The nanoseconds since `start` of a manual clock.
  private let elapsed = Atomic<Int64>(0)

  init(_ kind: Kind) { self.kind = kind }

  var now: ContinuousClock.Instant {
    switch kind {
    case .system: .now
    case .manual: start + .nanoseconds(elapsed.load(ordering: .relaxed))
    }
  }

  /// Moves a manual clock forward.
  func set(_ time: ContinuousClock.Instant) {
    elapsed.max(Int64((time - start) / .nanoseconds(1)), ordering: .relaxed)
  }
}
