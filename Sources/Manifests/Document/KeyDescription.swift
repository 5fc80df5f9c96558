package import PropertyList

/// The facts that tools print about a key or a whole domain that a manifest describes.
package struct KeyDescription {
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
  package let facts: [Fact]
  /// The keys in the key or domain, each with its type and title.
  package let members: [(name: String, text: String)]

  package init(of manifest: PreferencesManifest) {
    (heading, title) = (manifest.domain, manifest.title)
    members = Self.members(manifest.keys)
    facts = [Self.text("description", manifest.description)].compactMap(\.self)
  }

  /// Describes a key.
  package init(
    of key: PreferencesManifest.Key, at path: PlistKeyPath, value: PlistValue? = nil,
    origin: [Fact] = []
  ) {
    (heading, title) = (path.excerpt, key.title)
    members = key.type == .array ? [] : Self.members(key.subkeys)
    let texts: [Fact?] = [Self.text("description", key.description), Self.type(of: key)]
    let values: [Fact?] =
      Self.allowedValues(of: key) + [
        Self.value("default", key.defaultValue, of: key),
        Self.value("example", key.placeholder, of: key), Self.value("value", value, of: key),
      ]
    let remarks: [Fact?] = [
      Self.text("note", key.note), Self.text("see", as: "documentation", key.documentationURL),
    ]
    let sensitive = key.isSensitive ? Fact("sensitive", "yes", entry: ("sensitive", true)) : nil
    facts =
      (texts + Self.limits(of: key) + values + origin + [sensitive] + Self.use(of: key) + remarks)
      .compactMap(\.self)
  }

  private static func members(_ keys: [PreferencesManifest.Key]) -> [(String, String)] {
    keys.compactMap { key in
      guard let name = key.name else { return nil }
      let texts = [key.type?.rawValue, key.title].compactMap(\.self)
      return (PlistKeyPath(components: [name]).excerpt, texts.joined(separator: ", "))
    }
  }

  // MARK: Facts

  private static func text(_ label: String, as name: String? = nil, _ text: String?) -> Fact? {
    text.map { Fact(label, $0, entry: (name ?? label, .string($0))) }
  }

  /// A fact for people.
  private static func label(_ label: String, _ text: String?) -> Fact? {
    text.map { Fact(label, $0) }
  }

  /// A fact for programs.
  private static func entry(_ name: String, _ value: PlistValue?) -> Fact? {
    value.map { Fact("", "", entry: (name, $0)) }
  }

  /// A value, or only that there is one if it is secret.
  private static func value(
    _ name: String, _ value: PlistValue?, of key: PreferencesManifest.Key
  ) -> Fact? {
    value.map { value in
      key.holdsSecret
        ? Fact(name, "secret") : Fact(name, ManifestText.text(value), entry: (name, value))
    }
  }

  private static func type(of key: PreferencesManifest.Key) -> Fact? {
    key.type.map { type in
      let element = type == .array ? key.subkeys.first?.type : nil
      let text = type.rawValue + (element.map { " of \($0.plural)" } ?? "")
      return Fact("type", text, entry: ("type", .string(type.rawValue)))
    }
  }

  private static func limits(of key: PreferencesManifest.Key) -> [Fact?] {
    let range = ManifestText.range(of: key)
    return [
      label("range", range), entry("minimum", key.minimum), entry("maximum", key.maximum),
      label("unit", range == nil ? key.unit : nil), entry("unit", key.unit.map { .string($0) }),
      text("pattern", key.format), label("count", ManifestText.count(of: key)),
      entry("minimumCount", key.minimumCount.map { .integer(Int64($0)) }),
      entry("maximumCount", key.maximumCount.map { .integer(Int64($0)) }),
    ]
  }

  private static func allowedValues(of key: PreferencesManifest.Key) -> [Fact?] {
    guard let values = key.allowedValues else { return [] }
    let (kind, name) =
      key.allowsOtherValues ? ("suggested", "suggestedValues") : ("allowed", "allowedValues")
    guard !key.isSensitive else { return [label("\(kind) values", "secret")] }
    return [
      label("\(kind) values", text(values, key.allowedValueTitles)), entry(name, .array(values)),
    ]
  }

  private static func use(of key: PreferencesManifest.Key) -> [Fact?] {
    let requirement = key.requirement.map { requirement in
      let text =
        switch requirement {
        case .always: "always"
        case .nested: "whenever its dictionary is present"
        case .push: "in profiles that a server pushes"
        }
      return Fact("required", text, entry: ("required", .string(requirement.rawValue)))
    }
    let conditions = key.conditionals.filter { $0.requirement != nil && !$0.conditions.isEmpty }
    let exclusions = key.exclusions.filter { !$0.conditions.isEmpty }
    let targets = Fact(
      "targets", key.targets.joined(separator: ", "),
      entry: ("targets", .array(key.targets.map { .string($0) })))
    return [requirement]
      + conditions.map { Fact("required", "when \(ManifestText.text(of: $0))") }
      + exclusions.map { Fact("does not apply", "when \(ManifestText.text(of: $0))") } + [
        key.targets.isEmpty ? nil : targets,
        text("first version", as: "firstVersion", key.firstVersion),
        text("last version", as: "lastVersion", key.lastVersion),
        text("deprecated since", as: "deprecatedVersion", key.deprecatedVersion),
      ]
  }

  private static func text(_ values: [PlistValue], _ titles: [String]) -> String {
    guard titles.count == values.count else { return ManifestText.alternatives(values) }
    return zip(values, titles).map { "\(ManifestText.text($0)) (\($1))" }.joined(separator: ", ")
  }
}

extension PreferencesManifest.Key.ValueType {
  fileprivate var plural: String {
    switch self {
    case .url: "URLs"
    case .alias: "aliases"
    default: kind?.plural ?? "values"
    }
  }
}
