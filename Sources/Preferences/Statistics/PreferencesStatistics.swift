/// Figures about the library's work in this process, for a metrics endpoint.
///
/// The counters only grow, from the start of the process; a forked child goes on with those of its
/// parent. All others are as they were at one time, which need not be the same for all of them.
public struct PreferencesStatistics: Sendable, Hashable {
  /// How often something was done, and how long it took.
  public struct Activity: Sendable, Hashable {
    /// The number of times that it succeeded.
    public var count: Int
    /// The number of times that it failed.
    public var failureCount: Int
    /// The time that it took altogether, where it succeeded.
    public var totalTime: Duration
    /// The longest time that it took, where it succeeded.
    public var longestTime: Duration
  }

  /// The number of files of domains in use, which need not exist: several for each store, one for
  /// each layer.
  public var domainCount: Int
  /// The number of domains with changes that are not on disk.
  public var unsavedCount: Int
  /// The age of the oldest change that is not on disk; nil if there is none. Beyond a few seconds,
  /// something prevents saving.
  public var oldestUnsavedAge: Duration?
  /// Commits: changes of a domain that were saved, which includes waiting for the lock and the disk.
  public var commits: Activity
  /// Reads of files that had changed, or had not been read. A failure is one of a file that cannot
  /// be read.
  public var reads: Activity
  /// The number of files that are watched.
  public var watchedCount: Int
  /// The number of these that are polled, since the system does not report their changes.
  public var polledCount: Int
  /// The number of inotify watches, of which the system allows each user some.
  public var watchCount: Int
  /// The number of threads of the library.
  public var threadCount: Int
  /// The number of descriptors that stay open: those for watching. Files and locks are open while a
  /// domain is read or saved.
  public var descriptorCount: Int
}

extension PreferencesStatistics: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    let age = oldestUnsavedAge.map { " for \($0)" } ?? ""
    return "\(domainCount) domains, \(unsavedCount) unsaved\(age), commits \(commits), "
      + "reads \(reads), \(watchedCount) watched, \(polledCount) polled, \(watchCount) watches, "
      + "\(threadCount) threads, \(descriptorCount) descriptors"
  }
}

extension PreferencesStatistics.Activity: CustomStringConvertible {
  /// The counts and the times: `12 in 31 ms (0 failed, at most 4 ms)`.
  public var description: String {
    func milliseconds(_ time: Duration) -> Int64 { Int64(time / .milliseconds(1)) }
    return "\(count) in \(milliseconds(totalTime)) ms (\(failureCount) failed, at most "
      + "\(milliseconds(longestTime)) ms)"
  }
}
