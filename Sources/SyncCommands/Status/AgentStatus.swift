internal import FileStorage
internal import FoundationEssentials
internal import PreferencesSync
internal import PropertyList

/// The status that an agent publishes: the contents of its status file, which contain no
/// preferences.
struct AgentStatus: Sendable, Equatable, Codable {
  /// The process of the agent; nil for a status that was found without one.
  var process: Int32?
  /// Whether the process runs on another machine or in another container.
  var isElsewhere = false
  var startDate: Date?
  var configuration: String
  /// The last requested synchronization that has ended; nil if there was none.
  var synchronization: Synchronization?
  var domains: [String: DomainStatus] = [:]
  /// The state of the managed preferences; nil if none are replicated.
  var managed: ManagedStatus?
  /// The managed files of domains that are no longer chosen, by domain. Stores still read them.
  var unmanagedFiles: [String: String] = [:]

  /// A requested synchronization.
  struct Synchronization: Sendable, Equatable, Codable {
    /// When it began, by the clock of ``ServiceManager/monotonicTime``, which cannot be set.
    var start: Int
    /// Why domains were not synchronized, by domain.
    var errors: [String: String] = [:]
  }
}

/// A state that includes the connection to the cluster.
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
  /// The number of chosen keys.
  private(set) var keys = 0
  /// A hash of the names of these keys; nil from an agent of an older version.
  private(set) var keysHash: UInt64?
  var isConnected = false
  /// The address of the member of the cluster.
  var endpoint: String?
  /// The revision up to which changes are merged; nil if that is unknown.
  var revision: Int64?
  /// The newest known revision.
  var remoteRevision: Int64?
  /// The number of changes that wait to be uploaded.
  var pendingKeys = 0
  /// The number of keys that an error has stopped.
  var stoppedKeys = 0
  /// Whether the last attempt to upload changes has failed.
  var isUploadFailing = false
  /// Why all keys are stopped, whether or not the cluster is connected; nil if they are not.
  var error: String?
  var lastError: String?
  var lastErrorDate: Date?
  /// When the cluster answered last.
  var lastContact: Date?
  /// The clock of this machine minus the cluster's, in seconds; nil if unknown.
  var clockSkew: Double?

  /// How many revisions of the cluster are not merged; nil if it is unknown.
  var revisionsBehind: Int64? {
    guard let revision, let remoteRevision else { return nil }
    return max(remoteRevision - revision, 0)
  }

  mutating func setKeys(_ names: [String]) { (keys, keysHash) = (names.count, Self.hash(names)) }

  func hasKeys(_ names: [String]) -> Bool {
    keys == names.count && (keysHash ?? Self.hash(names)) == Self.hash(names)
  }

  /// The order of the names does not matter.
  private static func hash(_ names: [String]) -> UInt64 {
    names.reduce(0) { $0 &+ StableHash.hash($1) }
  }

  /// Whether the cluster was reached, and no error stops keys or uploads.
  var isWell: Bool { isConnected && !isUploadFailing && stoppedKeys == 0 && error == nil }
}

extension DomainStatus {
  init(_ status: PreferencesSynchronizer.Status, keys: [String]) {
    setKeys(keys)
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
  /// The clock of this machine minus the cluster's, in seconds; nil if unknown.
  var clockSkew: Double?
  /// The state of each managed file, by domain.
  var domains: [String: File] = [:]

  struct File: Sendable, Equatable, Codable {
    var path: String
    /// The number of keys of the cluster in the file; nil if that is not known.
    var keys: Int?
    /// Why the file differs from the cluster; nil if it does not differ.
    var error: String?
  }

  /// Whether the cluster was reached, and the files match it.
  var isWell: Bool { isConnected && domains.values.allSatisfy { $0.error == nil } }
}

extension ManagedStatus {
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

/// The texts of a status.
extension AgentStatus {
  var summary: String {
    let connections = domains.values.map(\.isConnected) + (managed.map { [$0.isConnected] } ?? [])
    let pending = domains.values.map(\.pendingKeys).reduce(0, +)
    let stopped = domains.values.map(\.stoppedKeys).reduce(0, +)
    let stoppedDomains = domains.values.count { $0.error != nil }
    return
      "\(connections.count { $0 }) of \(connections.count) connected, \(pending.counted("change")) waiting"
      + (stopped > 0 ? ", \(stopped.counted("key")) stopped by errors" : "")
      + (stoppedDomains > 0 ? ", \(stoppedDomains.counted("domain")) stopped by errors" : "")
  }

  var lines: [String] {
    let agent =
      isElsewhere
      ? "on another machine or in another container"
      : process.map { "process \($0)" } ?? "none runs"
    var lines = [
      "agent: \(agent)" + (startDate.map { ", since \(Self.text($0))" } ?? ""),
      "configuration: \(configuration)",
    ]
    for (name, status) in domains.sorted(by: { $0.key < $1.key }) {
      lines += status.lines(titled: name)
    }
    if let managed { lines += managed.lines }
    for (name, path) in unmanagedFiles.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "\(name.onOneLine): no longer managed, but its file counts; remove \(path.onOneLine) to end that"
      )
    }
    return lines
  }

  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension ContactStatus {
  /// The status in lines: a title, facts, and the contact. A fact without a text is left out.
  fileprivate func lines(titled title: String, _ facts: [(String, String?)]) -> [String] {
    let contact = [
      ("last contact", lastContact.map(AgentStatus.text)),
      ("clock", clockSkew.map(DomainStatus.clockText)),
      (
        "last error",
        lastError.map { $0 + (lastErrorDate.map { " (\(AgentStatus.text($0)))" } ?? "") }
      ),
    ]
    return ["\(title.onOneLine): " + (isConnected ? "connected" : "not connected")]
      + (facts + contact).compactMap { name, text in text.map { "  \(name): \($0.onOneLine)" } }
  }
}

extension DomainStatus {
  fileprivate func lines(titled title: String) -> [String] {
    let stopped = stoppedKeys > 0 ? ", \(stoppedKeys) stopped by errors" : ""
    return lines(
      titled: title,
      [
        ("stopped by", error), ("endpoint", endpoint), ("keys", "\(keys)\(stopped)"),
        ("revision", revision.map { "\($0)" } ?? remoteRevision.map { "\($0) in the cluster" }),
        ("behind by", revisionsBehind.map { "\($0)" }),
        ("waiting to be uploaded", "\(pendingKeys)\(isUploadFailing ? ", which fails" : "")"),
      ])
  }

  static func clockText(_ skew: Double) -> String {
    let seconds = (abs(skew) * 10).rounded() / 10
    // The clock of the cluster is known to the second.
    return seconds < 2
      ? "as that of the cluster"
      : "\(seconds) s \(skew > 0 ? "ahead of" : "behind") that of the cluster"
  }
}

extension ManagedStatus {
  fileprivate var lines: [String] {
    let files = domains.sorted { $0.key < $1.key }.map { name, file in
      let state = file.error ?? file.keys.map { $0.counted("key") } ?? "as before"
      return (name.onOneLine, Optional("\(state) (\(file.path))"))
    }
    return lines(
      titled: "managed preferences",
      [("endpoint", endpoint), ("revision", revision.map { "\($0)" })] + files)
  }
}
