/// The configuration of what an engine does in the background.
public struct RuntimeConfiguration: Sendable, Hashable {
  /// Whether files are watched, so that what other processes save becomes visible without a call.
  ///
  /// Watching takes one thread, two file descriptors and one inotify watch for each folder on the
  /// way to a file. It starts when something is observed or an event handler is added, and otherwise
  /// at the first read more than 200 milliseconds after the first use of preferences, so that
  /// programs that end before do without it; what has changed until then is read when it starts.
  public var watchesFiles = true
  /// The time between two checks of a file that cannot be watched: on a network file system, or
  /// when the system has no watches left.
  public var pollingInterval = Duration.milliseconds(500)
  /// The time for which changes are gathered before they are committed. The thread that commits
  /// them ends a few seconds after the last one.
  public var commitDelay = Duration.milliseconds(50)
  /// The longest time by which committing delays the normal end of the process.
  public var exitFlushTimeout = Duration.seconds(3)
  /// Whether failures for which no handler is installed are printed on standard error: files that
  /// cannot be read, domains that cannot be saved, and values that are not of the type of a typed
  /// preference.
  ///
  /// Each line is printed once, and at most 20 lines in a minute. A failure has a handler if
  /// ``PreferencesStore/onEvent(_:)``, the domain's ``PreferencesStore/onSaveFailure(_:)`` or the
  /// one of typed preferences has installed one.
  public var printsFailures = true

  /// The default configuration.
  public init() {}
}
