/// The entries of a remote store at one revision.
public struct RemoteSnapshot: Sendable, Hashable {
  /// The entries, one for each key, in any order.
  public var entries: [RemoteEntry]
  /// The revision of the snapshot: it contains all puts up to this revision and none after it.
  public var revision: Int64

  /// Creates a snapshot of entries at a revision.
  public init(entries: [RemoteEntry], revision: Int64) {
    self.entries = entries
    self.revision = revision
  }
}
