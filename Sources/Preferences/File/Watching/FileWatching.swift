internal import FileStorage
internal import Glibc
internal import Synchronization

/// An engine's file watcher, and when it starts to be used.
///
/// Starting to watch, and ending a process that watches, take several times as long as reading the
/// files, so a program that only reads its preferences and ends does neither. Files are watched
/// once something is observed, otherwise from the first read after a delay. Files that have changed
/// before are read when watching starts.
final class FileWatching: Sendable {
  /// Reads do not start watching within this time after the library's first use.
  private static let delay = Duration.milliseconds(200)

  let watcher: FileWatcher
  /// Whether the watcher has no thread, and polls all files.
  private let onlyPolls: Bool
  /// When files are watched, in nanoseconds of the monotonic clock; 0 for now.
  private let start: Atomic<UInt64>

  init() {
    watcher = FileWatcher()
    onlyPolls = false
    start = Atomic(Self.now + UInt64(Self.delay / .nanoseconds(1)))
  }

  /// Creates a watcher without a thread that polls files from the beginning.
  init(polling clock: EngineClock) {
    watcher = FileWatcher { clock.now.instant }
    onlyPolls = true
    start = Atomic(0)
    apply(RuntimeConfiguration())
  }

  /// Whether files should now be watched.
  var isDue: Bool {
    let start = start.load(ordering: .relaxed)
    return start == 0 || Self.now >= start
  }

  /// Starts watching files without a delay.
  func begin() { start.store(0, ordering: .relaxed) }

  /// Restarts the watcher in a child process, which inherits neither threads nor watches, and if
  /// the system had no more threads.
  func restartIfNeeded() { watcher.restartIfNeeded() }

  /// The time of the monotonic clock in nanoseconds, with the resolution of its ticks.
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
