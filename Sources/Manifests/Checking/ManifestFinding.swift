public import PropertyList

/// A deviation of a property list from its manifest.
public struct ManifestFinding: Sendable, Hashable {
  /// How severe a finding is.
  public enum Severity: String, Sendable, Hashable {
    /// The manifest forbids the value.
    case error
    /// The value is allowed but probably not intended, such as an unknown key.
    case warning
    /// The value could not be checked.
    case note
  }

  /// The kinds of findings.
  public enum Kind: Sendable, Hashable {
    /// The manifest does not describe the key.
    case unknownKey
    /// The value is of another type.
    case wrongType
    /// The value is not in the list of allowed values.
    case notAllowed
    /// The number or date is below the minimum or above the maximum.
    case outOfRange
    /// The string does not match the pattern.
    case wrongFormat
    /// The array has too few or too many elements.
    case wrongCount
    /// A required key is missing.
    case missing
    /// An exclusion of the key holds.
    case notApplicable
    /// The program's version does not read the key, or the key is deprecated.
    case version
    /// The value was not checked, or not all of them were.
    case unchecked
  }

  /// The path of the value or, if it is inside a sensitive value, of the outermost sensitive value.
  public var keyPath: PlistKeyPath
  /// The kind of the finding.
  public var kind: Kind
  /// How severe the finding is.
  public var severity: Severity
  /// The finding on one line, without its place. It may contain texts of the manifest, but no value
  /// of the property list.
  public var message: String
  /// What was expected, such as `an integer`; nil if that is not known.
  public var expected: String?
  /// The allowed values, if there is a list of them; empty for a sensitive key.
  public var allowedValues: [PlistValue] = []
  /// The described name that an unknown key resembles; nil if there is none.
  public var nearestName: String?
  /// Whether the value is secret.
  public var isSensitive = false
}

extension ManifestFinding: CustomStringConvertible {
  /// The finding on one line, with its place.
  public var description: String {
    keyPath.isRoot ? message : "\(message) (key path \(keyPath.excerpt))"
  }
}
