/// How long a call may wait for other threads and processes in total.
struct TimeLimit: Sendable {
  /// The time that the caller passed.
  let duration: Duration
  private(set) var deadline: ContinuousClock.Instant

  init(_ duration: Duration) {
    self.duration = duration
    deadline = .now + duration
  }

  /// The remaining time.
  var rest: Duration { max(.zero, deadline - .now) }

  /// The same limit with an earlier deadline.
  func ending(by time: ContinuousClock.Instant) -> TimeLimit {
    var result = self
    result.deadline = min(deadline, time)
    return result
  }
}
