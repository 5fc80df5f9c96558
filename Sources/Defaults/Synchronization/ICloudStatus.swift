public import FoundationEssentials
public import PreferencesSync

extension Defaults.iCloud {
  /// The state of synchronization of all domains with synchronized keys.
  public struct Status: Sendable, Equatable {
    /// The status of each domain with synchronized keys, by its name; empty while there is no remote
    /// store.
    public var domains: [String: PreferencesSynchronizer.Status]

    /// Creates a status from those of the domains.
    public init(domains: [String: PreferencesSynchronizer.Status]) {
      self.domains = domains
    }

    /// Whether there are domains and all of them are connected.
    public var isConnected: Bool { !domains.isEmpty && domains.values.allSatisfy(\.isConnected) }

    /// Whether values are still to be uploaded, or a domain was never in contact with the remote store.
    public var isSyncing: Bool {
      domains.values.contains { $0.pendingKeys > 0 || $0.lastContact == nil }
    }

    /// The number of keys whose values are to be uploaded.
    public var pendingKeys: Int { domains.values.reduce(0) { $0 + $1.pendingKeys } }

    /// The number of keys whose synchronization an error has stopped.
    public var stoppedKeys: Int { domains.values.reduce(0) { $0 + $1.stoppedKeys } }

    /// The last error that was reported. It may have passed since.
    public var lastError: SynchronizationError? {
      domains.values.filter { $0.lastErrorDate != nil }
        .max { $0.lastErrorDate! < $1.lastErrorDate! }?.lastError
    }

    /// When the remote store answered last, by the clock of this machine; nil if it never did.
    public var lastContact: Date? { domains.values.compactMap(\.lastContact).max() }
  }
}
