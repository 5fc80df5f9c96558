internal import PropertyList

/// A description, prepared for checking values.
final class ManifestRule: Sendable {
  /// How values are compared with a pattern.
  enum Format: Sendable {
    case none
    case pattern(Pattern)
    /// The pattern cannot be matched; the text names the construct.
    case unsupported(String)
    /// The pattern is a problem of the manifest; the text says why.
    case malformed(String)
  }

  let key: PreferencesManifest.Key
  let kind: PlistValue.Kind?
  let format: Format
  /// The only values that are allowed; nil for any.
  let allowed: AllowedValues?
  /// The rules for a dictionary; nil if any contents are allowed.
  let members: MemberRules?
  /// The alternative rules for elements of an array; empty if any elements are allowed.
  let elements: [ManifestRule]
  /// Whether the key's use depends on other keys or on the program's version.
  let isConditional: Bool
  /// The number of rules, including those in the rule.
  let count: Int

  /// Prepares a description.
  ///
  /// - Parameter formats: The patterns that have been prepared: a manifest can repeat a long
  ///   pattern endlessly.
  init(_ key: PreferencesManifest.Key, _ formats: inout [String: Format]) {
    self.key = key
    kind = key.type?.kind
    format = key.format.map { Self.format(of: $0, &formats) } ?? .none
    allowed = key.allowsOtherValues ? nil : key.allowedValues.flatMap { AllowedValues($0, of: key) }
    // If a manifest gives no type for a container, only a dictionary has named keys.
    let holdsMembers =
      key.type == .dictionary || key.type == nil && key.subkeys.contains { $0.name != nil }
    members =
      holdsMembers && !key.subkeys.isEmpty
      ? MemberRules(key.subkeys.map { ManifestRule($0, &formats) }) : nil
    let holdsElements = key.type == .array || key.type == nil && !holdsMembers
    elements = holdsElements ? Self.elements(of: key).map { ManifestRule($0, &formats) } : []
    isConditional =
      !key.exclusions.isEmpty || key.firstVersion != nil || key.lastVersion != nil
      || key.deprecatedVersion != nil
    count = 1 + (members?.count ?? 0) + elements.reduce(0) { $0 + $1.count }
  }

  static func format(of pattern: String, _ formats: inout [String: Format]) -> Format {
    if let format = formats[pattern] { return format }
    let format: Format
    do throws(PatternError) {
      format = .pattern(try Pattern(pattern))
    } catch {
      switch error {
      case .malformed(let reason): format = .malformed(reason)
      case .unsupported(let reason): format = .unsupported(reason)
      }
    }
    formats[pattern] = format
    return format
  }

  private static func elements(of key: PreferencesManifest.Key) -> [PreferencesManifest.Key] {
    let dictionaries = key.subkeys.filter { $0.type == .dictionary }
    return dictionaries.count > 1 ? dictionaries : Array(key.subkeys.prefix(1))
  }

  /// Whether a value is of a kind; integers are also reals.
  static func isKind(_ kind: PlistValue.Kind, _ value: PlistValue) -> Bool {
    value.kind == kind || kind == .real && value.kind == .integer
  }
}

/// The rules for the keys of a dictionary.
struct MemberRules: Sendable {
  let rules: [ManifestRule]
  /// The rule for all other keys.
  let anyKey: ManifestRule?
  /// The rule for the values of all other keys.
  let anyValue: ManifestRule?
  /// The rules whose keys may be required.
  let needed: [ManifestRule]
  private let positions: [ByteKey: Int]

  init(_ rules: [ManifestRule]) {
    self.rules = rules
    anyKey = rules.first { $0.key.name == PreferencesManifest.Key.anyKeyName }
    anyValue = rules.first { $0.key.name == PreferencesManifest.Key.anyValueName }
    var positions: [ByteKey: Int] = [:]
    for (position, rule) in rules.enumerated() {
      guard let name = rule.key.name, positions[ByteKey(name)] == nil else { continue }
      positions[ByteKey(name)] = position
    }
    self.positions = positions
    needed = rules.enumerated().filter { position, rule in
      guard let name = rule.key.name, positions[ByteKey(name)] == position,
        name != PreferencesManifest.Key.anyKeyName, name != PreferencesManifest.Key.anyValueName
      else { return false }
      return rule.key.requirement != nil || !rule.key.conditionals.isEmpty
    }.map(\.element)
  }

  var count: Int { rules.reduce(0) { $0 + $1.count } }

  subscript(name: String) -> ManifestRule? { positions[ByteKey(name)].map { rules[$0] } }

  /// The names that are described, for suggestions.
  var names: [String] { rules.compactMap(\.key.name).filter { !$0.hasPrefix("{{") } }
}

/// The only values that a key may have.
struct AllowedValues: Sendable {
  let values: [PlistValue]
  private let normalized: Set<PlistValue>

  /// Leaves out values whose type is not the key's; nil if none are left.
  init?(_ values: [PlistValue], of key: PreferencesManifest.Key) {
    let kind = key.type?.kind
    self.values = values.filter { value in
      guard let kind, kind != .array, kind != .dictionary else { return true }
      return ManifestRule.isKind(kind, value)
    }
    guard !self.values.isEmpty else { return nil }
    normalized = Set(self.values.map(ValueOrder.normalized))
  }

  /// Whether a value is allowed, or all elements of an array are.
  func contains(_ value: PlistValue) -> Bool {
    if normalized.contains(ValueOrder.normalized(value)) { return true }
    guard case .array(let elements) = value else { return false }
    return elements.allSatisfy { normalized.contains(ValueOrder.normalized($0)) }
  }
}
