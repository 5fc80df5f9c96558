public import FoundationEssentials

/// The data that a remote store holds for a key, and its revision.
public struct RemoteEntry: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The data, normally of a ``SyncRecord``.
  public var data: Data
  /// The revision that the store assigned to the put of this data.
  public var revision: Int64

  /// Creates an entry.
  public init(key: String, data: Data, revision: Int64) {
    self.key = key
    self.data = data
    self.revision = revision
  }
}

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

/// Consecutive changes of a remote store. Together with the previous updates, they are all changes
/// up to a revision.
public struct RemoteUpdate: Sendable, Hashable {
  /// The entries put since the previous update, one for each key, in ascending order of revisions.
  /// Earlier puts to the same key may be missing.
  public var entries: [RemoteEntry]
  /// The keys whose entries were removed since the previous update and not put again.
  public var removedKeys: [String]
  /// All changes up to this revision are known. It is greater than in the previous update.
  public var revision: Int64

  /// Creates an update.
  public init(entries: [RemoteEntry], removedKeys: [String] = [], revision: Int64) {
    self.entries = entries
    self.removedKeys = removedKeys
    self.revision = revision
  }
}
