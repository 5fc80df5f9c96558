internal import FileStorage
internal import Glibc
internal import Synchronization

/// The watcher of the files of an engine.
///
/// Starting to watch, and ending the process while it watches, take several times as long as
/// reading the files, so that a program that reads its preferences and ends does neither. Files are
/// watched once something is observed, and from the first read on that finds the library in use for
/// a moment; what has changed before is read then.
final class FileWatching: Sendable {
  /// The time from the first use of the library to the first read that starts watching.
  private static let delay = Duration.milliseconds(200)

  /// The time of the monotonic clock, in nanoseconds, from which on files are watched; 0 once they
  /// are.
  private let time: Atomic<UInt64>
  private let watcher: FileWatcher
  /// Whether the watcher has no thread, and polls all files.
  let onlyPolls: Bool

  /// A watcher with a thread.
  init() {
    time = Atomic(Self.now + UInt64(Self.delay / .nanoseconds(1)))
    watcher = FileWatcher()
    onlyPolls = false
  }

  /// A watcher without a thread, which polls files from the beginning.
  init(polling clock: EngineClock) {
    time = Atomic(0)
    watcher = FileWatcher { clock.now }
    onlyPolls = true
    watcher.update(options: options(for: RuntimeConfiguration()))
  }

  /// Whether files are to be watched by now.
  var isDue: Bool {
    let time = time.load(ordering: .relaxed)
    return time == 0 || Self.now >= time
  }

  /// Makes files watched from now on.
  func begin() { time.store(0, ordering: .relaxed) }

  /// The time of the monotonic clock in nanoseconds, as exact as its ticks.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Restarts watching in a child process, which inherits neither threads nor watches, and where
  /// the system had no more threads.
  func restartIfNeeded() { watcher.restartIfNeeded() }

  /// Watches a file.
  ///
  /// - Parameters:
  ///   - handler: Called on the watcher's thread when the file may have changed.
  ///   - polling: Called, perhaps before this returns, when the file begins to be polled.
  func watch(
    _ path: String, _ handler: @escaping @Sendable () -> Void,
    polling: @escaping @Sendable (FileWatcher.PollingReason) -> Void
  ) -> WatchedFile {
    watcher.watch(path, handler, polling: polling)
  }

  /// The resources that watching takes.
  var statistics: FileWatcher.Statistics { watcher.statistics }

  /// Applies a new configuration.
  func apply(_ configuration: RuntimeConfiguration) {
    watcher.update(options: options(for: configuration))
    if configuration.watchesFiles { watcher.start() } else { watcher.stop() }
  }

  /// Stops watching.
  func stop() { watcher.stop() }

  private func options(for configuration: RuntimeConfiguration) -> FileWatcher.Options {
    var options = FileWatcher.Options()
    options.usesInotify = !onlyPolls
    options.pollingInterval = configuration.pollingInterval
    return options
  }

  // MARK: Without a thread

  /// The time at which a watcher without a thread has something to do; nil if nothing is planned.
  var nextTime: ContinuousClock.Instant? { watcher.nextTime }

  /// Makes a watcher without a thread poll all files as soon as it does something.
  func pollSoon() { watcher.pollSoon() }

  /// Does what a watcher without a thread has to do now, if anything.
  func doWhatIsDue() { watcher.doWhatIsDue() }
}
