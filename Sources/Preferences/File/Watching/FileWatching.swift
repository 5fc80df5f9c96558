internal import FileStorage
internal import Glibc
internal import Synchronization

/// The watcher of the files of an engine, and the time from which on it is used.
///
/// Starting to watch, and ending the process while it watches, take several times as long as
/// reading the files, so that a program that reads its preferences and ends does neither. Files are
/// watched once something is observed, and from the first read on that finds the library in use for
/// a moment; what has changed before is read then.
final class FileWatching: Sendable {
  /// The time from the first use of the library to the first read that starts watching.
  private static let delay = Duration.milliseconds(200)

  let watcher: FileWatcher
  /// Whether the watcher has no thread, and polls all files.
  let onlyPolls: Bool
  /// The time of the monotonic clock, in nanoseconds, from which on files are watched; 0 for now.
  private let start: Atomic<UInt64>

  /// A watcher with a thread.
  init() {
    watcher = FileWatcher()
    onlyPolls = false
    start = Atomic(Self.now + UInt64(Self.delay / .nanoseconds(1)))
  }

  /// A watcher without a thread, which polls files from the beginning.
  init(polling clock: EngineClock) {
    watcher = FileWatcher { clock.now }
    onlyPolls = true
    start = Atomic(0)
    apply(RuntimeConfiguration())
  }

  /// Whether files are to be watched by now.
  var isDue: Bool {
    let start = start.load(ordering: .relaxed)
    return start == 0 || Self.now >= start
  }

  /// Makes files watched from now on.
  func begin() { start.store(0, ordering: .relaxed) }

  /// Restarts the watcher in a child process, which inherits neither threads nor watches, and where
  /// the system had no more threads.
  func restartIfNeeded() { watcher.restartIfNeeded() }

  /// The time of the monotonic clock in nanoseconds, as exact as its ticks.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  func apply(_ configuration: RuntimeConfiguration) {
    var options = FileWatcher.Options()
    options.usesInotify = !onlyPolls
    options.pollingInterval = configuration.pollingInterval
    watcher.update(options: options)
    if configuration.watchesFiles { watcher.start() } else { watcher.stop() }
  }
}
