internal import EtcdStore
internal import Preferences
internal import PreferencesSync
internal import Threading

/// One synchronization of a domain, which ends with the first success, or with an error that another
/// attempt would not mend soon.
struct SinglePass: Sendable {
  /// The result of a pass.
  struct Outcome: Sendable, Equatable {
    var steps: StepCounts
    /// The number of changes that wait to be uploaded.
    var waiting: Int
  }

  let domain: String
  let keys: [String]
  let stateFile: String
  /// Whether nothing is uploaded.
  let receivesOnly: Bool

  /// How often the cluster may fail.
  private static let attempts = 3

  /// Synchronizes the domain of the user.
  ///
  /// - Throws: `PreferencesError`, or the `SynchronizationError` that ends the pass.
  func run(with cluster: Cluster) async throws -> Outcome {
    var options = PreferencesSynchronizer.Options()
    options.retryDelays = .milliseconds(200)...(.seconds(1))
    let store = try UserDomains(locations: .standard).store(domain)
    func part(_ remote: any RemoteStore) -> any RemoteStore {
      receivesOnly ? ReceivingRemoteStore(remote) : remote
    }
    let synchronizer = PreferencesSynchronizer(
      store: store, remote: part(cluster.all.values(ofDomain: domain)),
      registry: part(cluster.all.registry(ofDomain: domain)), stateFileAt: stateFile,
      options: options)
    defer { synchronizer.cancel() }
    let counts = Lock(StepCounts())
    synchronizer.onStep { step in counts.withLock { $0.add(step) } }
    let (failures, continuation) = AsyncStream.makeStream(of: SynchronizationError.self)
    synchronizer.onFailure { continuation.yield($0) }
    synchronizer.add(keys)
    try await withThrowingTaskGroup { group in
      group.addTask { try await synchronizer.waitForCompletion() }
      group.addTask { try await Self.end(of: failures) }
      defer { group.cancelAll() }
      try await group.next()
    }
    try await store.flush()
    // The status also counts what the store has just received, until that turns out not to be a change.
    return Outcome(
      steps: counts.withLock { $0 }, waiting: StateFolder.pendingCount(in: stateFile))
  }

  /// Waits for a failure that ends the pass.
  ///
  /// - Returns: If everything has been received, and only the uploads are left out.
  private static func end(of failures: AsyncStream<SynchronizationError>) async throws {
    var count = 0
    for await failure in failures {
      switch failure {
      case .remote(is ReceivingRemoteStore.LeavesOutUploads): return
      case .remote:
        count += 1
        if count >= attempts { throw failure }
      case .store, .stateFile, .stateFileLocked: throw failure
      // Those of single keys end the wait for completion.
      default: continue
      }
    }
  }
}

/// A remote store that delivers values and refuses all changes.
private struct ReceivingRemoteStore: RemoteStore {
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
