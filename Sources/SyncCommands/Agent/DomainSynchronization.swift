internal import EtcdStore
internal import Preferences
internal import PreferencesSync
internal import Threading

/// The synchronization of one domain by the agent, which logs the events.
final class DomainSynchronization: Sendable {
  let domain: String
  private let synchronizer: PreferencesSynchronizer
  /// The changes since the last log line.
  private let counts: Lock<StepCounts>
  private let wasConnected = Lock(false)
  private let updates: Task<Void, Never>

  /// Starts to synchronize keys of a domain of the user.
  init(
    _ domain: String, keys: [String], configuration: Configuration, _ cluster: Cluster,
    onUpdate: @escaping @Sendable () -> Void
  ) throws(PreferencesError) {
    self.domain = domain
    let stateFile = StateFolder(configuration)
      .stateFile(ofDomain: domain)
    synchronizer = PreferencesSynchronizer(
      store: try UserDomains(locations: .standard).store(domain),
      remote: cluster.all.values(ofDomain: domain),
      registry: cluster.all.registry(ofDomain: domain), stateFileAt: stateFile)
    let counts = Lock(StepCounts())
    self.counts = counts
    synchronizer.onFailure { error in
      AgentLog.write(.error, "failure", ["domain": domain, "error": error])
    }
    synchronizer.onStep { step in counts.withLock { $0.add(step) } }
    updates = Task { [synchronizer] in
      for await _ in synchronizer.statusUpdates() { onUpdate() }
    }
    synchronizer.add(keys)
  }

  deinit {
    cancel()
  }

  var status: DomainStatus {
    DomainStatus(synchronizer.status, keys: synchronizer.keys)
  }

  func setKeys(_ keys: [String]) {
    let known = synchronizer.keys
    synchronizer.remove(known.filter { !keys.contains($0) })
    synchronizer.add(keys.filter { !known.contains($0) })
  }

  /// Waits until all changes of domains are uploaded and received, or until a timeout.
  ///
  /// - Returns: The reasons if some are not, by domain.
  static func complete(
    _ domains: [DomainSynchronization], within time: Duration
  ) async -> [String: String] {
    let end = Task {
      await withTaskGroup(of: (domain: String, error: String?).self) { group in
        for domain in domains { group.addTask { (domain.domain, await domain.complete()) } }
        return await group.reduce(into: [:]) { $0[$1.domain] = $1.error }
      }
    }
    let limit = Task {
      if (try? await Task.sleep(for: time)) != nil { end.cancel() }
    }
    defer { limit.cancel() }
    return await end.value
  }

  /// Waits until all changes are uploaded and received, or the task is canceled.
  ///
  /// - Returns: The reason if they are not; nil if they are.
  private func complete() async -> String? {
    do {
      try await synchronizer.waitForCompletion()
      return nil
    } catch is CancellationError {
      let status = synchronizer.status
      let error = status.lastError.map { "\($0)" }
      if !status.isConnected { return error ?? "the agent is not connected" }
      return "the agent has not finished in time" + (error.map { "; the last error: \($0)" } ?? "")
    } catch {
      return "\(error)"
    }
  }

  func cancel() {
    updates.cancel()
    synchronizer.cancel()
  }

  /// Logs the events since the last call.
  func logProgress() {
    let status = synchronizer.status
    let hadConnection = wasConnected.withLock { exchange(&$0, with: status.isConnected) }
    if status.isConnected != hadConnection {
      AgentLog.write(
        .info, status.isConnected ? "connected" : "disconnected",
        ["domain": domain, "endpoint": status.endpoint, "revision": status.revision])
    }
    let counts = counts.withLock { exchange(&$0, with: StepCounts()) }
    if counts.uploaded > 0 {
      AgentLog.write(.info, "uploaded", ["domain": domain, "keys": counts.uploaded])
    }
    if counts.received > 0 {
      AgentLog.write(.info, "received", ["domain": domain, "keys": counts.received])
    }
  }
}
