internal import FileStorage
internal import Glibc
internal import Synchronization

/// The watcher of the files of all domains in the process.
///
/// Starting to watch, and ending the process while it watches, take several times as long as
/// reading the files, so that a program that reads its preferences and ends does neither. Files are
/// watched once something is observed, and from the first read on that finds the library in use for
/// a moment; what has changed before is read then.
enum FileWatching {
  /// The time from the first use of the library to the first read that starts watching.
  private static let delay = Duration.milliseconds(200)
  /// The time of the monotonic clock, in nanoseconds, from which on files are watched; 0 once they
  /// are.
  private static let time = Atomic(now + UInt64(delay / .nanoseconds(1)))
  private static let watcher = FileWatcher(options: options(for: .current))

  /// Whether files are to be watched by now.
  static var isDue: Bool {
    let time = Self.time.load(ordering: .relaxed)
    if time == 0 { return true }
    if now < time { return false }
    begin()
    return true
  }

  /// Makes files watched from now on.
  static func begin() { time.store(0, ordering: .relaxed) }

  /// The time of the monotonic clock in nanoseconds, as exact as its ticks.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Restarts watching in a child process, which inherits neither threads nor watches, and where
  /// the system had no more threads.
  static func restartIfNeeded() {
    watcher.restartIfNeeded()
  }

  /// Watches a file.
  ///
  /// - Parameters:
  ///   - handler: Called on the watcher's thread when the file may have changed.
  ///   - polling: Called, perhaps before this returns, when the file begins to be polled.
  static func watch(
    _ path: String, _ handler: @escaping @Sendable () -> Void,
    polling: @escaping @Sendable (FileWatcher.PollingReason) -> Void
  ) -> WatchedFile {
    watcher.watch(path, handler, polling: polling)
  }

  /// The resources that watching takes.
  static var statistics: FileWatcher.Statistics { watcher.statistics }

  /// Applies a new configuration.
  static func apply(_ configuration: RuntimeConfiguration) {
    watcher.update(options: options(for: configuration))
    if configuration.watchesFiles { watcher.start() } else { watcher.stop() }
  }

  private static func options(for configuration: RuntimeConfiguration) -> FileWatcher.Options {
    var options = FileWatcher.Options()
    options.pollingInterval = configuration.pollingInterval
    return options
  }
}
