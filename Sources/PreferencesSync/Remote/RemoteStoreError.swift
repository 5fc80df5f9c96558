/// Why a remote store did not do what it was asked to.
public enum RemoteStoreError: Error, Sendable, Hashable {
  /// The store cannot be reached, or not any longer.
  case unreachable
  /// The store does not know any longer what has changed since a revision; its entries have to be read
  /// anew.
  case revisionCompacted
  /// The store never takes the bytes of a put, because they are too many, say. Others of the same key it may
  /// take.
  case rejected(reason: String)
  /// The store refused a put for an entry that it had been told of, or has given one entry another
  /// revision.
  case contradiction(key: String)
}

extension RemoteStoreError: CustomStringConvertible {
  /// One line of text.
  public var description: String {
    switch self {
    case .unreachable: "the remote store cannot be reached"
    case .revisionCompacted: "the remote store does not know any longer what has changed since then"
    case .rejected(let reason): "the remote store does not take the entry: \(reason)"
    case .contradiction(let key): "the remote store contradicts itself (key \(key))"
    }
  }
}
