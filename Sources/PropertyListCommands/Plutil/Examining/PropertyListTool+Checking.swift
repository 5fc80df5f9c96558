internal import CommandLineInterface
internal import PropertyList

/// `-lint`
extension PropertyListTool {
  /// Checks files and the property lists in folders.
  static func lint(_ invocation: Invocation, in session: Session) throws(UsageError) {
    let isSilent = invocation.has(Option.silent)
    let isJSON = invocation.has(Option.json)
    let list = try InputList(of: invocation, in: session)
    var counts = (checked: 0, failed: 0, warnings: 0)
    list.forEach("checking", in: session) { file, input in
      (
        warnings: input.document.warnings,
        problems: RoleProblem.problems(in: input.document, at: file.operand),
        envelope: input.envelope
      )
    } consume: { item, result in
      let name = item.input.name
      counts.checked += 1
      switch result {
      case .success(let (warnings, problems, envelope)):
        guard !isSilent else { return }
        counts.warnings += warnings.count + problems.count
        guard !isJSON else {
          for warning in warnings { session.print(jsonLine: problem(warning, in: name)) }
          for found in problems {
            session.print(
              jsonLine: problem("warning", found.message, at: nil, found.keyPath, in: name))
          }
          return
        }
        session.warn(warnings, about: name)
        session.warn(problems.map(\.description), about: name)
        guard !item.isFound else { return }
        session.note(envelope, about: name)
        session.print("\(name.onOneLine): OK\n")
      case .failure(let error):
        counts.failed += 1
        session.failSilently()
        guard isJSON else { return session.print("\(name): \(error)".onOneLine + "\n") }
        session.print(jsonLine: problem(error, in: name))
      }
    }
    if list.hasFolders, !isSilent, !isJSON { session.print(summary(counts)) }
  }

  private static func summary(_ counts: (checked: Int, failed: Int, warnings: Int)) -> String {
    let lists = "\(counts.checked) property list\(counts.checked == 1 ? "" : "s")"
    let warnings = "\(counts.warnings) warning\(counts.warnings == 1 ? "" : "s")"
    return
      "checked \(lists): \(counts.checked - counts.failed) OK, \(counts.failed) failed, \(warnings)\n"
  }

  // MARK: JSON

  /// The object for a file that is not a valid property list.
  static func problem(_ error: InputProblem, in file: String) -> PlistDictionary {
    switch error {
    case .file(let message):
      problem("error", message, at: nil, PlistKeyPath(), in: file)
    case .document(let error):
      problem(
        "error", "\(error.error.kind)\(error.remedy(for: "plutil"))", at: error.error.location,
        error.error.keyPath, in: file)
    }
  }

  private static func problem(_ warning: PlistWarning, in file: String) -> PlistDictionary {
    problem("warning", warning.message, at: warning.location, warning.keyPath, in: file)
  }

  private static func problem(
    _ severity: String, _ message: String, at location: PlistError.Location?,
    _ keyPath: PlistKeyPath, in file: String
  ) -> PlistDictionary {
    var object: PlistDictionary = ["file": .string(file)]
    object.add(location)
    if !keyPath.isRoot { object["keyPath"] = .string("\(keyPath)") }
    object["severity"] = .string(severity)
    object["message"] = .string(message)
    return object
  }
}
