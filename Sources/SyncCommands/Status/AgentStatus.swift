internal import FoundationEssentials
internal import PreferencesSync

/// The status that an agent publishes: the contents of its status file, which hold no preferences.
struct AgentStatus: Sendable, Equatable, Codable {
  /// The process of the agent; nil for a status that was found without one.
  var process: Int32?
  /// Whether the process is one of another machine or of another container.
  var isElsewhere = false
  /// When the agent started.
  var startDate: Date?
  /// The path of the configuration.
  var configuration: String
  /// The last synchronization on demand that has ended; nil if there was none.
  var synchronization: Synchronization?
  /// The state of each domain.
  var domains: [String: DomainStatus] = [:]
  /// The state of the managed preferences; nil if none are replicated.
  var managed: ManagedStatus?
  /// The managed files of domains that are no longer chosen, by domain, which still count.
  var unmanagedFiles: [String: String] = [:]

  /// A synchronization on demand.
  struct Synchronization: Sendable, Equatable, Codable {
    /// When it began, by the clock of ``ServiceManager/monotonicTime``, which cannot be set.
    var start: Int
    /// Why domains were not synchronized, by domain.
    var errors: [String: String] = [:]
  }
}

/// A state with that of the connection to the cluster.
protocol ContactStatus {
  var isConnected: Bool { get set }
  var endpoint: String? { get set }
  var lastError: String? { get set }
  var lastErrorDate: Date? { get set }
  var lastContact: Date? { get set }
  var clockSkew: Double? { get set }
}

/// The state of the synchronization of a domain.
struct DomainStatus: ContactStatus, Sendable, Equatable, Codable {
  /// The number of keys that are chosen.
  var keys = 0
  var isConnected = false
  /// The address of the member of the cluster.
  var endpoint: String?
  /// Changes up to this revision are merged; nil if that is unknown.
  var revision: Int64?
  /// The newest revision that is known.
  var remoteRevision: Int64?
  /// The number of changes that wait to be uploaded.
  var pendingKeys = 0
  /// The number of keys that an error stops.
  var stoppedKeys = 0
  /// Whether the last attempt to upload changes has failed.
  var isUploadFailing = false
  /// Why all keys are stopped, whether or not the cluster is connected; nil if they are not.
  var error: String?
  var lastError: String?
  var lastErrorDate: Date?
  /// When the cluster answered last.
  var lastContact: Date?
  /// The clock of this machine minus that of the cluster, in seconds; nil if it is unknown.
  var clockSkew: Double?

  /// How many revisions of the cluster are not merged; nil if it is unknown.
  var revisionsBehind: Int64? {
    guard let revision, let remoteRevision else { return nil }
    return max(remoteRevision - revision, 0)
  }

  /// Whether the cluster was reached, and no error stops keys or uploads.
  var isWell: Bool { isConnected && !isUploadFailing && stoppedKeys == 0 && error == nil }
}

extension DomainStatus {
  /// The status of a synchronizer.
  init(_ status: PreferencesSynchronizer.Status, keys: Int) {
    self.keys = keys
    isConnected = status.isConnected
    endpoint = status.endpoint
    revision = status.revision
    remoteRevision = status.remoteRevision
    pendingKeys = status.pendingKeys
    stoppedKeys = status.stoppedKeys
    isUploadFailing = status.isUploadFailing
    error = status.fileError.map { "\($0)" }
    lastError = status.lastError.map { "\($0)" }
    lastErrorDate = status.lastErrorDate
    lastContact = status.lastContact
    clockSkew = status.clockSkew.map { $0 / .seconds(1) }
  }
}

/// The state of the replication of managed preferences.
struct ManagedStatus: ContactStatus, Sendable, Equatable, Codable {
  var isConnected = false
  /// The address of the member of the cluster.
  var endpoint: String?
  /// The last revision of the cluster that was seen.
  var revision: Int64?
  var lastError: String?
  var lastErrorDate: Date?
  /// When the cluster answered last.
  var lastContact: Date?
  /// The clock of this machine minus that of the cluster, in seconds; nil if it is unknown.
  var clockSkew: Double?
  /// The state of each managed file, by domain.
  var domains: [String: File] = [:]

  /// The state of a managed file.
  struct File: Sendable, Equatable, Codable {
    var path: String
    /// The number of keys of the cluster in the file; nil if that is not known.
    var keys: Int?
    /// Why the file does not have what the cluster has; nil if it does.
    var error: String?
  }

  /// Whether the cluster was reached, and the files have what it has.
  var isWell: Bool { isConnected && domains.values.allSatisfy { $0.error == nil } }
}

extension ManagedStatus {
  /// The status of a replica.
  init(_ status: ManagedPreferencesReplica.Status) {
    isConnected = status.isConnected
    endpoint = status.endpoint
    revision = status.revision
    lastError = status.lastError.map { "\($0)" }
    lastErrorDate = status.lastErrorDate
    lastContact = status.lastContact
    clockSkew = status.clockSkew.map { $0 / .seconds(1) }
    for domain in status.domains {
      domains[domain.name] = File(
        path: domain.path, keys: domain.keyCount, error: domain.error.map { "\($0)" })
    }
  }
}
