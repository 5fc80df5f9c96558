public import FoundationEssentials

extension PreferencesSynchronizer {
  /// The state of a synchronizer, for operators and user interfaces.
  public struct Status: Sendable, Equatable {
    /// Whether the last attempt to reach the remote store succeeded and the connection has not been
    /// lost since.
    public var isConnected = false
    /// The address of the server that the remote store is connected to; nil while it is not, and if
    /// the remote store does not tell.
    public var endpoint: String?
    /// The revision of the remote store up to which all changes are in the store; 0 before the first
    /// connection.
    public var revision: Int64 = 0
    /// The newest revision that the remote store has delivered. The changes since ``revision`` are
    /// still to be merged.
    public var remoteRevision: Int64 = 0
    /// The number of keys whose values are to be uploaded. Changes made just now count, though they
    /// may turn out to be none.
    public var pendingKeys = 0
    /// The number of keys whose synchronization an error has stopped.
    public var stoppedKeys = 0
    /// Whether the last attempt to upload changes has failed, for a reason that ``lastError`` tells. The
    /// other machines' changes are still received.
    public var isUploadFailing = false
    /// The error of the store's file or of the state file that stops all keys, whether or not the
    /// remote store is connected; nil if there is none. Both are tried again.
    public var fileError: SynchronizationError?
    /// The last error that was reported. It may have passed since.
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

    /// Returns whether two statuses are the same; errors are if their texts are.
    public static func == (left: Status, right: Status) -> Bool {
      left.isConnected == right.isConnected && left.endpoint == right.endpoint
        && left.revision == right.revision && left.remoteRevision == right.remoteRevision
        && left.pendingKeys == right.pendingKeys && left.stoppedKeys == right.stoppedKeys
        && left.isUploadFailing == right.isUploadFailing
        && left.fileError?.description == right.fileError?.description
        && left.lastError?.description == right.lastError?.description
        && left.lastErrorDate == right.lastErrorDate && left.lastContact == right.lastContact
        && left.clockSkew == right.clockSkew
    }
  }
}
