package import PropertyList

/// What the tools print about a key, or about a whole domain, that a manifest describes.
package struct KeyDescription {
  /// A property of the key.
  package struct Fact {
    /// The name for people; empty if only programs need the fact.
    package let label: String
    package let text: String
    /// The name and the value for programs; nil if only people need the fact.
    package let entry: (name: String, value: PlistValue)?

    /// A fact for people, and for programs if it has an entry.
    package init(
      _ label: String, _ text: String, entry: (name: String, value: PlistValue)? = nil
    ) {
      (self.label, self.text, self.entry) = (label, text, entry)
    }
  }

  /// The domain or the key path.
  package let heading: String
  package let title: String?
  package private(set) var facts: [Fact] = []
  /// The keys in the key or domain, each with its type and title.
  package let members: [(name: String, text: String)]

  /// Describes a domain.
  package init(of manifest: PreferencesManifest) {
    (heading, title) = (manifest.domain, manifest.title)
    members = Self.members(manifest.keys)
    add("description", "description", manifest.description)
  }

  /// Describes a key.
  ///
  /// - Parameters:
  ///   - value: The current value; nil if there is none.
  ///   - origin: What else is known of the current value.
  package init(
    of key: PreferencesManifest.Key, at path: PlistKeyPath, value: PlistValue? = nil,
    origin: [Fact] = []
  ) {
    (heading, title) = (path.excerpt, key.title)
    members = key.type == .array ? [] : Self.members(key.subkeys)
    add("description", "description", key.description)
    addType(of: key)
    addLimits(of: key)
    addValues(of: key, value)
    facts += origin
    if key.isSensitive { addFact("sensitive", "yes", entry: ("sensitive", true)) }
    addUse(of: key)
    add("note", "note", key.note)
    add("see", "documentation", key.documentationURL)
  }

  private mutating func add(_ label: String, _ name: String, _ text: String?) {
    if let text { facts.append(Fact(label, text, entry: (name, .string(text)))) }
  }

  private mutating func addFact(
    _ label: String, _ text: String?, entry: (String, PlistValue)? = nil
  ) {
    if let text { facts.append(Fact(label, text, entry: entry)) }
  }

  /// Adds a value, or only that there is one if it is secret.
  private mutating func addValue(
    _ name: String, _ value: PlistValue?, of key: PreferencesManifest.Key
  ) {
    guard let value else { return }
    if key.holdsSecret {
      addFact(name, "secret")
    } else {
      addFact(name, ManifestText.text(value), entry: (name, value))
    }
  }

  private static func members(_ keys: [PreferencesManifest.Key]) -> [(String, String)] {
    keys.compactMap { key in
      guard let name = key.name else { return nil }
      let texts = [key.type?.rawValue, key.title].compactMap(\.self)
      return (PlistKeyPath(components: [name]).excerpt, texts.joined(separator: ", "))
    }
  }

  // MARK: Facts

  private mutating func addType(of key: PreferencesManifest.Key) {
    guard let type = key.type else { return }
    var text = type.rawValue
    if type == .array, let element = key.subkeys.first?.type { text += " of \(element.plural)" }
    addFact("type", text, entry: ("type", .string(type.rawValue)))
  }

  private mutating func addLimits(of key: PreferencesManifest.Key) {
    addFact("range", ManifestText.range(of: key))
    if let minimum = key.minimum { addEntry("minimum", minimum) }
    if let maximum = key.maximum { addEntry("maximum", maximum) }
    if ManifestText.range(of: key) == nil { addFact("unit", key.unit) }
    if let unit = key.unit { addEntry("unit", .string(unit)) }
    add("pattern", "pattern", key.format)
    if key.minimumCount != nil || key.maximumCount != nil {
      addFact("count", ManifestText.count(of: key))
      if let count = key.minimumCount { addEntry("minimumCount", .integer(Int64(count))) }
      if let count = key.maximumCount { addEntry("maximumCount", .integer(Int64(count))) }
    }
  }

  private mutating func addValues(of key: PreferencesManifest.Key, _ value: PlistValue?) {
    if let values = key.allowedValues {
      addFact(
        key.allowsOtherValues ? "suggested values" : "allowed values",
        key.isSensitive ? "secret" : Self.text(values, key.allowedValueTitles))
      if !key.isSensitive {
        addEntry(key.allowsOtherValues ? "suggestedValues" : "allowedValues", .array(values))
      }
    }
    addValue("default", key.defaultValue, of: key)
    addValue("example", key.placeholder, of: key)
    addValue("value", value, of: key)
  }

  private mutating func addUse(of key: PreferencesManifest.Key) {
    if let requirement = key.requirement {
      let text =
        switch requirement {
        case .always: "always"
        case .nested: "whenever its dictionary is present"
        case .push: "in profiles that a server pushes"
        }
      addFact("required", text, entry: ("required", .string(requirement.rawValue)))
    }
    for group in key.conditionals where group.requirement != nil && !group.conditions.isEmpty {
      addFact("required", "when \(ManifestText.text(of: group))")
    }
    for group in key.exclusions where !group.conditions.isEmpty {
      addFact("does not apply", "when \(ManifestText.text(of: group))")
    }
    if !key.targets.isEmpty {
      addFact(
        "targets", key.targets.joined(separator: ", "),
        entry: ("targets", .array(key.targets.map { .string($0) })))
    }
    add("first version", "firstVersion", key.firstVersion)
    add("last version", "lastVersion", key.lastVersion)
    add("deprecated since", "deprecatedVersion", key.deprecatedVersion)
  }

  private mutating func addEntry(_ name: String, _ value: PlistValue) {
    facts.append(Fact("", "", entry: (name, value)))
  }

  private static func text(_ values: [PlistValue], _ titles: [String]) -> String {
    guard titles.count == values.count else { return ManifestText.alternatives(values) }
    return zip(values, titles).map { "\(ManifestText.text($0)) (\($1))" }.joined(separator: ", ")
  }
}

extension PreferencesManifest.Key.ValueType {
  fileprivate var plural: String {
    switch self {
    case .string: "strings"
    case .integer: "integers"
    case .real: "reals"
    case .boolean: "booleans"
    case .date: "dates"
    case .data: "data"
    case .array: "arrays"
    case .dictionary: "dictionaries"
    case .url: "URLs"
    case .alias: "aliases"
    case .unionPolicy: "values"
    }
  }
}
