package import PropertyList

/// The preferences of a domain: each key with the value that counts, the layer that it comes from,
/// and what it shadows.
package struct InspectedPreferences: Sendable {
  /// A layer of the search list.
  package struct Layer: Sendable {
    /// The name, such as `user` or `managed`.
    package var name: String
    /// Facts about the layer, such as its file, and the size, format, owner and mode of that.
    package var facts: [InspectedDocument.Fact]
    /// Why its file cannot be read; nil if it can, and if there is none.
    package var error: String?

    /// A layer with what is known of it.
    package init(name: String, facts: [InspectedDocument.Fact], error: String? = nil) {
      self.name = name
      self.facts = facts
      self.error = error
    }
  }

  /// A key with its values.
  package struct Entry: Sendable {
    /// The key.
    package var key: String
    /// The values with the indices of their layers: first the one that counts, then those that it
    /// shadows.
    package var values: [(layer: Int, value: PlistValue)]

    /// A key with its values, the one that counts first.
    package init(key: String, values: [(layer: Int, value: PlistValue)]) {
      self.key = key
      self.values = values
    }
  }

  /// The name of the domain.
  package var domain: String
  /// The layers, in the order in which they are searched.
  package var layers: [Layer]
  /// The keys, in the order in which they are shown.
  package var entries: [Entry]
  /// Facts about the domain as a whole.
  package var facts: [InspectedDocument.Fact]

  /// The preferences of a domain.
  package init(
    domain: String, facts: [InspectedDocument.Fact] = [], layers: [Layer], entries: [Entry]
  ) {
    self.domain = domain
    self.facts = facts
    self.layers = layers
    self.entries = entries
  }
}

extension InspectedDocument {
  /// A document of preferences.
  package init(_ preferences: InspectedPreferences) {
    let count = preferences.entries.count
    self.init(
      .preferences, name: preferences.domain, summary: "\(count) key\(count == 1 ? "" : "s")",
      facts: preferences.facts)
    add(preferences.layers)
    var tree = InspectedTree()
    tree.begin(.dictionary, key: nil)
    for entry in preferences.entries {
      for (index, value) in entry.values.enumerated() {
        var annotations = InspectedTree.Annotations()
        annotations.layer = value.layer
        annotations.isShadowed = index > 0
        tree.add(value.value, key: entry.key, annotations)
      }
    }
    tree.end()
    add(tree)
    if preferences.layers.contains(where: { $0.error != nil }) { markError() }
  }
}
