internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import PreferencesSync
internal import PropertyList
internal import Threading

/// `push` and `pull`
extension SyncTool {
  /// Uploads all changes of this machine, or publishes managed preferences.
  func push(_ file: String?, asManaged domain: String?) throws {
    guard let domain else {
      if let file { throw UsageError("unexpected argument \(file); a file needs --managed") }
      return try transfer(receivesOnly: false)
    }
    guard let file else { throw UsageError("--managed needs a file after the domain") }
    try publish(file, asManagedPreferencesOf: domain)
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
    let start = Date.now
    guard kill(process, SIGUSR1) == 0 else {
      throw CommandFailure(
        "the agent, process \(process), cannot be asked: \(String(cString: strerror(errno)))")
    }
    let status = try session.withProgress("waiting for the agent") {
      try synchronizedStatus(since: start, of: process)
    }
    for domain in configuration.domains.keys.sorted() {
      guard let status = status.domains[domain] else {
        session.report("the agent does not know this domain; see systemctl reload", about: domain)
        continue
      }
      if status.isConnected && status.stoppedKeys == 0 {
        session.print("\(domain): synchronized by the agent, process \(process)\n")
      } else {
        session.report(status.lastError ?? "the agent is not connected", about: domain)
      }
    }
  }

  /// How long to wait for an agent, which gives up before.
  private static let longestWait = Duration.seconds(60)

  /// The status of an agent after a synchronization that began after a date.
  private func synchronizedStatus(since start: Date, of process: Int32) throws -> AgentStatus {
    let deadline = ContinuousClock.now + Self.longestWait
    while let current = try agent() {
      if current == .process(process), let status = stateFolder.publishedStatus(),
        let date = status.synchronizationDate, date >= start
      {
        return status
      }
      guard ContinuousClock.now < deadline else {
        throw CommandFailure("the agent, process \(process), has not answered; see its log")
      }
      Duration.milliseconds(50).sleep()
    }
    throw CommandFailure("the agent, process \(process), has ended")
  }

  /// Makes the keys of a property list the managed preferences of a domain.
  private func publish(_ file: String, asManagedPreferencesOf domain: String) throws {
    let input = InputFile(operand: file)
    let name = input.name
    guard let input = input.load(in: session) else { return }
    let document = input.document
    session.warn(document.warnings, about: name)
    guard case .dictionary(let values) = document.value else {
      throw CommandFailure("\(name): the property list is not a dictionary; nothing was published")
    }
    // White space counts as an empty table, and more often comes from a variable without a value.
    if values.isEmpty, document.format == .openStep, Plist.isStringsTable(input.contents) {
      throw CommandFailure(
        "\(name): there is no property list, only white space or comments; nothing was published")
    }
    let remote = try cluster().managed
    do {
      let changes = try session.withProgress("publishing \(domain)") {
        try BlockingTask.run {
          try await ManagedPreferences.publish(values, domain: domain, to: remote)
        }
      }
      let counts = [
        (changes.added.count, "added"), (changes.changed.count, "changed"),
        (changes.removed.count, "removed"), (changes.unchangedCount, "unchanged"),
      ]
      let text = counts.map { "\($0) \($1)" }.joined(separator: ", ")
      session.print("\(domain): \(text)\n")
    } catch {
      session.report("\(error)", about: domain)
    }
  }
}
