internal import FileStorage

/// The looks at a file whose timestamps do not tell whether it was changed again, after a change
/// that the watcher has reported.
///
/// They are made less and less often. After a while only what the watcher reports leads to another
/// one: a clock that is behind the file's timestamps does not keep the process busy.
struct RacyLooks {
  private static let shortestPause = Duration.milliseconds(20)
  private static let longestPause = Duration.milliseconds(500)
  /// The time after which a change has another timestamp, at a resolution of two seconds.
  private static let settlingTime = Duration.seconds(2)

  private var identity: FileIdentity?
  private var start = ContinuousClock.now
  private var next = ContinuousClock.now

  /// Returns how long to leave a file alone that is in the state in which it was last read; nil if
  /// it is to be read now.
  mutating func pause(before identity: FileIdentity, now: ContinuousClock.Instant) -> Duration? {
    if identity != self.identity {
      self.identity = identity
      start = now
      next = now + Self.shortestPause
    }
    return next > now ? next - now : nil
  }

  /// Returns the time until the look after one that has just been made; nil if it was the last.
  mutating func pause(after identity: FileIdentity, now: ContinuousClock.Instant) -> Duration? {
    guard identity.isRacy, identity == self.identity else { return nil }
    let elapsed = now - start
    let pause = min(max(elapsed, Self.shortestPause), Self.longestPause)
    next = now + pause
    return elapsed < Self.settlingTime ? pause : nil
  }
}
