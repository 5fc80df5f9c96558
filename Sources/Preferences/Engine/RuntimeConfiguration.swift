internal import FileStorage

/// The configuration of an engine's work in the background.
public struct RuntimeConfiguration: Sendable, Hashable {
  /// Whether files are watched, so that changes by other processes become visible without a call.
  ///
  /// Watching takes one thread, two file descriptors and one inotify watch per folder on the way to
  /// a file. It starts when something is observed or an event handler is added, otherwise at the
  /// first read more than 200 milliseconds after preferences are first used, so that short programs
  /// avoid its cost. Files that have changed before are read when it starts.
  public var watchesFiles = true
  /// How often files are polled that cannot be watched, because they are on a network file system
  /// or the system has no watches left.
  public var pollingInterval = FileWatcher.Options().pollingInterval
  /// How long changes are gathered before they are committed. The committing thread ends a few
  /// seconds after the last commit.
  public var commitDelay = SaveSchedule.usualDelay
  /// How long committing may delay the normal end of the process.
  public var exitFlushTimeout = TimeLimit.atExit
  /// Whether failures without a handler are printed on standard error: unreadable files, domains
  /// that cannot be saved, and values of the wrong type for a typed preference.
  ///
  /// Each line is printed once, and at most 20 lines per minute. Handlers are installed with
  /// ``PreferencesStore/onEvent(_:)``, the domain's ``PreferencesStore/onSaveFailure(_:)`` or the
  /// functions of typed preferences.
  public var printsFailures = true

  /// Creates the default configuration.
  public init() {}
}
