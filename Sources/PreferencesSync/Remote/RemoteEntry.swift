public import FoundationEssentials

/// What a remote store holds for a key.
public struct RemoteEntry: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The bytes, as a rule those of a ``SyncRecord``.
  public var data: Data
  /// The revision of the store with which they came.
  public var revision: Int64

  /// An entry of bytes for a key.
  public init(key: String, data: Data, revision: Int64) {
    self.key = key
    self.data = data
    self.revision = revision
  }
}
