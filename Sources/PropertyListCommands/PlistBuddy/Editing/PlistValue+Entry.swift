internal import PropertyList

/// The edits of commands, within the limits of documents. If an edit throws, the value is
/// unchanged.
extension PlistValue {
  /// Inserts a value at an entry, and dictionaries for all containers that are missing on the way.
  ///
  /// In an array the value is inserted before the element of the index, or at the end if the
  /// component is empty or there are fewer elements. The path of the root also denotes the end if
  /// the root is an array.
  ///
  /// - Returns: The path of the key or element that was inserted.
  mutating func insert(
    _ value: PlistValue, atEntry path: PlistKeyPath
  ) throws(EntryError) -> PlistKeyPath {
    var path = path
    if path.isRoot {
      guard case .array(let elements) = self else { throw .edit(.alreadyExists) }
      path = PlistKeyPath(components: [String(elements.count)])
    }
    try value.checkLimits(at: path)
    let place = try insertionPath(for: path)
    let missing = path.components[place.components.count...]
    guard !missing.contains("") else { throw .emptyKey }
    let inserted = missing.reversed().reduce(value) { .dictionary([$1: $0]) }
    try edit { (value) throws(PlistEditError) in try value.insert(inserted, at: place) }
    return place
  }

  /// Replaces the value of an entry that exists.
  mutating func replace(atEntry path: PlistKeyPath, with value: PlistValue) throws(EntryError) {
    try value.checkLimits(at: path)
    try edit { (root) throws(PlistEditError) in try root.replace(at: path, with: value) }
  }

  /// Removes the value of an entry.
  mutating func remove(atEntry path: PlistKeyPath) throws(EntryError) {
    try edit { (root) throws(PlistEditError) in try root.remove(at: path) }
  }

  private mutating func edit(
    _ body: (inout PlistValue) throws(PlistEditError) -> Void
  ) throws(EntryError) {
    do { try body(&self) } catch { throw .edit(error.kind) }
  }

  /// The path up to the first component without a value, in which a component that denotes the end
  /// of an array is replaced by its index.
  private func insertionPath(for path: PlistKeyPath) throws(EntryError) -> PlistKeyPath {
    var components: [String] = []
    var container = self
    for component in path.components.dropLast() {
      guard let next = container[PlistKeyPath(components: [component])] else { break }
      container = next
      components.append(component)
    }
    var component = path.components[components.count]
    switch container {
    case .array(let elements):
      let isIndex = component.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      if isIndex, Int(component).map({ $0 > elements.count }) ?? true {
        component = String(elements.count)
      }
    case .dictionary:
      guard !component.isEmpty else { throw .emptyKey }
    default:
      throw .edit(.notAContainer(container.kind))
    }
    return PlistKeyPath(components: components + [component])
  }

  /// Checks that the value at a path would not exceed the nesting and the number of values that
  /// documents may have.
  ///
  /// The number matters because each copy of a container into itself doubles it.
  private func checkLimits(at path: PlistKeyPath) throws(EntryError) {
    let limits = PlistLimits()
    var count = 0
    var walk = PlistTreeWalk(self, keyOrder: .document)
    while let event = walk.next() {
      let depth: Int
      switch event {
      case .open: depth = path.components.count + walk.depth + 1
      case .leaf: depth = path.components.count
      case .close: continue
      }
      guard depth <= limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
      count += 1
      guard count <= limits.maximumNodeCount else {
        throw .tooManyValues(limit: limits.maximumNodeCount)
      }
    }
  }
}
