internal import CommandLineInterface
internal import EtcdStore
internal import FoundationEssentials
internal import PropertyList

/// `doctor`: checks everything that synchronization needs, step by step.
struct Doctor: Sendable {
  let configuration: Configuration
  private(set) var findings: [Finding] = []

  static let action: CommandLineTool.Action = { invocation, session in
    let findings = findings(SyncTool.configurationPath(invocation), in: session)
    if invocation.has(.json) {
      try SyncTool.printJSON(findings, in: session)
    } else {
      for finding in findings { print(finding, in: session) }
    }
    if findings.contains(where: { $0.outcome == .problem }) { session.failSilently() }
  }

  private static func findings(_ path: String, in session: Session) -> [Finding] {
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try Configuration.load(path)
    } catch {
      return error.lines.map {
        Finding(
          check: "configuration", outcome: .problem, text: $0,
          advice: "correct the file; \"defaults-sync help\" lists its keys")
      }
    }
    let all = try? session.withProgress("checking") {
      try BlockingTask.run {
        var doctor = Doctor(configuration: configuration)
        doctor.note("configuration", .ok, "\(configuration.path): \(configuration.summary)")
        doctor.checkUnit()
        doctor.checkFiles()
        await doctor.checkCluster()
        doctor.checkState()
        return doctor.findings
      }
    }
    return all ?? []
  }

  private static func print(_ finding: Finding, in session: Session) {
    let style: TerminalStyle =
      switch finding.outcome {
      case .ok: .added
      case .warning: .number
      case .problem: .removed
      }
    session.print(finding.outcome.rawValue, in: style)
    let padding = String(repeating: " ", count: 9 - finding.outcome.rawValue.count)
    session.print("\(padding)\(finding.check): \(finding.text.onOneLine)\n")
    if let advice = finding.advice { session.print("         -> \(advice.onOneLine)\n") }
  }

  mutating func note(
    _ check: String, _ outcome: Finding.Outcome, _ text: String, advice: String? = nil
  ) {
    findings.append(Finding(check: check, outcome: outcome, text: text, advice: advice))
  }
}

extension Configuration {
  fileprivate var summary: String {
    var counts = [(connection.endpoints.count, "endpoint"), (domains.count, "domain")]
    if case .domains(let domains)? = managed { counts.append((domains.count, "managed domain")) }
    let all = managed == .all ? ", all managed domains" : ""
    return counts.filter { $0.0 > 0 }.map { $0.counted($1) }
      .joined(separator: ", ") + all
  }
}

/// The result of a check.
struct Finding: Sendable, Equatable, Encodable {
  /// The result of a check.
  enum Outcome: String, Sendable, Encodable {
    case ok, warning, problem
  }

  /// The name of the check, such as `endpoint`.
  var check: String
  var outcome: Outcome
  var text: String
  /// The advice; nil if there is nothing to do.
  var advice: String?
}
