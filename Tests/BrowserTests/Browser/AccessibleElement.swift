import PropertyList

/// An element as screen readers present it.
struct AccessibleElement: Equatable {
  var role: String
  var name: String
  /// The depth in a tree, beginning with 1; nil outside a tree.
  var level: Int64?
  /// Whether the elements in it are shown; nil if it contains none.
  var isExpanded: Bool?
}

extension Page {
  /// The elements that screen readers present, in order.
  func accessibleElements() async throws -> [AccessibleElement] {
    let tree = try await call("Accessibility.getFullAXTree")
    guard case .array(let nodes)? = tree[PlistKeyPath("nodes")] else { return [] }
    return nodes.filter { $0[PlistKeyPath("ignored")] == false }.map { node in
      var element = AccessibleElement(
        role: node[PlistKeyPath("role.value")]?.text ?? "",
        name: node[PlistKeyPath("name.value")]?.text ?? "")
      guard case .array(let properties)? = node[PlistKeyPath("properties")] else { return element }
      for property in properties {
        switch (property["name"] as String, property[PlistKeyPath("value.value")]) {
        case ("level", .integer(let level)?): element.level = level
        case ("expanded", .boolean(let isExpanded)?): element.isExpanded = isExpanded
        default: break
        }
      }
      return element
    }
  }
}
