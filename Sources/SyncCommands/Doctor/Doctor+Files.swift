internal import EtcdStore
internal import FileStorage
internal import Glibc
internal import Preferences
internal import PreferencesSync
internal import PropertyList

/// The checks of files on this machine.
extension Doctor {
  /// Checks the files with certificates and the password.
  mutating func checkFiles() {
    let problems = configuration.connection.fileProblems
    for problem in problems {
      note(
        "credentials", .problem, "\(problem)", advice: Self.advice(for: problem))
    }
    let options = configuration.connection
    if problems.isEmpty, options.user != nil || options.certificateAuthorityFile != nil {
      note("credentials", .ok, "all files can be read, and their permissions are safe")
    }
  }

  /// Checks the state files, and the files of domains.
  mutating func checkState() {
    let folder = StateFolder(configuration)
    do throws(FileSystemError) {
      let agent = try folder.agent()
      switch agent {
      case .process(let process):
        note("agent", .ok, "process \(process) runs with this state folder")
      case .elsewhere:
        note(
          "agent", .ok,
          "one on another machine or in another container runs with this state folder")
      case nil:
        note(
          "agent", .warning, "none runs with this state folder",
          advice: "start it: systemctl enable --now larder-sync, with --user for that of a user")
      }
      if let status = folder.status(publishedBy: agent) { checkStatus(status) }
      try checkWritable(folder.path, "state")
    } catch {
      note(
        "state", .problem, "\(folder.path): \(error)",
        advice: "change the owner of the folder to the agent's user")
    }
    for domain in configuration.domains.keys.sorted() { checkState(of: domain, folder) }
    if configuration.managed != nil { checkManagedFiles(folder) }
    let unmanaged = folder.unmanagedFiles(configuration.managed)
    for (domain, path) in unmanaged.sorted(by: { $0.key < $1.key }) {
      note(
        "managed", .warning, "\(domain): no longer managed, but its file \(path) counts",
        advice: "remove the file to end that")
    }
  }

  /// Checks the status that the agent has published.
  mutating func checkStatus(_ status: AgentStatus) {
    for (domain, status) in status.domains.sorted(by: { $0.key < $1.key }) {
      checkContact(status, of: domain)
      if let error = status.error {
        note(
          "agent", .problem, "\(domain): stopped: \(error)",
          advice: "see the findings about state files and domains")
      }
      if status.stoppedKeys > 0 {
        let error = status.lastError.map { "; the last: \($0)" } ?? ""
        note(
          "agent", .problem,
          "\(domain): errors stop \(status.stoppedKeys.counted("key"))\(error)",
          advice: "see the log of the agent for all of them")
      }
    }
    guard let managed = status.managed else { return }
    checkContact(managed, of: "managed preferences")
    for (domain, file) in managed.domains.sorted(by: { $0.key < $1.key }) {
      if let error = file.error { note("agent", .problem, "\(domain): \(error)") }
    }
  }

  private mutating func checkContact(_ status: some ContactStatus, of name: String) {
    if status.isConnected { return }
    guard let error = status.lastError else {
      return note(
        "agent", .warning, "\(name): not connected yet", advice: "look again in a few seconds")
    }
    note(
      "agent", .problem, "\(name): not connected: \(error)",
      advice: "see the findings about endpoints, and the log of the agent")
  }

  /// Checks whether managed files can be written, and are trusted.
  private mutating func checkManagedFiles(_ state: StateFolder) {
    checkReadable(
      state.managedStateFile,
      advice: "move the file aside while no agent runs, and with it the managed files that differ "
        + "from the cluster, which are then treated as written by something else")
    guard let folder = DomainLocations.standard.managed.last else { return }
    guard geteuid() == 0 else {
      return note(
        "managed", .problem, "\(folder): managed files count only if they are root's",
        advice: "run the agent as root, as larder-sync.service does")
    }
    do throws(FileSystemError) {
      try checkWritable(folder, "managed")
    } catch {
      note("managed", .problem, "\(folder): \(error)", advice: "let root write to the folder")
    }
    if access(folder, F_OK) == 0, !ManagedOwnership.isTrusted(folder) {
      note(
        "managed", .problem,
        "\(folder): users other than root may change the folder or one above it",
        advice:
          "chown root and chmod go-w these folders; managed files in them do not count otherwise")
    }
  }

