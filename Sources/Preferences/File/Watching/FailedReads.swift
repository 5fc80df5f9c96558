/// The re-read schedule for a file that the system failed to read.
///
/// The contents of the file are unknown, and nothing reports that the cause is gone, such as a lack
/// of descriptors.
struct FailedReads {
  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(30)

  private var pause = shortestPause
  /// The time of the next read; nil if the last one succeeded.
  private(set) var next: ContinuousClock.Instant?

  /// Returns the time until the next read, which doubles with each failure.
  mutating func noteFailure(now: ContinuousClock.Instant) -> Duration {
    defer { pause = min(pause * 2, Self.longestPause) }
    next = now + pause
    return pause
  }

  /// The file was read, or found to be missing or malformed.
  mutating func noteSuccess() { self = FailedReads() }
}
