/// What a remote store holds at one moment.
public struct RemoteSnapshot: Sendable, Hashable {
  /// The entries, one a key, in any order.
  public var entries: [RemoteEntry]
  /// The revision up to which all puts are in them, and none of a later one.
  public var revision: Int64

  /// Entries as they are at a revision.
  public init(entries: [RemoteEntry], revision: Int64) {
    self.entries = entries
    self.revision = revision
  }
}
