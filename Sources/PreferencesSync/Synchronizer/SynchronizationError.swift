public import Preferences

/// Why synchronization does not get on.
public enum SynchronizationError: Error, Sendable {
  /// The remote store failed; it is tried again.
  case remote(any Error)
  /// The store's own file cannot be read or saved; it is tried again.
  case store(PreferencesError)
  /// The file of what is to be uploaded cannot be read or saved; it is tried again, and never overwritten
  /// while it cannot be read.
  case queue(PreferencesError)
  /// Another synchronizer, of this process or another one, uses the file of what is to be uploaded. That is
  /// told once, and tried again until the other one has ended.
  case stateFileLocked(path: String)
  /// The file of what is to be uploaded says something about a key that has no meaning. The key stops until
  /// it is removed and added again.
  case corruptState(key: String)
  /// The remote store holds bytes for a key that are no record. The key stops until it holds others.
  case unreadableRecord(key: String, SyncRecordError)
  /// A value cannot be uploaded. The key stops until it has another one.
  case unsendableValue(key: String, SyncRecordError)
  /// The remote store never takes the value of a key. The key stops until it has another one.
  case rejectedValue(key: String, reason: String)
  /// The store's own file is held to a format that cannot hold a value of the remote store. The key keeps what
  /// it has here until it gets another one, here or there.
  case unstorableValue(key: String)
}

extension SynchronizationError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .remote(let error): "\(error)"
    case .store(let error), .queue(let error): "\(error)"
    case .stateFileLocked(let path): "\(path): another synchronizer uses the file"
    case .corruptState(let key): "what is remembered of the key \(key) has no meaning"
    case .unreadableRecord(let key, let error):
      "the remote store holds no record for the key \(key): \(error)"
    case .unsendableValue(let key, let error):
      "the value of the key \(key) cannot be uploaded: \(error)"
    case .rejectedValue(let key, let reason):
      "the remote store does not take the value of the key \(key): \(reason)"
    case .unstorableValue(let key):
      "the format of the store's file cannot hold the value that the remote store has for the key \(key)"
    }
  }
}
