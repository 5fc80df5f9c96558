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
