/// When a domain's changes are saved in the background. This type only decides; it saves nothing.
///
/// | state | changed | saving begins | saved | saving failed |
/// |---|---|---|---|---|
/// | clean | waiting | - | clean, or waiting for later changes | - |
/// | waiting | - | saving | clean, or waiting for later changes | - |
/// | saving | remembers the first | - | clean, or waiting for later changes | waiting |
///
/// | state | failed in the background | failure reported | commit delay lowered | forked |
/// |---|---|---|---|---|
/// | clean | - | - | - | - |
/// | waiting | waiting, later | remembers it | waiting, earlier unless it has failed | - |
/// | saving | - | remembers it | - | waiting, due now |
///
/// Any success resets the pauses after failures. A recovery is reported when everything is saved.
enum SaveSchedule: Equatable, Sendable {
  case clean
  case waiting(Attempt)
  /// Changes are being saved, and others may have been made since a time.
  case saving(Attempt, laterSince: Moment?)

  struct Attempt: Equatable, Sendable {
    var due: Moment
    /// The time of the oldest unsaved change.
    var since: Moment
    /// The number of consecutive failures in the background.
    var failures = 0
    /// Whether a failure was reported, and no recovery since then.
    var isReported = false
  }

  /// The default time from the first change to saving it.
  static let usualDelay = Duration.milliseconds(50)
  private static let longestPauseAfterFailure = Duration.seconds(16)

  /// The time of the next attempt, unless one has begun.
  var due: Moment? {
    switch self {
    case .waiting(let attempt): attempt.due
    case .clean, .saving: nil
    }
  }

  /// The time of the oldest unsaved change of this process.
  var unsavedSince: Moment? {
    switch self {
    case .waiting(let attempt), .saving(let attempt, _): attempt.since
    case .clean: nil
    }
  }

  /// Whether another change leaves the schedule unchanged.
  var coversNextChange: Bool {
    switch self {
    case .waiting, .saving(_, _?): true
    case .clean, .saving: false
    }
  }

  mutating func noteChange(at now: Moment, delay: Duration) {
    switch self {
    case .clean: self = .waiting(Attempt(due: now + delay, since: now))
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
  /// - Parameter hasChanges: Whether other changes have been made since it began.
  /// - Returns: Whether a recovery must be reported.
  mutating func noteSuccess(hasChanges: Bool, at now: Moment, delay: Duration) -> Bool {
    switch self {
    case .saving(let attempt, let later) where hasChanges:
      self = .waiting(
        Attempt(due: now + delay, since: later ?? now, isReported: attempt.isReported))
    case .waiting where hasChanges: break
    case .clean where hasChanges: self = .waiting(Attempt(due: now + delay, since: now))
    case .waiting(let attempt), .saving(let attempt, _):
      self = .clean
      return attempt.isReported
    case .clean: break
    }
    return false
  }

  /// A failure is reported.
  mutating func noteReport() {
    switch self {
    case .waiting(var attempt):
      attempt.isReported = true
      self = .waiting(attempt)
    case .saving(var attempt, let later):
      attempt.isReported = true
      self = .saving(attempt, laterSince: later)
    case .clean: break
    }
  }

  /// Saving has failed; the next attempt follows after the delay, but not before its time.
  mutating func noteFailure(at now: Moment, delay: Duration) {
    guard case .saving(var attempt, _) = self else { return }
    attempt.due = max(attempt.due, now + delay)
    self = .waiting(attempt)
  }

  /// Postpones the next attempt after a failure in the background.
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

  /// In a forked child, schedules the changes again that a thread of the parent was saving.
  mutating func restart(at now: Moment) {
    guard case .saving(var attempt, _) = self else { return }
    attempt.due = now
    self = .waiting(attempt)
  }
}
