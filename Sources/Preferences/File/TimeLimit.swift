/// How long a call may wait for other threads and processes in total.
struct TimeLimit: Sendable {
  /// The default time that a call waits.
  static let usual = Duration.seconds(10)
  /// The default time that saving may take at the normal end of the process.
  static let atExit = Duration.seconds(3)

  /// The time that the caller passed.
  let duration: Duration
  private(set) var deadline: ContinuousClock.Instant

  init(_ duration: Duration = usual, from start: ContinuousClock.Instant = .now) {
    self.duration = duration
    deadline = start + duration
  }

  /// The limit for saving several domains, unless the caller passes one.
  init(forSaving count: Int) { self.init(Self.usual + .milliseconds(10) * count) }

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
