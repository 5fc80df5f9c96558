public import PropertyList

/// A preference manifest: a property list that describes the keys of a preferences domain.
///
/// ```swift
/// let document = try Plist.read(data)
/// let manifest = try PreferencesManifest(document.value)
/// for finding in ManifestChecker(manifest).findings(in: preferences) { print(finding) }
/// ```
///
/// Reading accepts the forms that manifests in use contain, such as `dict` for `dictionary` and the
/// misspelled `pmf_range_max`; ``propertyList`` has the proper names. Properties that this type
/// does not interpret are in ``otherProperties`` and are written again.
public struct PreferencesManifest: Sendable, Hashable {
  /// The domain that is described, such as `org.example.editor`, from `pfm_domain`; empty if missing.
  public var domain: String
  /// The domain's name for people, from `pfm_title`.
  public var title: String?
  /// What the domain is for, from `pfm_description`.
  public var description: String?
  /// The keys of the domain, from `pfm_subkeys`.
  ///
  /// Manifests of configuration profiles also list the keys of the profile's envelope, such as
  /// `PayloadUUID`.
  public var keys: [Key]
  /// The properties that are not interpreted, with their names in the manifest.
  public var otherProperties: PlistDictionary

  /// Creates a manifest.
  public init(
    domain: String, title: String? = nil, description: String? = nil, keys: [Key] = [],
    otherProperties: PlistDictionary = [:]
  ) {
    (self.domain, self.title, self.description) = (domain, title, description)
    (self.keys, self.otherProperties) = (keys, otherProperties)
  }

  /// Reads a manifest, and ignores its problems; ``problems(in:)`` lists them.
  ///
  /// - Throws: The problem of a value that is not a manifest at all.
  public init(_ value: PlistValue) throws(ManifestProblem) {
    var reader = ManifestReader()
    self = try reader.read(value)
  }

  /// Lists the problems of a manifest, up to 1,000.
  ///
  /// - Returns: The problems with their key paths in the manifest; empty for a correct manifest.
  public static func problems(in value: PlistValue) -> [ManifestProblem] {
    var reader = ManifestReader()
    do throws(ManifestProblem) {
      _ = try reader.read(value)
    } catch {
      return [error]
    }
    return reader.problems
  }

  /// Whether a property list is a manifest: a dictionary with `pfm_subkeys`, or with `pfm_domain` and
  /// `pfm_title`.
  public static func isManifest(_ value: PlistValue) -> Bool {
    guard case .dictionary(let root) = value else { return false }
    return root["pfm_subkeys"] != nil || root["pfm_domain"] != nil && root["pfm_title"] != nil
  }

  /// The description of the value at a key path of the domain; nil if there is none.
  ///
  /// A component that leads into an array is an index or `*`. If an array's elements have several
  /// descriptions, the first one that has the rest of the path is used.
  public func key(at path: PlistKeyPath) -> Key? {
    guard let first = path.components.first else { return nil }
    return Key.member(first, of: keys)?.key(at: path.components.dropFirst())
  }
}

extension PreferencesManifest.Key {
  package static func member(
    _ name: String, of keys: [PreferencesManifest.Key]
  ) -> PreferencesManifest.Key? {
    let name = ByteKey(name)
    return keys.first { $0.name.map(ByteKey.init) == name }
      ?? keys.first { $0.name == PreferencesManifest.Key.anyValueName }
  }

  fileprivate func key(at components: ArraySlice<String>) -> PreferencesManifest.Key? {
    guard let first = components.first else { return self }
    let rest = components.dropFirst()
    if type == .array {
      guard first == "*" || !first.isEmpty && first.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
        return nil
      }
      for element in subkeys {
        if let key = element.key(at: rest) { return key }
      }
      return nil
    }
    return Self.member(first, of: subkeys)?.key(at: rest)
  }

  /// Whether the description is of one key, and not of the elements of an array or of any key.
  package var hasName: Bool { name.map { !$0.hasPrefix("{{") } ?? false }
}

/// A problem in a manifest.
public struct ManifestProblem: Error, Sendable, Hashable {
  /// How severe a problem is.
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
  /// How severe the problem is.
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
