public import FoundationEssentials

/// A key-value store with revisions, through which machines exchange their values.
///
/// The store assigns each change a revision of 1 or greater that is greater than all revisions
/// before; changes that are applied together may share one. Keys differ when their UTF-8 bytes
/// differ. The store does not interpret the data, and decides nothing but whether a change
/// conflicts.
///
/// All requirements may be called concurrently. A call that cannot reach the store within
/// reasonable time throws; whether changes that threw took place is then unknown. Every call, and
/// every iteration of ``changes(after:)``, ends when its task is canceled.
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
  /// The default reads all entries, and knows nothing of earlier revisions.
  ///
  /// - Parameters:
  ///   - key: The key of the entry.
  ///   - revision: A revision; nil for the present.
  /// - Throws: ``RemoteStoreError/revisionCompacted`` if the store does not have the revision anymore,
  ///   or has not come to it; any error if the store cannot be reached.
  func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry?

  /// Applies changes in their order. Each is atomic, and takes place or not regardless of the
  /// others.
  ///
  /// A store that has transactions applies many changes in each, so that few round trips are needed
  /// and other clients see the changes of a transaction at once. How many changes those are is up
  /// to the store, which accepts any number.
  ///
  /// - Returns: The result of each change, in the order of the changes.
  /// - Throws: An error after which any of the changes may have taken place.
  func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult]

  /// Returns the changes after a revision, in ascending order of revisions: first earlier ones,
  /// then new ones as they are made.
  ///
  /// The stream ends only by throwing: any error if the connection is lost, after which iteration
  /// may resume from the revision of the last update received, or
  /// ``RemoteStoreError/revisionCompacted`` if the store no longer has the history since that
  /// revision.
  func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error>

  /// The latest answer, of a call or within a stream; nil if there was none, or if the store does
  /// not know, which is the default.
  ///
  /// By the date of the server, a machine notices that its own clock is wrong.
  var latestContact: RemoteContact? { get }
}

extension RemoteStore {
  /// Nil: the store does not know.
  public var latestContact: RemoteContact? { nil }

  /// The present entry, found among all.
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

  /// Atomically replaces the entry of a key, provided that it still has a certain revision.
  ///
  /// - Parameters:
  ///   - data: The new data, normally that of a ``SyncRecord``.
  ///   - key: The key.
  ///   - revision: The revision of the entry to replace; 0 if there must be none.
  /// - Returns: The result of the change.
  /// - Throws: An error after which the change may have taken place.
  public func put(
    _ data: Data, forKey key: String, replacing revision: Int64
  ) async throws -> RemoteChangeResult {
    try await apply(RemoteChange(key: key, data: data, replacing: revision))
  }

  /// Atomically removes the entry of a key, provided that it still has a certain revision.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - revision: The revision of the entry to remove.
  /// - Returns: The result of the change.
  /// - Throws: An error after which the change may have taken place.
  public func removeEntry(
    forKey key: String, replacing revision: Int64
  ) async throws -> RemoteChangeResult {
    try await apply(RemoteChange(key: key, data: nil, replacing: revision))
  }
}
