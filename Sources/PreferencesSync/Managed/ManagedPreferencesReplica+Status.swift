public import FoundationEssentials

extension ManagedPreferencesReplica {
  /// The state of a replica, for operators and user interfaces.
  public struct Status: Sendable, Equatable {
    /// Whether the last attempt to reach the remote store succeeded and the connection has not been
    /// lost since.
    public var isConnected = false
    /// The address of the server that the remote store is connected to; nil while it is not
    /// connected, and if the remote store does not know the address.
    public var endpoint: String?
    /// The last revision of the remote store that this run or an earlier one has seen; 0 for none.
    public var revision: Int64 = 0
    /// The last error, which may no longer apply; nil if there was none.
    public var lastError: ManagedPreferencesError?
    /// When the last error occurred, by the clock of this machine.
    public var lastErrorDate: Date?
    /// When the remote store answered last, by the clock of this machine; nil if it has not.
    public var lastContact: Date?
    /// The time of this machine minus the remote store's; nil if that is unknown.
    public var clockSkew: Duration?
    /// The domains that the replica manages or that the remote store has keys of, sorted by name.
    public var domains: [Domain] = []

    /// Whether everything that was received is in the files.
    public var isComplete: Bool { domains.allSatisfy { $0.error == nil } }

    /// Creates the status of a replica that has done nothing yet.
    public init() {}
  }
}

extension ManagedPreferencesReplica.Status {
  /// A domain.
  public struct Domain: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The path of the managed file.
    public var path: String
    /// The number of keys of the remote store that are in the file; nil if it is not known because
    /// the remote store was not reached in this run, or if the file does not have the keys.
    public var keyCount: Int?
    /// Why the file differs from the remote store; nil if it does not, or if that is not known.
    public var error: ManagedPreferencesError?

    /// Creates the status of a domain.
    public init(
      name: String, path: String, keyCount: Int? = nil, error: ManagedPreferencesError? = nil
    ) {
      self.name = name
      self.path = path
      self.keyCount = keyCount
      self.error = error
    }
  }
}
