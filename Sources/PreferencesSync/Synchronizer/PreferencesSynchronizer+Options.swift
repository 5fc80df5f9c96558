extension PreferencesSynchronizer {
  /// Timing of uploads and retries, and what is done about wrong clocks.
  public struct Options: Sendable, Hashable {
    /// The time for which changes are collected after an upload, unless a caller waits for
    /// completion.
    public var uploadInterval = Duration.milliseconds(200)
    /// The longest delay before a retry after the first failure, and the longest delay of all. It
    /// doubles with each failure; the actual delay is a random time between half of it and all of
    /// it.
    public var retryDelays = Duration.seconds(1)...Duration.seconds(300)

    /// How far the clock of this machine may be from the remote store's, if that is known. Beyond it,
    /// ``SynchronizationError/clockSkew(_:)`` is reported, and changes get the time of the remote store.
    public var clockTolerance = Duration.seconds(300)

    /// Creates the default options.
    public init() {}
  }
}
