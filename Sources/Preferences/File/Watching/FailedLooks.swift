/// The looks at a file that the system has failed to read.
///
/// Its contents are unknown then. It is looked at again by itself, since nothing reports that the
/// cause is gone, such as a lack of descriptors.
struct FailedLooks {
  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(30)

  private var pause = shortestPause
  /// The time of the next look; nil if the last one did not fail.
  private(set) var next: ContinuousClock.Instant?

  /// Notes that a look has failed.
  ///
  /// - Returns: The time until the next one, which grows from failure to failure.
  mutating func noteFailure(now: ContinuousClock.Instant) -> Duration {
    defer { pause = min(pause * 2, Self.longestPause) }
    next = now + pause
    return pause
  }

  /// Notes that the file was read, or found to be missing or malformed.
  mutating func noteSuccess() {
    self = FailedLooks()
  }
}
