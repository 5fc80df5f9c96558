public import FoundationEssentials

extension PreferencesSynchronizer {
  /// The state of a synchronizer, for operators and user interfaces.
  public struct Status: Sendable, Equatable {
    /// Whether the last attempt to reach the remote store succeeded and the connection has not been
    /// lost since.
    public var isConnected = false
    /// The address of the server that the remote store is connected to; nil while it is not
    /// connected, and if the remote store does not know the address.
    public var endpoint: String?
    /// All changes up to this revision of the remote store are in the store; 0 before the first
    /// connection.
    public var revision: Int64 = 0
    /// The newest revision that the remote store has delivered. The changes since ``revision`` have
    /// not been merged yet.
    public var remoteRevision: Int64 = 0
    /// The number of keys whose values must still be uploaded. The number includes recent changes,
    /// which may turn out not to need an upload.
    public var pendingKeys = 0
    /// The number of keys whose synchronization an error has stopped.
    public var stoppedKeys = 0
    /// Whether the last attempt to upload changes has failed; ``lastError`` has the reason. Changes
    /// by other machines are still received.
    public var isUploadFailing = false
    /// The error of the store's file or of the state file that stops all keys, whether or not the
    /// remote store is connected; nil if there is none. Both are tried again.
    public var fileError: SynchronizationError?
    /// The last error that was reported. It may no longer apply.
    public var lastError: SynchronizationError?
    /// When the last error was reported, by the clock of this machine.
    public var lastErrorDate: Date?
    /// When the remote store last delivered something or answered a call of this synchronizer, by the
    /// clock of this machine; nil if it never did.
    public var lastContact: Date?
    /// The time of this machine minus the remote store's; nil if that is unknown.
    public var clockSkew: Duration?

    /// Creates the status of a synchronizer that has not begun.
    public init() {}
  }
}
