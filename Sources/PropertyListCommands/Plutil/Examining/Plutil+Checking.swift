internal import CommandLineInterface
internal import PropertyList

/// `-lint`
extension Plutil {
  /// Checks files and the property lists in folders.
  static func lint(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let report = try LintReport(of: invocation)
    let list = try InputList(of: invocation, in: session)
    var counts = (checked: 0, failed: 0, warnings: 0)
    let isStrict = report.isStrict
    list.forEach("checking", in: session) { file, input in
      (problems: problems(in: input, of: file, isStrict: isStrict), envelope: input.envelope)
    } consume: { item, result in
      let name = item.input.name
      counts.checked += 1
      let problems: [FileProblem]
      switch result {
      case .success(let found): problems = found.problems
      case .failure(let error): problems = [FileProblem(error)]
      }
      for problem in problems { report.print(problem, in: name, session) }
      if problems.contains(where: { $0.severity == .error }) {
        counts.failed += 1
        return session.failSilently()
      }
      counts.warnings += problems.count
      guard case .success(let found) = result, !item.isFound, report.printsValidFiles else {
        return
      }
      session.note(found.envelope, about: name)
      session.print("\(name.onOneLine): OK\n")
    }
    if list.hasFolders, report.printsValidFiles { session.print(summary(counts)) }
  }

  /// The oddities of a valid property list.
  private static func problems(
    in input: InputDocument, of file: InputFile, isStrict: Bool
  ) -> [FileProblem] {
    let document = input.document
    var problems =
      document.warnings.map { FileProblem($0) }
      + RoleProblem.problems(in: document, at: file.operand).map { FileProblem($0) }
    guard isStrict else { return problems }
    for index in problems.indices { problems[index].severity = .error }
    if document.format == .json, PropertyListDetection.fileExtension(of: file.operand) == "plist" {
      problems.append(
        FileProblem(error: "the file is JSON, which not all programs read as a plist"))
    }
    return problems
  }

  private static func summary(_ counts: (checked: Int, failed: Int, warnings: Int)) -> String {
    let lists = "\(counts.checked) property list\(counts.checked == 1 ? "" : "s")"
    let warnings = "\(counts.warnings) warning\(counts.warnings == 1 ? "" : "s")"
    return
      "checked \(lists): \(counts.checked - counts.failed) OK, \(counts.failed) failed, \(warnings)\n"
  }

  /// How problems are printed.
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
      isStrict = invocation.has(Option.strict)
      isSilent = invocation.has(Option.silent)
      switch (invocation.has(Option.json), invocation.has(Option.github)) {
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
      case .text where problem.severity == .warning:
        session.warn(problem.description, about: file)
      case .text: session.print("\(file): \(problem.description)".onOneLine + "\n")
      }
    }
  }
}
