public import PropertyList

/// Something that is wrong in a manifest.
public struct ManifestProblem: Error, Sendable, Hashable {
  /// How bad a problem is.
  public enum Severity: String, Sendable, Hashable {
    /// The property is ignored.
    case error
    /// The property is used although it is unusual.
    case warning
    /// The property is correct but cannot be checked.
    case note
  }

  /// The place in the manifest, such as `pfm_subkeys.0.pfm_type`.
  public var keyPath: PlistKeyPath
  /// How bad the problem is.
  public var severity: Severity
  /// The problem on one line, without its place and without values of sensitive keys.
  public var message: String
}

extension ManifestProblem: CustomStringConvertible {
  /// The problem on one line, with its place.
  public var description: String {
    keyPath.isRoot ? message : "\(message) (key path \(keyPath.excerpt))"
  }
}
