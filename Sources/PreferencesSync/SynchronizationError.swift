public import Preferences

/// Why synchronisation does not get on.
public enum SynchronizationError: Error, Sendable {
  /// The remote store failed; it is tried again.
  case remote(any Error)
  /// The store's own file cannot be read or saved; it is tried again.
  case store(PreferencesError)
  /// The file of what is to be uploaded cannot be read or saved; it is tried again, and never overwritten
  /// while it cannot be read.
  case queue(PreferencesError)
  /// The file of what is to be uploaded says something about a key that has no meaning. The key stops until
  /// it is removed and added again.
  case malformedQueue(key: String)
  /// The remote store holds bytes for a key that are no record. The key stops until it holds others.
  case unreadableRecord(key: String, SyncRecordError)
  /// A value cannot be uploaded. The key stops until it has another one.
  case unsendableValue(key: String, SyncRecordError)
}

extension SynchronizationError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .remote(let error): "\(error)"
    case .store(let error), .queue(let error): "\(error)"
    case .malformedQueue(let key): "what is remembered of the key \(key) has no meaning"
    case .unreadableRecord(let key, let error):
      "the remote store holds no record for the key \(key): \(error)"
    case .unsendableValue(let key, let error):
      "the value of the key \(key) cannot be uploaded: \(error)"
    }
  }
}
