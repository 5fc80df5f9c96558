public import FoundationEssentials

/// Where the values of all machines meet: keys with bytes, and a count of their changes.
///
/// Each put gets a revision of its own, greater than all before, and 1 or greater. Keys are told apart by
/// their bytes. Nothing is ever removed: that a value was deleted is a record, too. The store knows nothing
/// of what the bytes mean, and decides nothing but whether a put comes in time.
///
/// Calls may come from many tasks at a time. One that cannot reach the store, or not soon, throws; after
/// that it is open whether a put took place. All end when their task is canceled.
public protocol RemoteStore: Sendable {
  /// All entries, as they are at one moment.
  func entries() async throws -> RemoteSnapshot

  /// Puts bytes in the place of those that came with a certain revision, in one step.
  ///
  /// - Parameters:
  ///   - data: The bytes, as a rule those of a ``SyncRecord``.
  ///   - key: The key.
  ///   - revision: The revision of the entry that is to be replaced; 0 where there must be none.
  /// - Returns: What the store holds where that is another entry; nothing has changed then.
  /// - Throws: ``RemoteStoreError/rejected(reason:)`` where it is useless to try again; otherwise anything.
  func put(
    _ data: Data, forKey key: String, replacing revision: Int64
  ) async throws -> RemotePutResult

  /// The entries that are put after a revision, each once and in the order of their revisions: first those
  /// that were put before this call, then others as they come.
  ///
  /// Of several puts to one key only the last need be given. The stream ends by throwing: when the
  /// connection is lost, after which it can be continued from the revision of the last entry that it gave,
  /// or with ``RemoteStoreError/revisionCompacted`` where the store does not know any longer what happened then.
  func changes(after revision: Int64) -> AsyncThrowingStream<RemoteEntry, any Error>
}
