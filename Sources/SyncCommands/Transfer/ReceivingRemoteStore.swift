internal import PreferencesSync

/// A remote store that delivers values and refuses all changes.
struct ReceivingRemoteStore: RemoteStore {
  /// The error of every change. The synchronizer has merged and saved what it has received when it makes
  /// one.
  struct LeavesOutUploads: Error {}

  private let remote: any RemoteStore

  init(_ remote: any RemoteStore) { self.remote = remote }

  func entries() async throws -> RemoteSnapshot { try await remote.entries() }

  func entry(forKey key: String, at revision: Int64?) async throws -> RemoteEntry? {
    try await remote.entry(forKey: key, at: revision)
  }

  func apply(_ changes: [RemoteChange]) async throws -> [RemoteChangeResult] {
    if changes.isEmpty { return [] }
    throw LeavesOutUploads()
  }

  func changes(after revision: Int64) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    remote.changes(after: revision)
  }
}
