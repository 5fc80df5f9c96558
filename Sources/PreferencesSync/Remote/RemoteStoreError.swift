/// An error of a remote store that synchronization handles specially.
public enum RemoteStoreError: Error, Sendable, Hashable {
  /// The store cannot be reached, or the connection was lost.
  case unreachable
  /// The store has compacted its history beyond the requested revision; a new snapshot is needed.
  case revisionCompacted
  /// The store permanently rejects the data of a put, for example because it is too large. It may
  /// accept other data for the same key.
  case rejected(reason: String)
  /// The store reported a conflict for a key without an entry newer than the one that the put
  /// named.
  case inconsistent(key: String)
}

extension RemoteStoreError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .unreachable: "the remote store cannot be reached"
    case .revisionCompacted:
      "the remote store no longer has the changes since the requested revision"
    case .rejected(let reason): "the remote store rejected the entry: \(reason)"
    case .inconsistent(let key):
      "the remote store reported a conflict for the key \(key) without a newer entry"
    }
  }
}
