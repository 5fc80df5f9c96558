/// How long to wait before what has failed is tried again: twice as long each time up to a limit, and of
/// that a random part, so that not all machines come back at once.
struct RetryDelay: Sendable {
  /// The longest wait after the first failure, and the longest of all.
  let range: ClosedRange<Duration>
  private var next: Duration

  init(_ range: ClosedRange<Duration>) {
    self.range = range
    next = range.lowerBound
  }

  /// The wait after one more failure: between half of the longest one and all of it.
  mutating func afterFailure(using generator: inout some RandomNumberGenerator) -> Duration {
    let longest = next
    next = min(next * 2, range.upperBound)
    return longest * Double.random(in: 0.5...1, using: &generator)
  }

  /// Begins anew after a success that lasted at least as long as the next wait would; one that ends sooner
  /// is as good as a failure.
  mutating func afterSuccess(lasting duration: Duration) {
    if duration >= next { next = range.lowerBound }
  }
}
