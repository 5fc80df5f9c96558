/// An error of a remote store that synchronization handles specially.
public enum RemoteStoreError: Error, Sendable, Hashable {
  /// The store cannot be reached, or the connection was lost.
  case unreachable
  /// The store has compacted its history beyond the requested revision; a new snapshot is needed.
  case revisionCompacted
  /// The store reported a conflict for a key although its entry is not newer than the revision in
  /// the change, or returned no result for the key.
  case inconsistent(key: String)
}

extension RemoteStoreError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .unreachable: "the remote store cannot be reached"
    case .revisionCompacted:
      "the remote store no longer has the changes since the requested revision"
    case .inconsistent(let key):
      "the remote store gave no consistent answer for the key \(key)"
    }
  }
}
