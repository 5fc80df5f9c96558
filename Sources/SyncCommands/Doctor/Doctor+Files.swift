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
        "credentials", .problem, "\(problem)",
        advice: "make the file readable for the user of the agent, and a secret one for nobody else"
      )
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
      if let process = try folder.agentProcess() {
        note("agent", .ok, "process \(process) runs with this state folder")
      } else {
        note(
          "agent", .warning, "none runs with this state folder",
          advice: "start it: systemctl enable --now larder-sync, with --user for that of a user")
      }
      try checkWritable(folder.path, "state")
    } catch {
      note(
        "state", .problem, "\(folder.path): \(error)",
        advice: "let the folder belong to the user of the agent")
    }
    for domain in configuration.domains.keys.sorted() { checkState(of: domain, folder) }
    if configuration.managed != nil { checkManagedFiles() }
  }

  /// Checks whether managed files can be written, and count.
  private mutating func checkManagedFiles() {
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
    if access(folder, F_OK) == 0, !ManagedFile.isTrusted(folder) {
      note(
        "managed", .problem, "\(folder): not only root may change the folder or one above it",
        advice:
          "chown root and chmod go-w these folders; managed files in them do not count otherwise")
    }
  }

  private mutating func checkState(of domain: String, _ folder: StateFolder) {
    let path = folder.stateFile(ofDomain: domain)
    let state = PreferencesStore(fileAt: path)
    if let problem = state.problems.first {
      note(
        "state", .problem, "\(problem)",
        advice:
          "move the file aside while no agent runs; local values then count as older than those "
          + "of the cluster")
      return
    }
    let entries = state.plistRepresentation.filter { $0.key != StateFileName.machine }
    let invalid = entries.filter { (try? StateFileEntry($0.value)) == nil }.map(\.key).sorted()
    if let key = invalid.first {
      note(
        "state", .problem, "\(path): \(invalid.count) invalid entries, the first of key \(key)",
        advice: "delete these keys from the file while no agent runs")
    }
    do throws(PreferencesError) {
      let store = try UserDomains(locations: .standard).store(domain)
      if let problem = store.problems.first { throw problem }
      note("domain", .ok, "\(domain): \(StateFolder.pendingCount(in: path)) changes wait")
    } catch {
      note("domain", .problem, "\(domain): \(error)", advice: "repair the file of the domain")
    }
  }

  /// Notes whether files can be created in a folder, or in the nearest one above it that exists.
  mutating func checkWritable(_ folder: String, _ check: String) throws(FileSystemError) {
    var path = folder
    while access(path, F_OK) != 0, errno == ENOENT, path.count > 1 {
      path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      if path.isEmpty { path = "/" }
    }
    guard access(path, W_OK | X_OK) == 0 else { throw FileSystemError(.open) }
    note(check, .ok, "\(folder) can be written")
  }
}
