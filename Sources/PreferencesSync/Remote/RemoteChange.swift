public import FoundationEssentials

/// A change of a key's entry, on condition that the entry still has a certain revision.
public struct RemoteChange: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The new data, normally of a ``SyncRecord``; nil removes the entry.
  public var data: Data?
  /// The revision of the entry to replace or remove; 0 if there must be none.
  public var replacedRevision: Int64

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - data: The new data; nil removes the entry.
  ///   - revision: The revision of the entry to replace or remove; 0 if there must be none.
  public init(key: String, data: Data?, replacing revision: Int64) {
    self.key = key
    self.data = data
    replacedRevision = revision
  }
}

/// The result of a ``RemoteChange``.
public enum RemoteChangeResult: Sendable, Hashable {
  /// The data was stored, or the entry removed, with this revision.
  case stored(revision: Int64)
  /// Nothing has changed, because the current entry is not the one that the change would replace;
  /// nil if there is no entry.
  case conflict(current: RemoteEntry?)
  /// Nothing has changed, because the store will never accept this data, for example because it is
  /// too large. It may accept other data for the same key.
  case rejected(reason: String)
}
