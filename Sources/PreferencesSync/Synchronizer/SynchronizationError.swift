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
  /// and retried until the other one has ended.
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
  /// The format that the store's file is pinned to cannot represent a remote value, or the store
  /// refuses it (`PreferencesStore.Options.valueCheck`). The key keeps its local value
  /// until it gets another one, locally or remotely.
  case unstorableValue(key: String, PreferencesError)
  /// The clock of this machine is ahead of the remote store's by more than
  /// ``PreferencesSynchronizer/Options/clockTolerance``, or behind it if the difference is negative.
  /// Synchronization goes on, with the time of the remote store. This is reported once.
  case clockSkew(Duration)
}

extension SynchronizationError {
  /// Whether the remote store has failed.
  var isOfRemote: Bool { if case .remote = self { true } else { false } }

  /// Whether the remote store has failed in an upload without having contradicted itself, so that its
  /// changes can still be received.
  var leavesStream: Bool {
    if case .remote(RemoteStoreError.inconsistent) = self { false } else { isOfRemote }
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
    case .clockSkew(let skew):
      """
      the clock of this machine is \(Int64(abs(skew / .seconds(1)))) seconds \
      \(skew > .zero ? "ahead of" : "behind") that of the remote store
      """
    }
  }
}
