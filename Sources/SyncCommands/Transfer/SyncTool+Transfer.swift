internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PropertyList
internal import Threading

/// `push` and `pull`
extension SyncTool {
  /// Uploads all changes of this machine, or publishes managed preferences.
  func push(_ file: String?, asManaged domain: String?, isForced: Bool) throws {
    guard let domain else {
      if let file { throw UsageError("unexpected argument \(file); a file needs --managed") }
      if isForced { throw UsageError("--force needs --managed") }
      return try transfer(receivesOnly: false)
    }
    guard let file else { throw UsageError("--managed needs a file after the domain") }
    try publish(file, asManagedPreferencesOf: domain, isForced: isForced)
  }

  /// Stores the values of the cluster.
  func pull() throws {
    try transfer(receivesOnly: true)
  }

  /// Synchronizes all domains once, and prints what was done.
  private func transfer(receivesOnly: Bool) throws {
    try requireDomains()
    switch try agent() {
    case .process(let process): return try requestTransfer(by: process)
    case .elsewhere:
      throw CommandFailure(
        "\(stateFolder.path): an agent on another machine or in another container uses this state "
          + "folder; run \(receivesOnly ? "pull" : "push") there")
    case nil: break
    }
    let cluster = try cluster()
    for (domain, keys) in configuration.domains.sorted(by: { $0.key < $1.key }) {
      let pass = SinglePass(
        domain: domain, keys: keys,
        stateFile: stateFolder.stateFile(ofDomain: domain),
        receivesOnly: receivesOnly)
      do {
        let result = try session.withProgress("synchronizing \(domain)") {
          try BlockingTask.run { try await pass.run(with: cluster) }
        }
        let waiting = receivesOnly ? ", \(result.waiting) waiting to be uploaded" : ""
        let uploaded = receivesOnly ? "" : "\(result.steps.uploaded) uploaded, "
        session.print("\(domain): \(uploaded)\(result.steps.received) received\(waiting)\n")
      } catch {
        session.report("\(error)", about: domain)
      }
    }
  }

  /// Refuses a configuration without domains.
  func requireDomains() throws(CommandFailure) {
    if configuration.domains.isEmpty {
      throw CommandFailure("\(configuration.path): domains: there are none to synchronize")
    }
  }

  /// Signals the agent to synchronize all domains, and waits until it has.
  private func requestTransfer(by process: Int32) throws {
    let start = ServiceManager.monotonicTime
    guard kill(process, SIGUSR1) == 0 else {
      throw CommandFailure(
        "the agent, process \(process), cannot be asked: \(String(cString: strerror(errno)))")
    }
    let (status, synchronization) = try session.withProgress("waiting for the agent") {
      try synchronizedStatus(since: start, of: process)
    }
    guard Self.isSameFile(status.configuration, configuration.path) else {
      throw CommandFailure(
        "\(stateFolder.path): the agent, process \(process), uses this state folder with another "
          + "configuration, \(status.configuration)")
    }
    for (domain, keys) in configuration.domains.sorted(by: { $0.key < $1.key }) {
      if let error = synchronization.errors[domain] {
        session.report(error, about: domain)
      } else if status.domains[domain]?.keys != keys.count {
        session.report(
          "the agent has not read the configuration since it was changed; see systemctl reload",
          about: domain)
      } else {
        session.print("\(domain): synchronized by the agent, process \(process)\n")
      }
    }
  }

  /// Whether two paths lead to the same file, as far as they can be followed.
  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    let paths = [one, other].map { (try? FilePath.resolved($0)) ?? $0 }
    return paths[0].hasSameBytes(as: paths[1])
  }

  /// How long to wait for an agent, which gives up before.
  private static let longestWait = Duration.seconds(60)

  /// The status of an agent after a synchronization that began after a time, and its result.
  private func synchronizedStatus(
    since start: Int, of process: Int32
  ) throws -> (AgentStatus, AgentStatus.Synchronization) {
    let deadline = ContinuousClock.now + Self.longestWait
    while let current = try agent() {
      if current == .process(process), let status = stateFolder.publishedStatus(),
        let synchronization = status.synchronization, synchronization.start >= start
      {
        return (status, synchronization)
      }
      guard ContinuousClock.now < deadline else {
        throw CommandFailure("the agent, process \(process), has not answered; see its log")
      }
      Duration.milliseconds(50).sleep()
    }
    throw CommandFailure("the agent, process \(process), has ended")
  }
}
