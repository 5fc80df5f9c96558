internal import CommandLineInterface
internal import Manifests
internal import PreferencesSync
internal import PropertyList

/// `push --managed`
extension SyncTool {
  /// Makes the keys of a property list the managed preferences of a domain.
  ///
  /// - Parameter isForced: Whether the keys are published although they do not fit the manifest of the
  ///   domain.
  func publish(
    _ file: String, asManagedPreferencesOf domain: String, isForced: Bool
  ) throws {
    let file = InputFile(operand: file)
    guard let input = file.load(in: session) else { return }
    let document = input.document
    session.warn(document.warnings, about: file.name)
    guard case .dictionary(let values) = document.value else {
      throw CommandFailure(
        "\(file.name): the property list is not a dictionary; nothing was published")
    }
    // White space counts as an empty table, and more often comes from a variable without a value.
    if values.isEmpty, document.format == .openStep, Plist.isStringsTable(input.contents) {
      throw CommandFailure(
        "\(file.name): there is no property list, only white space or comments; nothing was published"
      )
    }
    do throws(CommandFailure) { try check(input, of: file, for: domain) } catch {
      guard isForced else {
        throw CommandFailure(
          error.lines + ["Nothing was published. To publish it anyway, add --force."])
      }
      for line in error.lines { session.note(line) }
    }
    let remote = try cluster().managed
    do {
      let changes = try session.withProgress("publishing \(domain)") {
        try BlockingTask.run {
          try await ManagedPreferences.publish(values, domain: domain, to: remote)
        }
      }
      let counts = [
        (changes.added.count, "added"), (changes.changed.count, "changed"),
        (changes.removed.count, "removed"), (changes.unchangedCount, "unchanged"),
      ]
      let text = counts.map { "\($0) \($1)" }.joined(separator: ", ")
      session.print("\(domain): \(text)\n")
    } catch {
      session.report("\(error)", about: domain)
    }
  }

  /// Checks a policy against the manifest of its domain if one is installed, and prints warnings.
  ///
  /// - Throws: The errors, one on each line.
  private func check(
    _ input: InputDocument, of file: InputFile, for domain: String
  ) throws(CommandFailure) {
    guard let manifest = try InstalledManifests().manifest(forDomain: domain) else { return }
    let document = input.document
    let findings = manifest.checker.findings(
      in: document.value, options: ManifestChecker.Options(for: document.format))
    if findings.isEmpty { return }
    let lines = DocumentLines(of: input, options: file.options)
    func text(_ finding: ManifestFinding) -> String {
      (lines.line(at: finding.keyPath).map { "line \($0): " } ?? "") + "\(finding)"
    }
    session.warn(findings.filter { $0.severity == .warning }.map(text), about: file.name)
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw CommandFailure(errors.map { "\(file.name): \(text($0))" })
    }
  }
}
