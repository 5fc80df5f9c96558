internal import CommandLineInterface
internal import Manifests
internal import PropertyList

/// The check of what `write` is about to save against the manifest of the domain.
struct WriteCheck {
  private let domain: DomainArgument
  private let file: ManifestFile
  /// The values that programs find before the change.
  private let effective: PlistDictionary

  init(of domain: DomainArgument, _ file: ManifestFile, effective: DomainValues) {
    (self.domain, self.file, self.effective) = (domain, file, effective.values)
  }

  /// Checks a value of a key.
  ///
  /// - Returns: The findings that are not errors.
  /// - Throws: The errors.
  func warnings(
    about key: String, _ value: PlistValue?
  ) throws(CommandFailure) -> [ManifestFinding] {
    // The others are conditions of the key. A check ends after many findings, so that the key comes first.
    let others = effective.filter { !$0.key.hasSameBytes(as: key) }.map { ($0.key, $0.value) }
    let values = PlistDictionary((value.map { [(key, $0)] } ?? []) + others)
    let findings = file.checker.findings(in: .dictionary(values))
    return try warnings(findings.filter { $0.keyPath.components.first == key })
  }

  /// Checks all values of the domain.
  ///
  /// - Returns: The findings that are not errors.
  /// - Throws: The errors.
  func warnings(about values: PlistDictionary) throws(CommandFailure) -> [ManifestFinding] {
    try warnings(file.checker.findings(in: .dictionary(values)))
  }

  private func warnings(
    _ findings: [ManifestFinding]
  ) throws(CommandFailure) -> [ManifestFinding] {
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw CommandFailure(
        errors.map { "\(domain.name): \($0)" } + [
          "Leaving defaults unchanged. To write it anyway, put --force after write."
        ])
    }
    return findings.filter { $0.severity == .warning }
  }
}
