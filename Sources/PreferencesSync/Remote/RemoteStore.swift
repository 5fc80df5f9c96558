public import FoundationEssentials

/// A key-value store with revisions that machines use to exchange their values.
///
/// The store assigns each change a positive revision that is greater than all earlier ones; changes
/// that are applied together may share one. Keys differ when their UTF-8 bytes differ. The store
/// does not interpret the data; it only decides whether a change conflicts.
///
/// All requirements may be called concurrently. A call that cannot reach the store within
/// reasonable time throws; it is then unknown whether its changes took place. Every call, and every
/// iteration of ``changes(after:)``, ends when its task is canceled.
///
/// The library `PreferencesSyncTesting` checks implementations against this contract; see
/// <doc:WritingARemoteStore>.
public protocol RemoteStore: Sendable {
  /// Returns all entries as of one revision.
  ///
  /// - Throws: Any error if the store cannot be reached.
  func entries() async throws -> RemoteSnapshot

  /// Returns the entry that a key has, or had at a revision; nil if there is none.
  ///
  /// The default reads all entries, and does not know earlier revisions.
  ///
  /// - Parameters:
  ///   - key: The key of the entry.
  ///   - revision: A revision; nil for the present.
  /// - Throws: ``RemoteStoreError/revisionCompacted`` if the store no longer has the revision, or
  ///   has not reached it; any error if the store cannot be reached.
  func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry?

  /// Applies changes in order. Each change is atomic, and succeeds or fails regardless of the
  /// others.
  ///
  /// A store that has transactions applies many changes in each, so that few round trips are needed
  /// and other clients see the changes of a transaction at once. The store decides how many, and
  /// accepts any number.
  ///
  /// - Returns: The result of each change, in the order of the changes.
  /// - Throws: An error. Any of the changes may have been made.
  func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult]

  /// Applies changes in one transaction with a change of another part of the store.
  ///
  /// With this, the synchronizer records in the registry what it uploads. If an answer is lost,
  /// this record shows whether the changes were made, even if the entries have been removed since.
  /// The default implementation returns nil.
  ///
  /// - Parameters:
  ///   - changes: Changes of different keys, at most 100.
  ///   - other: The change of the other part.
  ///   - part: The other part, which may belong to a different store.
  /// - Returns: The result of each change, and then of the other part's change. If any of them
  ///   conflicts or is rejected, nothing has changed, and each of the others conflicts with the
  ///   entry that it would replace. If the store cannot make these changes together, nothing has
  ///   changed, and the result is nil.
  /// - Throws: An error. All changes may have been made.
  func apply(
    _ changes: [RemoteChange], with other: RemoteChange, of part: any RemoteStore
  ) async throws -> [RemoteChangeResult]?

  /// Returns the changes after a revision, in ascending order of revisions: first existing changes,
  /// then new ones as they are made.
  ///
  /// The stream ends only by throwing: any error if the connection is lost, and then iteration may
  /// resume from the revision of the last update received, or
  /// ``RemoteStoreError/revisionCompacted`` if the store no longer has the history since that
  /// revision.
  func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error>

  /// The latest answer, of a call or within a stream; nil if there was none, or if the store does
  /// not know, which is the default.
  ///
  /// From the server's date, a machine notices that its own clock is wrong.
  var latestContact: RemoteContact? { get }

  /// Asks each server for the time by its clock, so that a machine whose clock differs from a
  /// server's can find out which clock is wrong.
  ///
  /// - Returns: The answer of each server that gave one; by default, the latest contact alone.
  func contacts() async -> [RemoteContact]
}

extension RemoteStore {
  /// Nil: the store does not know.
  public var latestContact: RemoteContact? { nil }

  /// The latest contact alone.
  public func contacts() async -> [RemoteContact] { [latestContact].compactMap(\.self) }

  /// Nil: the store cannot make these changes together.
  public func apply(
    _ changes: [RemoteChange], with other: RemoteChange, of part: any RemoteStore
  ) async -> [RemoteChangeResult]? { nil }

  /// The present entry, found among all entries.
  ///
  /// - Throws: ``RemoteStoreError/revisionCompacted`` for any revision, or the error of ``entries()``.
  public func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry? {
    guard revision == nil else { throw RemoteStoreError.revisionCompacted }
    return try await entries().entries.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// Applies one change.
  private func apply(_ change: RemoteChange) async throws -> RemoteChangeResult {
    let results = try await apply([change])
    guard let result = results.first, results.count == 1 else {
      throw RemoteStoreError.inconsistent(key: change.key)
    }
    return result
  }

  /// Atomically replaces the entry of a key, if it still has a certain revision.
  ///
  /// - Parameters:
  ///   - data: The new data, normally of a ``SyncRecord``.
  ///   - key: The key.
  ///   - revision: The revision of the entry to replace; 0 if there must be none.
  /// - Returns: The result of the change.
  /// - Throws: An error. The change may have been made.
  public func put(
    _ data: Data, forKey key: String, replacing revision: Int64
  ) async throws -> RemoteChangeResult {
    try await apply(RemoteChange(key: key, data: data, replacing: revision))
  }

  /// Atomically removes the entry of a key, if it still has a certain revision.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - revision: The revision of the entry to remove.
  /// - Returns: The result of the change.
  /// - Throws: An error. The change may have been made.
  public func removeEntry(
    forKey key: String, replacing revision: Int64
  ) async throws -> RemoteChangeResult {
    try await apply(RemoteChange(key: key, data: nil, replacing: revision))
  }
}
