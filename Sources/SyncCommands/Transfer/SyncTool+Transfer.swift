internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials
internal import Glibc
internal import Manifests
internal import PreferencesSync
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

  func pull() throws {
    try transfer(receivesOnly: true)
  }

  /// Synchronizes all domains once, and prints the results.
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
      let stateFile = stateFolder.stateFile(ofDomain: domain)
      session.reporting(about: domain) {
        let result = try session.withProgress("synchronizing \(domain)") {
          try BlockingTask.run {
            try await SinglePass.run(
              domain, keys: keys, with: cluster, stateFile: stateFile, receivesOnly: receivesOnly)
          }
        }
        let waiting = receivesOnly ? ", \(result.waiting) waiting to be uploaded" : ""
        let uploaded = receivesOnly ? "" : "\(result.steps.uploaded) uploaded, "
        session.print("\(domain): \(uploaded)\(result.steps.received) received\(waiting)\n")
      }
    }
  }

  func requireDomains() throws(CommandFailure) {
    if configuration.domains.isEmpty {
      throw CommandFailure("\(configuration.path): domains: there are none to synchronize")
    }
  }

  /// Signals the agent to synchronize all domains, and waits until it has done so.
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
      } else if status.domains[domain]?.hasKeys(keys) != true {
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

  /// How long to wait for an agent. The agent itself gives up earlier.
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

/// `push --managed`
extension SyncTool {
  /// Makes the keys of a property list the managed preferences of a domain.
  func publish(
    _ file: String, asManagedPreferencesOf domain: String, isForced: Bool
  ) throws {
    let file = InputFile(operand: file)
    guard let input = file.load(in: session) else { return }
    let document = input.document
    session.warn(document.warnings, about: file.name)
    guard case .dictionary(let values) = document.value else {
      throw CommandFailure(
        "\(file.name): the property list is not a dictionary; nothing was published")
    }
    // White space would be an empty table, but is more often the result of a variable without a
    // value.
    if values.isEmpty, document.format == .openStep, Plist.isStringsTable(input.contents) {
      throw CommandFailure(
        "\(file.name): there is no property list, only white space or comments; nothing was published"
      )
    }
    do throws(CommandFailure) { try check(input, of: file, for: domain) } catch {
      guard isForced else {
        throw CommandFailure(
          error.lines + ["Nothing was published. To publish it anyway, add --force."])
      }
      for line in error.lines { session.note(line) }
    }
    let remote = try cluster().managed
    session.reporting(about: domain) {
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
    }
  }

  /// Checks a policy against the manifest of its domain if one is installed, and prints warnings.
  ///
  /// - Throws: The errors, one on each line.
  private func check(
    _ input: InputDocument, of file: InputFile, for domain: String
  ) throws(CommandFailure) {
    guard let manifest = try InstalledManifests().manifest(forDomain: domain) else { return }
    let document = input.document
    let findings = manifest.checker.findings(
      in: document.value, options: ManifestChecker.Options(for: document.format))
    if findings.isEmpty { return }
    let lines = DocumentLines(of: input, options: file.options)
    func text(_ finding: ManifestFinding) -> String {
      (lines.line(at: finding.keyPath).map { "line \($0): " } ?? "") + "\(finding)"
    }
    session.warn(findings.filter { $0.severity == .warning }.map(text), about: file.name)
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw CommandFailure(errors.map { "\(file.name): \(text($0))" })
    }
  }
}
