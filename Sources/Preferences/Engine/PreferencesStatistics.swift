internal import Synchronization

/// Metrics of the library's work in this process.
///
/// Counters grow from the start of the process; a forked child continues its parent's. The other
/// values are current, but not all from the same moment.
public struct PreferencesStatistics: Sendable, Hashable {
  /// How often something was done and how long it took.
  public struct Activity: Sendable, Hashable {
    /// The number of successes.
    public var count: Int
    /// The number of failures.
    public var failureCount: Int
    /// The total time of successes.
    public var totalTime: Duration
    /// The longest time of a success.
    public var longestTime: Duration
  }

  /// The number of files of domains in use, which need not exist: several for each store, one for
  /// each layer.
  public var domainCount: Int
  /// The number of domains with changes that are not on disk.
  public var unsavedCount: Int
  /// The age of the oldest change that is not on disk; nil if there is none. More than a few
  /// seconds mean that something prevents saving.
  public var oldestUnsavedAge: Duration?
  /// Saved changes of domains, including the wait for the lock and the disk.
  public var commits: Activity
  /// Reads of files that were new or had changed. A failure is a file that cannot be read.
  public var reads: Activity
  /// The number of watched files.
  public var watchedCount: Int
  /// The number of watched files that are polled, because the system does not report their changes.
  public var polledCount: Int
  /// The number of inotify watches, which the system limits for each user.
  public var watchCount: Int
  /// The number of the library's threads.
  public var threadCount: Int
  /// The number of descriptors that stay open for watching. Files and locks are open only while a
  /// domain is read or saved.
  public var descriptorCount: Int
}

extension PreferencesStatistics: CustomStringConvertible {
  /// All values in one line.
  public var description: String {
    let age = oldestUnsavedAge.map { " for \($0)" } ?? ""
    return "\(domainCount) domains, \(unsavedCount) unsaved\(age), commits \(commits), "
      + "reads \(reads), \(watchedCount) watched, \(polledCount) polled, \(watchCount) watches, "
      + "\(threadCount) threads, \(descriptorCount) descriptors"
  }
}

extension PreferencesStatistics.Activity: CustomStringConvertible {
  /// The counts and times: `12 in 31 ms (0 failed, at most 4 ms)`.
  public var description: String {
    func milliseconds(_ time: Duration) -> Int64 { Int64(time / .milliseconds(1)) }
    return "\(count) in \(milliseconds(totalTime)) ms (\(failureCount) failed, at most "
      + "\(milliseconds(longestTime)) ms)"
  }
}

/// Counts how often the stores of an engine did something and how long it took. Threads that count
/// do not wait for each other.
final class ActivityCounter: Sendable {
  private let count = Atomic(0)
  private let failureCount = Atomic(0)
  private let nanoseconds = Atomic<Int64>(0)
  private let longest = Atomic<Int64>(0)

  /// Counts an activity that began at `start` and has ended.
  func note(since start: ContinuousClock.Instant) {
    let duration = Int64((ContinuousClock.now - start) / .nanoseconds(1))
    count.wrappingAdd(1, ordering: .relaxed)
    nanoseconds.wrappingAdd(duration, ordering: .relaxed)
    longest.max(duration, ordering: .relaxed)
  }

  func noteFailure() { failureCount.wrappingAdd(1, ordering: .relaxed) }

  var activity: PreferencesStatistics.Activity {
    PreferencesStatistics.Activity(
      count: count.load(ordering: .relaxed),
      failureCount: failureCount.load(ordering: .relaxed),
      totalTime: .nanoseconds(nanoseconds.load(ordering: .relaxed)),
      longestTime: .nanoseconds(longest.load(ordering: .relaxed)))
  }
}
