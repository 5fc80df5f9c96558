extension PreferencesSynchronizer {
  /// Timing of uploads and retries, of the registry, and the handling of wrong clocks.
  public struct Options: Sendable, Hashable {
    /// How long changes are collected after an upload, unless a caller waits for completion.
    public var uploadInterval = Duration.milliseconds(200)
    /// The longest delay before a retry after the first failure, and the longest delay of all. It
    /// doubles with each failure; the actual delay is a random time between half of it and all of
    /// it.
    public var retryDelays = RetryBackoff.usual

    /// How far the clock of this machine may be from the remote store's, if that is known. Beyond it,
    /// ``SynchronizationError/clockSkew(_:)`` is reported, and unless the kernel says that this
    /// machine's clock is synchronized, changes get the time on which the remote store's servers agree.
    /// A single server does not change the time by more than this.
    public var clockTolerance = Duration.seconds(300)

    /// The longest time until a machine records again in the registry what it has seen, and checks
    /// whether removals are due for collection. The actual time is random, between half of this and
    /// all of it. A mark is written only after changes, or to show that the machine exists.
    public var markInterval = Duration.seconds(6 * 3600)
    /// How often removals are collected, by one of the machines.
    public var collectionInterval = Duration.seconds(24 * 3600)
    /// At this age, the record of a removal is collected even if some machines have not seen it.
    public var removalLifetime = Duration.seconds(90 * 86_400)
    /// How long removals wait for a machine that does not write a mark. Its last mark stays in the
    /// registry for a year.
    public var machineLifetime = Duration.seconds(30 * 86_400)

    /// Creates the default options.
    public init() {}
  }
}
