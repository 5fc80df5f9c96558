internal import CommandLineInterface
internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import PreferencesSync
internal import PropertyList

/// `status`
extension SyncTool {
  /// Prints the status of the agent or, if no agent is running, the state of the cluster and the
  /// state files.
  func printStatus(asJSON isJSON: Bool) throws {
    let agent = try agent()
    let status = try stateFolder.status(publishedBy: agent) ?? found(agent)
    if isJSON {
      try Self.printJSON(status, in: session)
    } else {
      for line in status.lines { session.print(line + "\n") }
    }
    if !status.isWell { session.failSilently() }
  }

  /// Returns the status found in the cluster and the state files.
  private func found(_ agent: LockOwner?) throws -> AgentStatus {
    let cluster = try cluster()
    var status = AgentStatus(configuration: configuration.path)
    switch agent {
    case .process(let process): status.process = process
    case .elsewhere: status.isElsewhere = true
    case nil: break
    }
    for (domain, keys) in configuration.domains {
      status.domains[domain] = try BlockingTask.run {
        await DomainStatus(asking: cluster.all.values(ofDomain: domain))
      }
      status.domains[domain]?.setKeys(keys)
      let file = stateFolder.stateFile(ofDomain: domain)
      status.domains[domain]?.pendingKeys = StateFolder.pendingCount(in: file)
    }
    if configuration.managed != nil {
      status.managed = try BlockingTask.run { await ManagedStatus(asking: cluster.managed) }
    }
    status.unmanagedFiles = stateFolder.unmanagedFiles(configuration.managed)
    return status
  }
}

extension AgentStatus {
  /// Whether everything is connected and nothing is stopped.
  fileprivate var isWell: Bool {
    domains.values.allSatisfy(\.isWell) && managed?.isWell != false
  }
}

extension DomainStatus {
  /// Determines the status by reading a remote store.
  fileprivate init(asking remote: any RemoteStore) async {
    self.init()
    remoteRevision = await ask(remote)
  }
}

extension ManagedStatus {
  /// Determines the status by reading a remote store.
  fileprivate init(asking remote: any RemoteStore) async {
    self.init()
    revision = await ask(remote)
  }
}

extension ContactStatus {
  /// Reads a remote store, and records its answer.
  ///
  /// - Returns: Its revision; nil if reading failed.
  fileprivate mutating func ask(_ remote: any RemoteStore) async -> Int64? {
    do {
      let revision = try await remote.entries().revision
      isConnected = true
      endpoint = remote.latestContact?.endpoint
      lastContact = .now
      clockSkew = remote.latestContact?.date.map { Date.now.timeIntervalSince($0) }
      return revision
    } catch {
      lastError = "\(error)"
      lastErrorDate = .now
      return nil
    }
  }
}
