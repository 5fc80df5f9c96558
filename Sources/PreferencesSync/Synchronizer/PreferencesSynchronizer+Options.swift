extension PreferencesSynchronizer {
  /// How often a synchronizer troubles the remote store.
  public struct Options: Sendable, Hashable {
    /// How long changes gather after an upload before the next one, unless somebody waits for it.
    public var uploadInterval = Duration.milliseconds(200)
    /// How long to wait at most before something is tried again: after the first failure, and after many.
    /// It doubles in between, and between half of it and all of it is waited for.
    public var retryDelays = Duration.seconds(1)...Duration.seconds(300)

    /// The defaults of all.
    public init() {}
  }
}
