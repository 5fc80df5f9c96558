public import FoundationEssentials

/// A key-value store with revisions, through which machines exchange their values.
///
/// The store assigns each put a revision of 1 or greater that is greater than all revisions before.
/// Keys differ when their UTF-8 bytes differ. Entries are never removed: the removal of a value is
/// a record, too. The store does not interpret the data, and decides nothing but whether a put
/// conflicts.
///
/// All requirements may be called concurrently. A call that cannot reach the store within
/// reasonable time throws; whether a put that threw took place is then unknown. Every call, and
/// every iteration of ``changes(after:)``, ends when its task is canceled.
///
/// The library `PreferencesSyncTesting` checks implementations against this contract; see
/// <doc:WritingARemoteStore>.
public protocol RemoteStore: Sendable {
  /// Returns all entries as of one revision.
  func entries() async throws -> RemoteSnapshot

  /// Atomically replaces the entry of a key, provided that it still has a certain revision.
  ///
  /// - Parameters:
  ///   - data: The new data, normally that of a ``SyncRecord``.
  ///   - key: The key.
  ///   - revision: The revision of the entry to replace; 0 if there must be none.
  /// - Returns: ``RemotePutResult/stored(revision:)``, or ``RemotePutResult/conflict(current:)`` if
  ///   the current entry is another one; then nothing has changed.
  /// - Throws: ``RemoteStoreError/rejected(reason:)`` if a retry with the same data is pointless.
  ///   After any other error the put is retried.
  func put(
    _ data: Data, forKey key: String, replacing revision: Int64
  ) async throws -> RemotePutResult

  /// Returns the entries put after a revision, each once and in ascending order of revisions: first
  /// those of earlier puts, then new ones as they are put.
  ///
  /// Of several puts to one key only the last has to be delivered. The stream ends only by
  /// throwing: any error if the connection is lost, after which iteration may resume from the
  /// revision of the last entry received, or ``RemoteStoreError/revisionCompacted`` if the store no
  /// longer has the history since that revision.
  func changes(after revision: Int64) -> AsyncThrowingStream<RemoteEntry, any Error>
}
