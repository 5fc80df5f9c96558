package import PropertyList

extension InspectedDocument {
  /// A layer of the search list.
  package struct Layer: Sendable, Encodable {
    private let name: String
    private let facts: [[String]]
    let error: String?

    /// A layer with what is known of it.
    ///
    /// - Parameters:
    ///   - name: The name, such as `user` or `managed`.
    ///   - facts: Facts about the layer, such as its file, and the size, format, owner and mode of that.
    ///   - error: Why its file cannot be read; nil for a readable or missing file.
    package init(name: String, facts: [Fact], error: String? = nil) {
      self.name = name
      self.facts = facts.map { [$0.label, $0.text] }
      self.error = error
    }
  }

  /// A key, and its values with the indices of their layers: first the one that counts, then those that
  /// it shadows.
  package typealias Entry = (key: String, values: [(layer: Int, value: PlistValue)])

  /// The preferences of a domain.
  ///
  /// - Parameters:
  ///   - layers: The layers, in the order they are searched.
  ///   - entries: The keys, in the order they are shown.
  package init(domain: String, facts: [Fact], layers: [Layer], entries: [Entry]) {
    self.init(
      .preferences, name: domain,
      summary: "\(entries.count) key\(entries.count == 1 ? "" : "s")", facts: facts)
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
}
