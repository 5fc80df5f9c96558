/// How long a call may wait for other threads and processes in total.
struct TimeLimit: Sendable {
  /// The time that the caller passed.
  let duration: Duration
  private(set) var deadline: ContinuousClock.Instant

  init(_ duration: Duration, from start: ContinuousClock.Instant = .now) {
    self.duration = duration
    deadline = start + duration
  }

  /// The remaining time.
  var rest: Duration { rest(at: .now) }

  func rest(at now: ContinuousClock.Instant) -> Duration { max(.zero, deadline - now) }

  /// The same limit with an earlier deadline.
  func ending(by time: ContinuousClock.Instant) -> TimeLimit {
    var result = self
    result.deadline = min(deadline, time)
    return result
  }
}
