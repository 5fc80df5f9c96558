extension PreferencesSynchronizer {
  /// Timing of uploads and retries.
  public struct Options: Sendable, Hashable {
    /// The time for which changes are collected after an upload, unless a caller waits for
    /// completion.
    public var uploadInterval = Duration.milliseconds(200)
    /// The longest delay before a retry after the first failure, and the longest delay of all. It
    /// doubles with each failure; the actual delay is a random time between half of it and all of
    /// it.
    public var retryDelays = Duration.seconds(1)...Duration.seconds(300)

    /// Creates the default options.
    public init() {}
  }
}