  private mutating func checkState(of domain: String, _ folder: StateFolder) {
    let path = folder.stateFile(ofDomain: domain)
    let isReadable = checkReadable(
      path,
      advice:
        "move the file aside while no agent runs; local values are then treated as older than the "
        + "cluster's")
    guard isReadable else { return }
    let state = PreferencesStore(fileAt: path)
    let entries = state.plistRepresentation.filter { $0.key != StateFileName.machine }
    let invalid = entries.filter { (try? StateFileEntry($0.value)) == nil }.map(\.key).sorted()
    if let key = invalid.first {
      note(
        "state", .problem,
        "\(path): invalid entries, \(invalid.count) in all, the first of key \(key)",
        advice: "delete these keys from the file while no agent runs")
    }
    do throws(PreferencesError) {
      let store = try UserDomains(locations: .standard).store(domain)
      if let problem = store.problems.first { throw problem }
      note(
        "domain", .ok, "\(domain): \(StateFolder.pendingCount(in: path).counted("change")) waiting")
    } catch {
      note("domain", .problem, "\(domain): \(error)", advice: "repair the file of the domain")
    }
  }

  /// Checks that a state file, if there is one, can be read, and returns whether it can.
  @discardableResult
  private mutating func checkReadable(_ stateFile: String, advice: String) -> Bool {
    guard let problem = PreferencesStore(fileAt: stateFile).problems.first else { return true }
    note("state", .problem, "\(problem)", advice: advice)
    return false
  }

  /// Records whether files can be created in a folder, or in the nearest existing folder above it.
  mutating func checkWritable(_ folder: String, _ check: String) throws(FileSystemError) {
    var path = folder
    while access(path, F_OK) != 0, errno == ENOENT, path.count > 1 {
      path = FilePath.split(path).folder ?? "/"
    }
    guard access(path, W_OK | X_OK) == 0 else { throw FileSystemError(.open) }
    note(check, .ok, "\(folder) can be written")
  }
}

/// Checks of what the systemd unit permits the machine's agent to do.
extension Doctor {
  /// The folder in which the unit lets the agent keep its state.
  private static let unitState = "/var/lib/larder-sync"

  /// The folders that the unit hides from the agent, which sees different folders at these paths.
  private static let hiddenFolders = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"]

  /// Checks that larder-sync.service can run with the configuration, if it reads this
  /// configuration.
  mutating func checkUnit() {
    guard configuration.path == Configuration.machinePath else { return }
    if !configuration.domains.isEmpty {
      note(
        "configuration", .warning,
        "domains: the agent of the machine, larder-sync.service, sees no home folders",
        advice: "put domains into the configuration of a user, and start that user's agent")
    }
    let state = configuration.stateFolder
    if state != Self.unitState, !state.hasPrefix(Self.unitState + "/") {
      note(
        "configuration", .warning, "stateFolder: larder-sync.service cannot write to \(state)",
        advice: "leave stateFolder out, or make the folder and allow it with systemctl edit "
          + "larder-sync: ReadWritePaths=\(state) in [Service]")
    }
    for (path, _) in configuration.connection.files {
      let file = (try? FilePath.resolved(path)) ?? path
      guard let hidden = Self.hiddenFolders.first(where: { file.hasPrefix($0 + "/") }) else {
        continue
      }
      note(
        "configuration", .warning, "\(path): larder-sync.service does not see \(hidden)",
        advice: "move the file to /etc/larder")
    }
  }
}
