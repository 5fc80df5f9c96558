internal import FileStorage

/// The re-read schedule for a changed file whose timestamps are racy: they do not show whether it
/// has changed again.
///
/// The pauses grow. After a while the file is read only when the watcher reports a change, so that
/// a clock behind the file's timestamps does not keep the process busy.
struct RacyReads {
  private static let shortestPause = Duration.milliseconds(20)
  private static let longestPause = Duration.milliseconds(500)
  /// When a change has another timestamp, even at a resolution of two seconds.
  private static let settlingTime = Duration.seconds(2)

  private var identity: FileIdentity?
  private var start = ContinuousClock.now
  private var next = ContinuousClock.now

  /// Returns how long to wait before reading an apparently unchanged file; nil to read it now.
  mutating func pause(before identity: FileIdentity, now: ContinuousClock.Instant) -> Duration? {
    if identity != self.identity {
      self.identity = identity
      start = now
      next = now + Self.shortestPause
    }
    return next > now ? next - now : nil
  }

  /// Returns the time from a read to the next one; nil if it was the last.
  mutating func pause(after identity: FileIdentity, now: ContinuousClock.Instant) -> Duration? {
    guard identity.isRacy, identity == self.identity else { return nil }
    let elapsed = now - start
    let pause = min(max(elapsed, Self.shortestPause), Self.longestPause)
    next = now + pause
    return elapsed < Self.settlingTime ? pause : nil
  }
}
