public import PropertyList

extension PreferencesManifest {
  /// Conditions that hold together, from an element of `pfm_exclude` or `pfm_conditionals`.
  public struct ConditionGroup: Sendable, Hashable {
    /// The requirement that holds if the conditions do; nil in an exclusion.
    public var requirement: Requirement?
    /// The conditions, all of which must hold.
    public var conditions: [Condition]
    /// The properties that are not interpreted, with their names in the manifest.
    public var otherProperties: PlistDictionary

    /// Creates a group of conditions.
    public init(
      _ conditions: [Condition], requirement: Requirement? = nil,
      otherProperties: PlistDictionary = [:]
    ) {
      (self.conditions, self.requirement) = (conditions, requirement)
      self.otherProperties = otherProperties
    }
  }

  /// A condition on the value of another key.
  public struct Condition: Sendable, Hashable {
    /// The path of the other key, from the root of the domain or from the dictionary that contains
    /// the key.
    public var target: PlistKeyPath
    /// Whether the key has to be present or absent; nil for either.
    public var isPresent: Bool?
    /// Whether the value has to be empty or not; an absent one is empty. Nil for either.
    public var isEmpty: Bool?
    /// The value is one of these. An absent value is not.
    public var values: [PlistValue]?
    /// The value is not one of these. An absent value is not.
    public var otherThan: [PlistValue]?
    /// The value, or an element of the array, is one of these.
    public var containsAny: [PlistValue]?
    /// Neither the value nor an element of the array is one of these.
    public var containsNone: [PlistValue]?
    /// The properties that are not interpreted, with their names in the manifest. `pfm_domain` and
    /// `pfm_platforms` are among them; a condition that has one never holds in a check, since
    /// neither is known.
    public var otherProperties: PlistDictionary

    /// Creates a condition; other properties are nil.
    ///
    /// - Parameters:
    ///   - target: The path of the other key.
    ///   - otherProperties: The properties that are not interpreted.
    public init(target: PlistKeyPath, otherProperties: PlistDictionary = [:]) {
      (self.target, self.otherProperties) = (target, otherProperties)
    }
  }
}
