/// An exponential backoff with jitter: the delay doubles with each failure up to a limit, and is
/// shortened at random so that machines do not retry at the same time.
package struct RetryBackoff: Sendable {
  /// The default shortest and longest delays of synchronizers and replicas.
  static let usual = Duration.seconds(1)...Duration.seconds(300)

  /// From the longest delay after the first failure to the longest delay of all.
  package let range: ClosedRange<Duration>
  private var longest: Duration

  /// Creates a backoff that begins with the shortest of a range of delays.
  package init(_ range: ClosedRange<Duration>) {
    self.range = range
    longest = range.lowerBound
  }

  /// Returns the delay after the current failure, chosen at random between half of the longest
  /// delay and all of it, and raises the longest delay for the next failure.
  package mutating func advance(using generator: inout some RandomNumberGenerator) -> Duration {
    let current = longest
    longest = min(longest * 2, range.upperBound)
    return current * Double.random(in: 0.5...1, using: &generator)
  }

  /// Resets the backoff after a success that lasted at least as long as the next delay. A shorter
  /// success is treated as a failure.
  package mutating func reset(afterSuccessLasting duration: Duration) {
    if duration >= longest { reset() }
  }

  package mutating func reset() { longest = range.lowerBound }
}
