internal import Preferences
internal import PreferencesSync
internal import Threading

/// The replication of managed preferences by the agent, which logs the events.
final class ManagedReplication: Sendable {
  private let replica: ManagedPreferencesReplica
  private let logged = Lock(ManagedPreferencesReplica.Status())
  private let updates: Task<Void, Never>

  init(
    _ selection: Configuration.ManagedSelection, _ folder: StateFolder, _ cluster: Cluster,
    onUpdate: @escaping @Sendable () -> Void
  ) {
    var domains: [String]?
    if case .domains(let chosen) = selection { domains = chosen }
    replica = ManagedPreferencesReplica(
      remote: cluster.managed, domains: domains, stateFileAt: folder.managedStateFile)
    replica.onFailure { error in
      AgentLog.write(.error, "failure", ["managed": true, "error": error])
    }
    updates = Task { [replica] in
      for await _ in replica.statusUpdates() { onUpdate() }
    }
  }

  deinit {
    cancel()
  }

  var status: ManagedStatus { ManagedStatus(replica.status) }

  /// Stops permanently. The files stay.
  func cancel() {
    updates.cancel()
    replica.cancel()
  }

  /// Logs the changes since the last call.
  func logProgress() {
    let status = replica.status
    let old = logged.withLock { exchange(&$0, with: status) }
    if status.isConnected != old.isConnected {
      AgentLog.write(
        .info, status.isConnected ? "connected" : "disconnected",
        ["managed": true, "endpoint": status.endpoint, "revision": status.revision])
    }
    for domain in status.domains where domain.error == nil {
      guard let count = domain.keyCount,
        old.domains.first(where: { $0.name == domain.name })?.keyCount != count
      else { continue }
      AgentLog.write(
        .info, "managed", ["domain": domain.name, "path": domain.path, "keys": count])
    }
  }
}
