internal import EtcdStore
internal import FileStorage

/// The checks of what the unit of systemd permits the agent of the machine.
extension Doctor {
  /// The folder that the unit lets the agent keep its state in.
  private static let unitState = "/var/lib/larder-sync"

  /// The folders that the unit hides from the agent, which sees other ones in their place.
  private static let hiddenFolders = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"]

  /// Checks that larder-sync.service can run with the configuration, if it is the one that it reads.
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
