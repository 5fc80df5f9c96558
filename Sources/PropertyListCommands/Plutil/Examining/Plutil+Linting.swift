internal import CommandLineInterface
internal import Manifests
internal import PropertyList

/// `-lint`
extension Plutil {
  static func lint(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let report = try LintReport(of: invocation)
    let list = try InputList(of: invocation, in: session)
    guard let manifests = try ManifestLibrary(of: invocation, in: session) else { return }
    for (name, problem) in manifests.problems {
      report.print(problem, in: name, session)
      if problem.severity == .error { session.failSilently() }
    }
    let check = DocumentCheck(
      isStrict: report.isStrict, manifests: manifests, named: Set(invocation.operands),
      programVersion: invocation.argument(of: .programVersion))
    var counts = (checked: 0, failed: 0, warnings: 0)
    list.forEach("checking", in: session) { file throws(InputProblem) in
      let input = try file.load()
      return (problems: check.problems(in: input, of: file), envelope: input.envelope)
    } consume: { item, result in
      let name = item.input.name
      counts.checked += 1
      let problems: [FileProblem]
      switch result {
      case .success(let found): problems = found.problems
      case .failure(let error): problems = [FileProblem(error)]
      }
      for problem in problems { report.print(problem, in: name, session) }
      counts.warnings += problems.count { $0.severity == .warning }
      if problems.contains(where: { $0.severity == .error }) {
        counts.failed += 1
        return session.failSilently()
      }
      guard case .success(let found) = result, !item.isFound, report.printsValidFiles else {
        return
      }
      session.note(found.envelope, about: name)
      session.print("\(name.onOneLine): OK\n")
    }
    if list.hasFolders, report.printsValidFiles { session.print(summary(counts)) }
  }

  private static func summary(_ counts: (checked: Int, failed: Int, warnings: Int)) -> String {
    let lists = counts.checked.counted("property list")
    let warnings = counts.warnings.counted("warning")
    return
      "checked \(lists): \(counts.checked - counts.failed) OK, \(counts.failed) failed, \(warnings)\n"
  }

  private struct LintReport {
    private enum Form {
      case text
      case json
      case workflowCommands
    }

    let isStrict: Bool
    private let isSilent: Bool
    private let form: Form

    init(of invocation: Invocation) throws(UsageError) {
      isStrict = invocation.has(.strict)
      isSilent = invocation.has(.silent)
      switch (invocation.has(.json), invocation.has(.github)) {
      case (true, true): throw UsageError("--json and --github cannot be used together")
      case (true, false): form = .json
      case (false, true): form = .workflowCommands
      case (false, false): form = .text
      }
    }

    /// Whether there is output about files without errors.
    var printsValidFiles: Bool { !isSilent && form == .text }

    func print(_ problem: FileProblem, in file: String, _ session: Session) {
      guard !isSilent || problem.severity == .error else { return }
      switch form {
      case .json: session.print(jsonLine: problem.object(in: file))
      case .workflowCommands: session.print(problem.workflowCommand(in: file) + "\n")
      case .text where problem.severity == .warning: session.warn(problem.description, about: file)
      case .text where problem.severity == .note:
        session.note("\(file): note: \(problem.description)")
      case .text: session.print("\(file): \(problem.description)".onOneLine + "\n")
      }
    }
  }
}
