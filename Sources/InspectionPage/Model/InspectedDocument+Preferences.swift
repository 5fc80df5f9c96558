package import Manifests
package import PropertyList

extension InspectedDocument {
  /// A layer of the search list.
  package struct Layer: Sendable, Encodable {
    private let name: String
    private let facts: [[String]]
    let error: String?

    package init(name: String, facts: [Fact], error: String? = nil) {
      self.name = name
      self.facts = facts.map { [$0.label, $0.text] }
      self.error = error
    }
  }

  /// A key, and its values with the indices of their layers: first the effective value, then the
  /// values that it shadows.
  package typealias Entry = (key: String, values: [(layer: Int, value: PlistValue)])

  /// The preferences of a domain.
  ///
  /// - Parameters:
  ///   - layers: The layers, in the order they are searched.
  ///   - entries: The keys, in the order they are shown.
  package init(domain: String, facts: [Fact], layers: [Layer], entries: [Entry]) {
    self.init(
      .preferences, name: domain,
      summary: entries.count.counted("key"), facts: facts)
    self.layers = layers
    var tree = InspectedTree()
    tree.begin(.dictionary, key: nil)
    for entry in entries {
      for (index, value) in entry.values.enumerated() {
        var annotations = InspectedTree.Annotations()
        annotations.layer = value.layer
        annotations.isShadowed = index > 0
        tree.add(value.value, key: entry.key, annotations)
      }
    }
    tree.end()
    add(tree)
  }

  /// The keys that a manifest describes, with their values.
  struct Settings: Sendable, Encodable {
    fileprivate(set) var title: String?
    fileprivate(set) var description: String?
    fileprivate(set) var keys: [Setting] = []

    /// The number of keys that are listed.
    fileprivate static let maximumCount = 5000
  }

  /// A key with what its manifest says about it.
  struct Setting: Sendable, Encodable {
    /// The components of the key path.
    let path: [String]
    let title: String?
    let description: String?
    /// Pairs of a label and a text.
    let facts: [[String]]
    /// The value on one line, with its unit; nil if it is not set, or a dictionary whose keys follow.
    let value: String?
    /// The index of the layer of the value; nil without layers.
    let layer: Int?
    let isSet: Bool
    /// Whether the value differs from the default, as far as that is known.
    let differs: Bool
  }

  /// Adds what a manifest says about all keys that it describes, whether or not they are set.
  ///
  /// - Parameters:
  ///   - values: The effective values.
  ///   - layers: The indices of their layers by key; empty without layers.
  package mutating func add(
    _ manifest: PreferencesManifest, of values: PlistDictionary, layers: [String: Int] = [:]
  ) {
    var settings = Settings(title: manifest.title, description: manifest.description)
    settings.add(manifest.keys, of: values, in: [], isSecret: false) { layers[$0] }
    self.settings = settings
  }
}

extension InspectedDocument.Settings {
  fileprivate mutating func add(
    _ descriptions: [PreferencesManifest.Key], of values: PlistDictionary?, in path: [String],
    isSecret: Bool, layer: (String) -> Int?
  ) {
    var names: Set<ByteKey> = []
    for var key in descriptions where key.hasName && !(path.isEmpty && key.isOfEnvelope) {
      guard keys.count < Self.maximumCount, let name = key.name,
        names.insert(ByteKey(name)).inserted
      else { continue }
      let path = path + [name]
      let value = values?[name]
      key.isSensitive = key.isSensitive || isSecret
      let hasKeys = key.type != .array && key.subkeys.contains(where: \.hasName)
      let description = KeyDescription(of: key, at: PlistKeyPath(components: path))
      keys.append(
        InspectedDocument.Setting(
          path: path, title: key.title, description: key.description,
          facts: description.facts.filter { !["", "description"].contains($0.label) }
            .map { [$0.label, $0.text] },
          value: hasKeys ? nil : value.map { Self.text(of: $0, key) },
          layer: value == nil ? nil : layer(path[0]), isSet: value != nil,
          differs: !hasKeys && (value.map(key.differsFromDefault) ?? false)))
      guard hasKeys else { continue }
      var members: PlistDictionary?
      if case .dictionary(let dictionary)? = value { members = dictionary }
      add(key.subkeys, of: members, in: path, isSecret: key.isSensitive, layer: layer)
    }
  }

  private static func text(of value: PlistValue, _ key: PreferencesManifest.Key) -> String {
    guard !key.holdsSecret else { return "secret" }
    let text =
      if case .string(let text) = value, !text.isEmpty {
        ManifestText.excerpt(text)
      } else {
        ManifestText.text(value)
      }
    return key.unit.map { "\(text) \($0)" } ?? text
  }
}
