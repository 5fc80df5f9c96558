extension PreferencesSynchronizer {
  /// Timing of uploads and retries, of the registry, and what is done about wrong clocks.
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

    /// How long a machine waits, at most, before it notes again in the registry what it has seen, and
    /// checks whether removals have to be collected. The actual time is a random one between half of
    /// this and all of it. A mark is written only after changes, or to say that the machine exists.
    public var markInterval = Duration.seconds(6 * 3600)
    /// How often removals are collected, by one of the machines.
    public var collectionInterval = Duration.seconds(24 * 3600)
    /// The age at which the record of a removal is collected even if machines have not seen it.
    public var removalLifetime = Duration.seconds(90 * 86_400)
    /// How long a machine is waited for that does not note anything. Then it is dropped from the
    /// registry until it does.
    public var machineLifetime = Duration.seconds(30 * 86_400)

    /// Creates the default options.
    public init() {}
  }
}
