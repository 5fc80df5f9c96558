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
