internal import Threading

extension PreferencesStore {
  /// What the library does in a process on its own account, and how.
  public struct RuntimeConfiguration: Sendable, Hashable {
    /// Whether files are watched, so that what other processes save is seen without a call. That takes
    /// one thread, two descriptors and a watch for each folder that is on the way to a file.
    public var watchesFiles = true
    /// How often files are looked at that cannot be watched: on network file systems, or where the
    /// system has no more watches.
    public var pollingInterval = Duration.milliseconds(500)
    /// How long changes gather before they are saved. A thread saves them that lives as long as there
    /// are any, and some seconds more.
    public var commitDelay = Duration.milliseconds(50)
    /// How long saving may hold up the normal end of the process.
    public var exitFlushTimeout = Duration.seconds(3)

    /// The defaults of all.
    public init() {}
  }

  private static let configuration = Lock(RuntimeConfiguration())

  /// What the library does in this process on its own account; what is set counts from then on, also for
  /// stores that are there already.
  public static var runtimeConfiguration: RuntimeConfiguration {
    get { configuration.withLock { $0 } }
    set {
      configuration.withLock { $0 = newValue }
      FileWatching.apply(newValue)
    }
  }
}
