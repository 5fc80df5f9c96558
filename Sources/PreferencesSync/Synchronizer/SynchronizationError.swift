public import Preferences

/// An error that interrupts the synchronization of one key or of all keys.
public enum SynchronizationError: Error, Sendable {
  /// The remote store failed; the operation is retried.
  case remote(any Error)
  /// The file of the store's own domain cannot be read or saved; the operation is retried.
  case store(PreferencesError)
  /// The state file cannot be read or saved; the operation is retried. The file is never
  /// overwritten while it cannot be read.
  case stateFile(PreferencesError)
  /// Another synchronizer, in this or another process, uses the state file. This is reported once,
  /// and retried until the other synchronizer has ended.
  case stateFileLocked(path: String)
  /// The state file holds an invalid entry for a key. Synchronization of the key stops until it is
  /// removed and added again.
  case corruptState(key: String)
  /// The remote store holds data for a key that is not a record. Synchronization of the key stops
  /// until the remote store holds other data.
  case unreadableRecord(key: String, SyncRecordError)
  /// A local value cannot be encoded as a record. Synchronization of the key stops until it has
  /// another value.
  case unencodableValue(key: String, SyncRecordError)
  /// The remote store permanently rejects the value of a key. Synchronization of the key stops
  /// until it has another value.
  case rejectedValue(key: String, reason: String)
  /// The fixed format of the store's file cannot represent a remote value, or the store refuses it
  /// (`PreferencesStore.Options.valueCheck`). The key keeps its local value until it gets a new
  /// one, locally or remotely.
  case unstorableValue(key: String, PreferencesError)
  /// The store's file already has stamps for the maximum number of keys. This key is not
  /// synchronized.
  case tooManyKeys(key: String)
  /// A program that does not use Larder has removed most synchronized keys of the store at once. Their
  /// values are restored.
  case restoredValues(count: Int)
  /// The clock of this machine is ahead of the remote store's by more than
  /// ``PreferencesSynchronizer/Options/clockTolerance``, or behind it if the difference is
  /// negative. Either may be wrong. Synchronization continues, and this is reported once.
  case clockSkew(Duration)
}

extension SynchronizationError {
  /// Whether an upload to the remote store has failed without a contradiction, so that its changes
  /// can still be received.
  var leavesStream: Bool {
    if case .remote(RemoteStoreError.inconsistent) = self { false } else { isOfRemote }
  }
}

extension SynchronizationError: Equatable {
  /// Returns whether two errors have the same text.
  public static func == (left: SynchronizationError, right: SynchronizationError) -> Bool {
    "\(left)" == "\(right)"
  }
}

extension SynchronizationError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .remote(let error): "\(error)"
    case .store(let error), .stateFile(let error): "\(error)"
    case .stateFileLocked(let path): "\(path): the state file is in use by another synchronizer"
    case .corruptState(let key): "the state file holds an invalid entry for the key \(key)"
    case .unreadableRecord(let key, let error):
      "the remote store holds an invalid record for the key \(key): \(error)"
    case .unencodableValue(let key, let error):
      "the value of the key \(key) cannot be uploaded: \(error)"
    case .rejectedValue(let key, let reason):
      "the remote store rejected the value of the key \(key): \(reason)"
    case .unstorableValue(let key, let error):
      "the remote value of the key \(key) cannot be stored: \(error)"
    case .tooManyKeys(let key):
      "the key \(key) is not synchronized: the file of the store keeps track of too many others"
    case .restoredValues(let count):
      "another program has removed \(count) keys, most of those that are synchronized; they are restored"
    case .clockSkew(let skew):
      """
      the clock of this machine is \(Int64(abs(skew / .seconds(1)))) seconds \
      \(skew > .zero ? "ahead of" : "behind") that of the remote store
      """
    }
  }
}
