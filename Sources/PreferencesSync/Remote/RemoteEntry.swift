public import FoundationEssentials

/// The data that a remote store holds for a key, and its revision.
public struct RemoteEntry: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The data, normally that of a ``SyncRecord``.
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

/// Changes of a remote store that follow one another: together with those before, they are all
/// changes up to a revision.
public struct RemoteUpdate: Sendable, Hashable {
  /// The entries put since the update before, one for each key, in ascending order of revisions.
  /// Of several puts to a key only the last has to be among them.
  public var entries: [RemoteEntry]
  /// The keys whose entries were removed since the update before and not put again.
  public var removedKeys: [String]
  /// All changes up to this revision are known. It is greater than that of the update before.
  public var revision: Int64

  /// Creates an update.
  public init(entries: [RemoteEntry], removedKeys: [String] = [], revision: Int64) {
    self.entries = entries
    self.removedKeys = removedKeys
    self.revision = revision
  }
}
