public import PropertyList

/// Checks property lists against a manifest.
///
/// Creating a checker prepares the manifest, so that each value is visited once in a check. A check
/// takes bounded time whatever the manifest and the property list are: values that are not checked
/// for that reason are reported with a note.
public struct ManifestChecker: Sendable {
  /// The options of a check.
  public struct Options: Sendable, Hashable {
    /// Whether the property list is a payload of a configuration profile. Its keys, such as
    /// `PayloadUUID`, are only required then.
    public var isPayload = false
    /// The version of the program that reads the preferences, such as `2.1`; nil if it is not known.
    /// Without it only deprecated keys are reported.
    public var programVersion: String?
    /// The kinds of values that may be strings, because the format of the property list lacks them.
    public var kindsAsText: Set<PlistValue.Kind> = []

    /// Options for a property list that was read from a format.
    ///
    /// - Parameter format: In JSON, dates and data may be strings, in OpenStep text also numbers and
    ///   booleans.
    public init(for format: PlistFormat = .binary) {
      switch format {
      case .json: kindsAsText = [.date, .data]
      case .openStep: kindsAsText = [.date, .integer, .real, .boolean]
      case .xml, .binary: break
      }
    }
  }

  /// The manifest.
  public let manifest: PreferencesManifest
  private let rule: ManifestRule
  /// The names of sensitive keys.
  private let secrets: Set<String>

  /// Prepares a manifest.
  public init(_ manifest: PreferencesManifest) {
    self.manifest = manifest
    var formats: [String: ManifestRule.Format] = [:]
    rule = ManifestRule(manifest.root, &formats)
    var secrets: Set<String> = []
    Self.collectSecrets(in: manifest.keys, &secrets)
    self.secrets = secrets
  }

  private static func collectSecrets(
    in keys: [PreferencesManifest.Key], _ secrets: inout Set<String>
  ) {
    for key in keys {
      if key.isSensitive, let name = key.name { secrets.insert(name) }
      collectSecrets(in: key.subkeys, &secrets)
    }
  }

  /// Checks the preferences of the domain, or a payload of a profile.
  ///
  /// - Returns: Up to 1,000 findings: those about values in the order of the property list, with
  ///   those about missing keys of a dictionary after those about its values.
  public func findings(
    in value: PlistValue, options: Options = Options()
  ) -> [ManifestFinding] {
    findings(in: value, options: options, budget: ManifestPass.Budget())
  }

  /// Checks with a budget.
  func findings(
    in value: PlistValue, options: Options = Options(), budget: ManifestPass.Budget
  ) -> [ManifestFinding] {
    var pass = ManifestPass(
      root: value, members: rule.members, secrets: secrets, options, budget: budget)
    pass.run(rule)
    return pass.findings
  }
}
