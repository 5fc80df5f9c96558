/// When a domain's changes are saved in the background. This value only decides; it saves nothing.
///
/// | state | changed | saving begins | saved | saving failed | commit delay lowered |
/// |---|---|---|---|---|---|
/// | clean | waiting | - | clean | - | - |
/// | waiting | - | saving | clean, or waiting for later changes | waiting | waiting, earlier |
/// | saving | remembers the first | - | clean, or waiting for later changes | waiting | - |
/// | inherited | waiting | - | clean, or inherited | - | - |
///
/// Any success ends the pauses after failures.
enum SaveSchedule: Equatable, Sendable {
  case clean
  case waiting(Attempt)
  /// Changes are being saved, and others may have been made since a time.
  case saving(Attempt, laterSince: Moment?)
  /// Only changes inherited from a parent process are unsaved. Their fate is polled, at growing
  /// intervals.
  case inherited(due: Moment, pause: Duration)

  struct Attempt: Equatable, Sendable {
    var due: Moment
    /// The time of the oldest unsaved change.
    var since: Moment
    /// The number of consecutive failures in the background.
    var failures = 0
  }

  private static let longestPauseAfterFailure = Duration.seconds(16)
  private static let pausesForInherited = (
    first: Duration.milliseconds(100), longest: Duration.seconds(1)
  )

  /// The time of the next attempt, unless one has begun.
  var due: Moment? {
    switch self {
    case .waiting(let attempt): attempt.due
    case .inherited(let due, _): due
    case .clean, .saving: nil
    }
  }

  /// The time of the oldest unsaved change of this process.
  var unsavedSince: Moment? {
    switch self {
    case .waiting(let attempt), .saving(let attempt, _): attempt.since
    case .clean, .inherited: nil
    }
  }

  /// Whether another change leaves the schedule unchanged.
  var coversNextChange: Bool {
    switch self {
    case .waiting, .saving(_, _?): true
    case .clean, .saving, .inherited: false
    }
  }

  mutating func noteChange(at now: Moment, delay: Duration) {
    switch self {
    case .clean, .inherited: self = .waiting(Attempt(due: now + delay, since: now))
    case .saving(let attempt, nil): self = .saving(attempt, laterSince: now)
    case .waiting, .saving: break
    }
  }

  /// All changes made so far are about to be saved.
  mutating func begin() {
    if case .waiting(let attempt) = self { self = .saving(attempt, laterSince: nil) }
  }

  /// Saving has succeeded.
  ///
  /// - Parameters:
  ///   - hasChanges: Whether other changes have been made since it began.
  ///   - hasInherited: Whether there are changes that the parent may still save.
  mutating func noteSuccess(
    hasChanges: Bool, hasInherited: Bool, at now: Moment, delay: Duration
  ) {
    switch self {
    case .saving(_, let later) where hasChanges:
      self = .waiting(Attempt(due: now + delay, since: later ?? now))
    case .waiting where hasChanges: break
    case _ where hasChanges: self = .waiting(Attempt(due: now + delay, since: now))
    case .inherited(_, let pause) where hasInherited:
      self = .inherited(due: now + pause, pause: min(pause * 2, Self.pausesForInherited.longest))
    case _ where hasInherited: inherit(at: now)
    default: self = .clean
    }
  }

  /// Saving has failed; the next attempt follows after the delay, but not before its time.
  mutating func noteFailure(at now: Moment, delay: Duration) {
    guard case .saving(var attempt, _) = self else { return }
    attempt.due = max(attempt.due, now + delay)
    self = .waiting(attempt)
  }

  /// Postpones the next attempt after one in the background has failed.
  mutating func backOff(at now: Moment) {
    guard case .waiting(var attempt) = self else { return }
    let pause = min(.seconds(1) * (1 << min(attempt.failures, 10)), Self.longestPauseAfterFailure)
    attempt.due = now + pause
    attempt.failures += 1
    self = .waiting(attempt)
  }

  /// Applies a shorter delay to the next attempt, unless it follows a failure.
  mutating func applyDelay(_ delay: Duration, at now: Moment) {
    guard case .waiting(var attempt) = self, attempt.failures == 0 else { return }
    attempt.due = min(attempt.due, now + delay)
    self = .waiting(attempt)
  }

  /// In a forked child, leaves all changes to the parent.
  mutating func inherit(at now: Moment) {
    let pause = Self.pausesForInherited.first
    self = .inherited(due: now + pause, pause: pause * 2)
  }

  /// In a forked child, saves a domain in memory again.
  mutating func restart(at now: Moment) {
    guard case .saving(var attempt, _) = self else { return }
    attempt.due = now
    self = .waiting(attempt)
  }
}
