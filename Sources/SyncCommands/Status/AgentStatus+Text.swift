internal import FoundationEssentials
internal import PropertyList

/// The texts of a status.
extension AgentStatus {
  /// The status in a few words.
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

  /// The status in lines.
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

  /// A date as ISO 8601.
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}

extension DomainStatus {
  /// The status in lines. The first one is the title.
  fileprivate func lines(titled title: String) -> [String] {
    var lines = ["\(title.onOneLine): " + (isConnected ? "connected" : "not connected")]
    func add(_ name: String, _ text: String?) {
      if let text { lines.append("  \(name): \(text.onOneLine)") }
    }
    add("stopped by", error)
    add("endpoint", endpoint)
    add("keys", "\(keys)" + (stoppedKeys > 0 ? ", \(stoppedKeys) stopped by errors" : ""))
    add("revision", revision.map { "\($0)" } ?? remoteRevision.map { "\($0) in the cluster" })
    add("behind by", revisionsBehind.map { "\($0)" })
    add("waiting to be uploaded", "\(pendingKeys)" + (isUploadFailing ? ", which fails" : ""))
    add("last contact", lastContact.map(AgentStatus.text))
    add("clock", clockSkew.map(Self.clockText))
    add(
      "last error",
      lastError.map { $0 + (lastErrorDate.map { " (\(AgentStatus.text($0)))" } ?? "") })
    return lines
  }

  /// A skew in words.
  static func clockText(_ skew: Double) -> String {
    let seconds = (abs(skew) * 10).rounded() / 10
    // The clock of the cluster is known to the second.
    return seconds < 2
      ? "as that of the cluster"
      : "\(seconds) s \(skew > 0 ? "ahead of" : "behind") that of the cluster"
  }
}

extension ManagedStatus {
  /// The status in lines.
  fileprivate var lines: [String] {
    var lines = ["managed preferences: " + (isConnected ? "connected" : "not connected")]
    if let endpoint { lines.append("  endpoint: \(endpoint.onOneLine)") }
    if let revision { lines.append("  revision: \(revision)") }
    for (name, file) in domains.sorted(by: { $0.key < $1.key }) {
      let keys = file.keys.map { $0.counted("key") } ?? "as before"
      lines.append("  \(name.onOneLine): \(file.error?.onOneLine ?? keys) (\(file.path.onOneLine))")
    }
    if let lastContact { lines.append("  last contact: \(AgentStatus.text(lastContact))") }
    if let clockSkew { lines.append("  clock: \(DomainStatus.clockText(clockSkew))") }
    if let lastError {
      let date = lastErrorDate.map { " (\(AgentStatus.text($0)))" } ?? ""
      lines.append("  last error: \(lastError.onOneLine)\(date)")
    }
    return lines
  }
}
