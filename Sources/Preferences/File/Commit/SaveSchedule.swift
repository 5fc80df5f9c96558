/// When the changes of a domain are saved in the background. A value that decides and saves nothing.
///
/// | state | changed | saving begins | saved | saving failed | commit delay lowered |
/// |---|---|---|---|---|---|
/// | clean | waiting | - | clean | - | - |
/// | waiting | - | saving | clean, or waiting for later changes | waiting | waiting, earlier |
/// | saving | remembers the first | - | clean, or waiting for later changes | waiting | - |
/// | inherited | waiting | - | clean, or inherited | - | - |
///
/// A success of any kind ends the pauses after failures.
enum SaveSchedule: Equatable, Sendable {
  /// Nothing is unsaved.
  case clean
  /// Changes wait for the time at which they are saved.
  case waiting(Attempt)
  /// Changes are being saved, and others have perhaps been made since a time.
  case saving(Attempt, laterSince: ContinuousClock.Instant?)
  /// Nothing but changes inherited from a parent process is unsaved. What became of them is found out
  /// at a time, and then after pauses that grow.
  case inherited(due: ContinuousClock.Instant, pause: Duration)

  struct Attempt: Equatable, Sendable {
    var due: ContinuousClock.Instant
    /// The time of the oldest change that is not saved.
    var since: ContinuousClock.Instant
    /// The number of failures in the background in a row.
    var failures = 0
  }

  private static let longestPauseAfterFailure = Duration.seconds(16)
  private static let pausesForInherited = (
    first: Duration.milliseconds(100), longest: Duration.seconds(1)
  )

  /// The time of the next attempt; nil if there is none, or one has begun.
  var due: ContinuousClock.Instant? {
    switch self {
    case .waiting(let attempt): attempt.due
    case .inherited(let due, _): due
    case .clean, .saving: nil
    }
  }

  /// The time of the oldest change that is not saved; nil if everything is.
  var unsavedSince: ContinuousClock.Instant? {
    switch self {
    case .waiting(let attempt), .saving(let attempt, _): attempt.since
    case .clean, .inherited: nil
    }
  }

  /// Whether a further change changes nothing.
  var coversNextChange: Bool {
    switch self {
    case .waiting, .saving(_, _?): true
    case .clean, .saving, .inherited: false
    }
  }

  mutating func noteChange(at now: ContinuousClock.Instant, delay: Duration) {
    switch self {
    case .clean, .inherited: self = .waiting(Attempt(due: now + delay, since: now))
    case .saving(let attempt, nil): self = .saving(attempt, laterSince: now)
    case .waiting, .saving: break
    }
  }

  /// Notes that all changes made so far are about to be saved.
  mutating func begin() {
    if case .waiting(let attempt) = self { self = .saving(attempt, laterSince: nil) }
  }

  /// Notes that saving has succeeded.
  ///
  /// - Parameters:
  ///   - hasChanges: Whether other changes have been made since it began.
  ///   - hasInherited: Whether there are changes of which it is not known whether the parent saves them.
  mutating func noteSuccess(
    hasChanges: Bool, hasInherited: Bool, at now: ContinuousClock.Instant, delay: Duration
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

  /// Notes that saving has failed: the next attempt follows soon, but not before its time.
  mutating func noteFailure(at now: ContinuousClock.Instant, delay: Duration) {
    guard case .saving(var attempt, _) = self else { return }
    attempt.due = max(attempt.due, now + delay)
    self = .waiting(attempt)
  }

  /// Puts the next attempt off, after one in the background has failed.
  mutating func backOff(at now: ContinuousClock.Instant) {
    guard case .waiting(var attempt) = self else { return }
    let pause = min(.seconds(1) * (1 << min(attempt.failures, 10)), Self.longestPauseAfterFailure)
    attempt.due = now + pause
    attempt.failures += 1
    self = .waiting(attempt)
  }

  /// Makes the next attempt follow within a new delay, unless it comes after a failure.
  mutating func applyDelay(_ delay: Duration, at now: ContinuousClock.Instant) {
    guard case .waiting(var attempt) = self, attempt.failures == 0 else { return }
    attempt.due = min(attempt.due, now + delay)
    self = .waiting(attempt)
  }

  /// Leaves all changes to the parent, in a forked child.
  mutating func inherit(at now: ContinuousClock.Instant) {
    let pause = Self.pausesForInherited.first
    self = .inherited(due: now + pause, pause: pause * 2)
  }

  /// Lets changes in memory be saved by this process, in a forked child.
  mutating func restart(at now: ContinuousClock.Instant) {
    guard case .saving(var attempt, _) = self else { return }
    attempt.due = now
    self = .waiting(attempt)
  }
}
