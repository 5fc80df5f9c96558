internal import EtcdStore
internal import FileStorage
internal import FoundationEssentials
internal import PreferencesSync
internal import PropertyList

/// The folder of the state files of synchronizers, and of the status of the agent that uses it.
struct StateFolder: Sendable {
  let path: String
  private let prefix: String

  init(_ configuration: Configuration) {
    path = configuration.stateFolder
    prefix = configuration.connection.prefix
  }

  /// The path of the state file for a domain. Each prefix in the cluster has its own state.
  func stateFile(ofDomain domain: String) -> String {
    FilePath.joining(
      path, PreferencesSynchronizer.stateFileName(forDomain: "\(prefix)domains/\(domain)/"))
  }

  var managedStateFile: String {
    FilePath.joining(path, PreferencesSynchronizer.stateFileName(forDomain: "\(prefix)managed/"))
  }

  /// The managed files, by domain, that agents with this folder have written for domains that are
  /// no longer chosen. Stores still read them.
  func unmanagedFiles(_ selection: Configuration.ManagedSelection?) -> [String: String] {
    let chosen: [String]
    switch selection {
    case .all: return [:]
    case .domains(let domains): chosen = domains
    case nil: chosen = []
    }
    return ManagedPreferencesReplica.files(ofStateFileAt: managedStateFile) {
      !chosen.contains($0)
    }
  }

  // MARK: The agent

  var statusFile: String { FilePath.joining(path, "agent.plist") }

  /// Acquires the folder for an agent, and creates it if it is missing; nil if another agent uses
  /// it.
  func acquire() throws(FileSystemError) -> OwnershipLock? {
    try AtomicFile.createFolder(of: statusFile)
    guard let lock = try AtomicFile(statusFile).acquireOwnership() else { return nil }
    lock.markHeld()
    return lock
  }

  /// The agent that uses the folder; nil if none does.
  func agent() throws(FileSystemError) -> LockOwner? {
    do throws(FileSystemError) {
      return try AtomicFile(statusFile).owner()
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Reads the status that the last agent has published; nil if there is none.
  func publishedStatus() -> AgentStatus? {
    guard let data = try? AtomicFile.read(statusFile, limit: 64 << 20) else { return nil }
    return try? PlistDecoder().decode(AgentStatus.self, from: data)
  }

  /// Reads the status that an agent has published; nil if there is none, or only the status of an
  /// earlier agent.
  func status(publishedBy agent: LockOwner?) -> AgentStatus? {
    guard let agent, var status = publishedStatus() else { return nil }
    switch agent {
    case .process(let process): return status.process == process ? status : nil
    case .elsewhere:
      status.isElsewhere = true
      return status
    }
  }
}

extension StateFolder {
  /// The number of changes in a state file that wait to be uploaded.
  static func pendingCount(in stateFile: String) -> Int {
    guard let data = try? AtomicFile.read(stateFile),
      case .dictionary(let entries)? = try? Plist.read(data).value
    else { return 0 }
    return entries.values.count { (try? StateFileEntry($0))?.isPending == true }
  }
}
