internal import Synchronization

/// The clock that an engine plans by.
final class EngineClock: Sendable {
  /// A manual clock stands still until it is set.
  enum Kind { case system, manual }

  private let kind: Kind
  /// The time of a manual clock, in nanoseconds.
  private let time = Atomic(Moment.now.nanoseconds)

  init(_ kind: Kind) { self.kind = kind }

  var now: Moment {
    switch kind {
    case .system: .now
    case .manual: Moment(nanoseconds: time.load(ordering: .relaxed))
    }
  }

  /// Moves a manual clock forward.
  func set(_ time: Moment) { self.time.max(time.nanoseconds, ordering: .relaxed) }
}

/// A time of `ContinuousClock` with a fixed layout.
///
/// `ContinuousClock.Instant` is not a frozen type of the standard library: a structure that contains one
/// has a layout that is looked up at each access, which makes setting a value take twice as long.
struct Moment: Comparable, Sendable {
  /// The time since ``origin``.
  let nanoseconds: Int64

  private static let origin = ContinuousClock.now

  static var now: Moment { Moment(.now) }

  init(_ instant: ContinuousClock.Instant) {
    nanoseconds = (instant - Self.origin).wholeNanoseconds
  }

  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  var instant: ContinuousClock.Instant { Self.origin + .nanoseconds(nanoseconds) }

  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  static func + (moment: Moment, duration: Duration) -> Moment {
    Moment(nanoseconds: moment.nanoseconds.addingClamped(duration.wholeNanoseconds))
  }

  static func - (left: Moment, right: Moment) -> Duration {
    .nanoseconds(left.nanoseconds) - .nanoseconds(right.nanoseconds)
  }
}

extension Duration {
  /// Clamped to ±292 years.
  fileprivate var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (high, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if isTooLarge { return seconds < 0 ? .min : .max }
    return high.addingClamped(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? (other < 0 ? .min : .max) : sum
  }
}
