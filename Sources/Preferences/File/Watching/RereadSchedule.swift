internal import FileStorage

/// The re-read schedule for a changed file whose timestamps are racy: they do not show whether it
/// has changed again.
///
/// The pauses grow. After a while the file is read only when the watcher reports a change, so that
/// a clock that is behind the file's timestamps does not keep the process busy.
struct RacyReads {
  private static let shortestPause = Duration.milliseconds(20)
  private static let longestPause = Duration.milliseconds(500)

  private var identity: FileIdentity?
  private var start = Moment.now
  private var next = Moment.now

  /// Returns how long to wait before reading an apparently unchanged file; nil to read it now.
  mutating func pause(before identity: FileIdentity, now: Moment) -> Duration? {
    if identity != self.identity {
      self.identity = identity
      start = now
      next = now + Self.shortestPause
    }
    return next > now ? next - now : nil
  }

  /// Returns the time from a read to the next one; nil if it was the last.
  mutating func pause(after identity: FileIdentity, now: Moment) -> Duration? {
    guard identity.isRacy, identity == self.identity else { return nil }
    let elapsed = now - start
    let pause = min(max(elapsed, Self.shortestPause), Self.longestPause)
    next = now + pause
    return elapsed < FileIdentity.settlingTime ? pause : nil
  }
}

/// The re-read schedule for a file that the system failed to read.
///
/// The contents of the file are unknown, and nothing reports when the cause, such as a lack of
/// descriptors, is gone.
struct FailedReads {
  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(30)

  private var pause = shortestPause
  /// The time of the next read; nil if the last one succeeded.
  private(set) var next: Moment?

  /// Returns the time until the next read, which doubles with each failure.
  mutating func noteFailure(now: Moment) -> Duration {
    defer { pause = min(pause * 2, Self.longestPause) }
    next = now + pause
    return pause
  }

  /// The file was read, or found to be missing or malformed.
  mutating func noteSuccess() { self = FailedReads() }
}

/// The wait for a file that existed and is now missing.
enum MissingFile {
  /// How long a program may take to recreate a file that it has renamed or removed.
  static let timeToReturn = Duration.milliseconds(50)
}
