internal import CommandLineInterface
internal import FileStorage
internal import Manifests
internal import PropertyList

/// The checks of `-lint` in valid property lists.
struct DocumentCheck: Sendable {
  let isStrict: Bool
  let manifests: ManifestLibrary
  let named: Set<String>
  /// The version of the program whose preferences are checked; nil if it is not known.
  let programVersion: String?

  /// The oddities of a valid property list.
  func problems(in input: InputDocument, of file: InputFile) -> [FileProblem] {
    let document = input.document
    var problems =
      document.warnings.map { FileProblem($0) }
      + FileProblem.problemsOfRole(in: document, at: file.operand)
      + problemsOfManifest(in: input, of: file) + deviations(in: input, of: file)
    guard isStrict else { return problems }
    for index in problems.indices where problems[index].severity == .warning {
      problems[index].severity = .error
    }
    if document.format == .json, FilePath.fileExtension(of: file.operand) == "plist" {
      problems.append(
        FileProblem(error: "the file is JSON, which not all programs read as a plist"))
    }
    return problems
  }

  private func problemsOfManifest(in input: InputDocument, of file: InputFile) -> [FileProblem] {
    let value = input.document.value
    guard PreferencesManifest.isManifest(value) else { return [] }
    let problems = PreferencesManifest.problems(in: value)
    guard !problems.isEmpty else { return [] }
    let lines = DocumentLines(of: input, options: file.options)
    return problems.map { FileProblem($0, line: lines.line(at: $0.keyPath)) }
  }

  /// The deviations from a manifest. In a profile, each payload is checked.
  private func deviations(in input: InputDocument, of file: InputFile) -> [FileProblem] {
    guard !manifests.isEmpty else { return [] }
    let document = input.document
    let isNamed = named.contains(file.operand)
    var options = ManifestChecker.Options(for: document.format)
    options.programVersion = programVersion
    guard let payloads = ConfigurationProfile.payloads(in: document.value) else {
      guard let manifest = manifests.manifest(for: file, isNamed: isNamed) else {
        return isNamed
          ? [FileProblem(note: "not checked: there is no manifest for this domain")] : []
      }
      let findings = manifest.checker.findings(in: document.value, options: options)
      return problems(findings.map { ($0, PlistKeyPath()) }, in: input, of: file)
    }
    options.isPayload = true
    var notes: [FileProblem] = []
    var findings: [(ManifestFinding, PlistKeyPath)] = []
    for payload in payloads {
      guard let manifest = manifests.manifest(forDomain: payload.type) else {
        notes.append(
          FileProblem(
            note: "not checked: there is no manifest for \(payload.type.onOneLine)",
            at: payload.keyPath))
        continue
      }
      findings += manifest.checker.findings(
        in: .dictionary(payload.contents), options: options
      ).map { ($0, payload.keyPath) }
    }
    return problems(findings, in: input, of: file) + (isNamed ? notes : [])
  }

  private func problems(
    _ findings: [(ManifestFinding, PlistKeyPath)], in input: InputDocument, of file: InputFile
  ) -> [FileProblem] {
    guard !findings.isEmpty else { return [] }
    let lines = DocumentLines(of: input, options: file.options)
    return findings.map { finding, path in
      let whole = PlistKeyPath(components: path.components + finding.keyPath.components)
      return FileProblem(finding, in: path, line: lines.line(at: whole))
    }
  }
}
