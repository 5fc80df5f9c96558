internal import EtcdStore
internal import Preferences
internal import PreferencesSync
internal import Threading

/// One synchronization of a domain. It ends with the first success, or with an error that another
/// attempt would not soon resolve.
enum SinglePass {
  /// The number of failures of the cluster after which the pass ends.
  private static let attempts = 3

  /// Synchronizes the domain of the user.
  ///
  /// - Parameter receivesOnly: Whether nothing is uploaded.
  /// - Returns: What was transferred, and the number of changes that wait to be uploaded.
  /// - Throws: `PreferencesError`, or the `SynchronizationError` that ends the pass.
  static func run(
    _ domain: String, keys: [String], with cluster: Cluster, stateFile: String, receivesOnly: Bool
  ) async throws -> (steps: StepCounts, waiting: Int) {
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
      group.addTask { try await end(of: failures) }
      defer { group.cancelAll() }
      try await group.next()
    }
    try await store.flush()
    // The status also counts values that the store has just received, until they turn out not to be
    // changes.
    return (counts.withLock { $0 }, StateFolder.pendingCount(in: stateFile))
  }

  /// Waits for a failure that ends the pass, and throws it. Returns normally if everything has been
  /// received and only the uploads are missing.
  private static func end(of failures: AsyncStream<SynchronizationError>) async throws {
    var count = 0
    for await failure in failures {
      switch failure {
      case .remote(is ReceivingRemoteStore.LeavesOutUploads): return
      case .remote:
        count += 1
        if count >= attempts { throw failure }
      case .store, .stateFile, .stateFileLocked: throw failure
      // The wait for completion reports the errors of single keys.
      default: continue
      }
    }
  }
}

/// A remote store that delivers values and refuses all changes.
private struct ReceivingRemoteStore: RemoteStore {
  /// The error of every change. The synchronizer has merged and saved all received values when it
  /// makes one.
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

/// How many values a synchronizer has transferred.
struct StepCounts: Sendable, Equatable {
  var uploaded = 0
  var received = 0

  /// Counts a step if it transferred a value.
  mutating func add(_ step: SyncStep) {
    switch step {
    case .uploaded: uploaded += 1
    case .storedLocally: received += 1
    default: break
    }
  }
}
