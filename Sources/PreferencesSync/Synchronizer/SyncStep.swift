/// A step of a synchronizer, to find out why a value does not arrive.
package enum SyncStep: Sendable, Hashable {
  /// The records of the remote store were read.
  case connected
  /// The remote store has a new record of a key.
  case received(key: String)
  /// The remote value of a key was written to the store, or the key was removed.
  case storedLocally(key: String)
  /// A record of a key is about to be uploaded.
  case uploading(key: String)
  /// The record of a key was uploaded.
  case uploaded(key: String)
  /// The upload of a key was refused, because the remote store already has another record.
  case overtaken(key: String)
}

extension SyncStep: CustomStringConvertible {
  /// One line of text, without the value.
  package var description: String {
    switch self {
    case .connected: "read the records of the remote store"
    case .received(let key): "\(key): the remote store has a new record"
    case .storedLocally(let key): "\(key): the remote value was stored"
    case .uploading(let key): "\(key): uploading"
    case .uploaded(let key): "\(key): uploaded"
    case .overtaken(let key): "\(key): not uploaded; the remote store now has another record"
    }
  }
}
