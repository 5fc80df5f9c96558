public import PropertyList

extension PreferencesManifest {
  /// The description of one key, or of the elements of an array.
  public struct Key: Sendable, Hashable {
    /// The name that describes all keys of a dictionary.
    static let anyKeyName = "{{key}}"
    /// The name that describes the values of all keys of a dictionary.
    package static let anyValueName = "{{value}}"

    /// The key's name, from `pfm_name`; nil for the elements of an array. `{{key}}` and `{{value}}`
    /// describe all other keys of a dictionary and their values.
    public var name: String?
    /// The type of the value; nil if any type is allowed.
    public var type: ValueType?
    /// The key's name for people.
    public var title: String?
    /// What the key is for.
    public var description: String?
    /// A remark that editors show.
    public var note: String?
    /// The address of a page about the key.
    public var documentationURL: String?

    /// The value that a program uses if the key is missing.
    public var defaultValue: PlistValue?
    /// An example of a value.
    public var placeholder: PlistValue?
    /// The unit of a number, such as `seconds`.
    public var unit: String?

    /// The allowed values, or suggestions if ``allowsOtherValues``; nil for any value.
    public var allowedValues: [PlistValue]?
    /// The names for people of ``allowedValues``, in the same order.
    public var allowedValueTitles: [String]
    /// Whether ``allowedValues`` are only suggestions.
    public var allowsOtherValues = false
    /// The smallest allowed number or date; nil for any.
    public var minimum: PlistValue?
    /// The largest allowed number or date; nil for any.
    public var maximum: PlistValue?
    /// A regular expression in the syntax of ICU that a whole string matches.
    public var format: String?
    /// The smallest allowed number of elements of an array.
    public var minimumCount: Int?
    /// The largest allowed number of elements of an array.
    public var maximumCount: Int?

    /// When the key must be present.
    public var requirement: Requirement?
    /// Conditions under which the key does not apply: at least one of them holds.
    package var exclusions: [ConditionGroup]
    /// Conditions that impose a requirement on the key.
    package var conditionals: [ConditionGroup]

    /// The keys of a dictionary. For an array, the descriptions of its elements: several
    /// dictionaries are alternatives, and otherwise only the first is used.
    public var subkeys: [Key]

    /// Whether the value is secret. It never occurs in a ``ManifestFinding``.
    public var isSensitive = false
    /// Where the key may be set, such as `user` or `system-managed`.
    public var targets: [String]
    /// The first version of the program that reads the key.
    public var firstVersion: String?
    /// The last version of the program that reads the key.
    public var lastVersion: String?
    /// The first version of the program that considers the key deprecated.
    public var deprecatedVersion: String?

    /// The properties that are not interpreted, with their names in the manifest.
    public var otherProperties: PlistDictionary

    /// The program's declaration of the key, which is not part of the document.
    package var declaration = Declaration()

    /// Creates a description of a key; other properties are empty.
    ///
    /// - Parameters:
    ///   - name: The key's name; nil for the elements of an array.
    ///   - type: The type of the value; nil for any type.
    public init(_ name: String?, type: ValueType? = nil) {
      (self.name, self.type) = (name, type)
      (allowedValueTitles, exclusions, conditionals) = ([], [], [])
      (subkeys, targets, otherProperties) = ([], [], [:])
    }
  }

  /// A program's declaration of a key. All declarations compare equal, because keys are equal when
  /// their documents are.
  package struct Declaration: Sendable, Hashable {
    /// The declaration; nil for a key of a document.
    package var object: (any AnyObject & Sendable)?

    package static func == (left: Declaration, right: Declaration) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
  }

  /// When a key must be present.
  public enum Requirement: String, Sendable, Hashable, CaseIterable {
    /// Always.
    case always
    /// Whenever the dictionary that contains the key is present.
    case nested = "always-nested"
    /// In profiles that a server pushes. Checks of files ignore it.
    case push
  }
}

extension PreferencesManifest.Key {
  /// Whether the value is secret, or a value in it.
  package var holdsSecret: Bool { isSensitive || subkeys.contains(where: \.holdsSecret) }

  /// Whether the key manages the payload of a profile, and does not belong to the domain.
  package var isOfEnvelope: Bool {
    name.map { ConfigurationProfile.envelopeKeys.contains($0) } ?? false
  }

  /// The types of values.
  public enum ValueType: String, Sendable, Hashable, CaseIterable {
    /// The types of property lists, by their names in a manifest.
    case string, integer, real, boolean, date, data, array, dictionary
    /// A string that is an address.
    case url
    /// An old Apple type for a reference to a file; any value is accepted.
    case alias
    /// An old Apple type for values that several sources are merged into; any value is accepted.
    case unionPolicy = "union policy"

    /// The type of a name in a manifest, in any case; nil for an unknown name. `float` is a real and
    /// `dict` a dictionary.
    package init?(name: String) {
      switch name.lowercased() {
      case "float", "double", "number": self = .real
      case "dict": self = .dictionary
      case "bool": self = .boolean
      case "int": self = .integer
      case let name:
        guard let type = Self(rawValue: name) else { return nil }
        self = type
      }
    }

    package var kind: PlistValue.Kind? {
      switch self {
      case .string, .url: .string
      case .integer: .integer
      case .real: .real
      case .boolean: .boolean
      case .date: .date
      case .data: .data
      case .array: .array
      case .dictionary: .dictionary
      case .alias, .unionPolicy: nil
      }
    }
  }
}

extension PreferencesManifest {
  /// Conditions that hold together, from an element of `pfm_exclude` or `pfm_conditionals`.
  package struct ConditionGroup: Sendable, Hashable {
    /// The requirement that holds if the conditions do; nil in an exclusion.
    package var requirement: Requirement?
    /// The conditions, all of which must hold.
    package var conditions: [Condition]
    /// The properties that are not interpreted, with their names in the manifest.
    package var otherProperties: PlistDictionary

    /// Creates a group of conditions.
    package init(
      _ conditions: [Condition], requirement: Requirement? = nil,
      otherProperties: PlistDictionary = [:]
    ) {
      (self.conditions, self.requirement) = (conditions, requirement)
      self.otherProperties = otherProperties
    }
  }

  /// A condition on the value of another key.
  package struct Condition: Sendable, Hashable {
    /// The path of the other key, from the root of the domain or from the dictionary that contains
    /// the key.
    package var target: PlistKeyPath
    /// Whether the key must be present or absent; nil for either.
    package var isPresent: Bool?
    /// Whether the value must be empty or not; nil for either. An absent value is empty.
    package var isEmpty: Bool?
    /// The value is one of these. An absent value is not.
    package var values: [PlistValue]?
    /// The value is not one of these. An absent value is not.
    package var otherThan: [PlistValue]?
    /// The value, or an element of the array, is one of these.
    package var containsAny: [PlistValue]?
    /// Neither the value nor an element of the array is one of these.
    package var containsNone: [PlistValue]?
    /// The properties that are not interpreted, with their names in the manifest. `pfm_domain` and
    /// `pfm_platforms` are among them; a condition that has one never holds in a check, because
    /// neither is known.
    package var otherProperties: PlistDictionary

    /// Creates a condition; other properties are nil.
    ///
    /// - Parameters:
    ///   - target: The path of the other key.
    ///   - otherProperties: The properties that are not interpreted.
    package init(target: PlistKeyPath, otherProperties: PlistDictionary = [:]) {
      (self.target, self.otherProperties) = (target, otherProperties)
    }
  }
}
