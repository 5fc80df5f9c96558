internal import FoundationEssentials
internal import Manifests
internal import PropertyList

/// The check of a text that a person edits against a manifest.
struct TextCheck {
  private let checker: ManifestChecker
  private let form: TextForm
  private let key: String?
  private let options: ManifestChecker.Options

  /// - Parameter key: The key whose value the text is; nil for a whole property list.
  init(_ manifest: PreferencesManifest, ofKey key: String?, in form: TextForm) {
    (checker, self.form, self.key) = (ManifestChecker(manifest), form, key)
    options = form.keepsTypes ? .init() : .init(for: form.format)
  }

  /// Checks what a person has changed. What was wrong before, and is unchanged, is accepted, and so is a
  /// malformed text, which has other errors.
  ///
  /// - Returns: The findings that are not errors.
  /// - Throws: The errors.
  func warnings(
    about text: Data, since original: Data
  ) throws(RefusedValues) -> [ManifestFinding] {
    guard let old = try? rooted(form.value(of: original)),
      let new = try? rooted(form.value(of: text))
    else { return [] }
    let present = Set(checker.findings(in: old, options: options))
    let findings = checker.findings(in: new, options: options).filter {
      !present.contains($0) || old[$0.keyPath] != new[$0.keyPath]
    }
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let document = form.document(of: text)
      throw RefusedValues(
        findings: errors.map { finding in
          let path = finding.keyPath.components.dropFirst(key == nil ? 0 : 1)
          return (document?.lines?.line(at: path, in: document?.value ?? [:]), finding)
        })
    }
    return findings.filter { $0.severity == .warning }
  }

  private func rooted(_ value: PlistValue) -> PlistValue {
    key.map { .dictionary([$0: value]) } ?? value
  }
}

/// Values in a text that the manifest does not allow, with their lines.
struct RefusedValues: Error {
  let findings: [(line: Int?, finding: ManifestFinding)]

  /// - Parameter number: The number to print for that of a line.
  func texts(_ number: (Int) -> Int) -> [String] {
    findings.map { line, finding in
      "\(line.map { "line \(number($0)): " } ?? "")\(finding)"
    }
  }
}
