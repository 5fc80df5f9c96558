/// How long a call waits for other threads and processes together, from the moment at which it is made.
struct TimeLimit: Sendable {
  /// The time as the caller gave it.
  let duration: Duration
  let deadline: ContinuousClock.Instant

  init(_ duration: Duration) {
    self.duration = duration
    deadline = .now + duration
  }

  /// The time that is left.
  var rest: Duration { max(.zero, deadline - .now) }
}
