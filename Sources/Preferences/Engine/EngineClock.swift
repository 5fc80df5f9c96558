internal import Synchronization

/// The time by which an engine plans what it does later.
final class EngineClock: Sendable {
  /// The clock of the system, or one that stands still until it is set.
  enum Kind { case system, manual }

  private let kind: Kind
  private let start = ContinuousClock.now
  /// The time of a manual clock in nanoseconds since its start.
  private let elapsed = Atomic<Int64>(0)

  init(_ kind: Kind) { self.kind = kind }

  var now: ContinuousClock.Instant {
    switch kind {
    case .system: .now
    case .manual: start + .nanoseconds(elapsed.load(ordering: .relaxed))
    }
  }

  /// Sets a manual clock to a time that is not earlier than its own.
  func set(_ time: ContinuousClock.Instant) {
    elapsed.max(Int64((time - start) / .nanoseconds(1)), ordering: .relaxed)
  }
}
