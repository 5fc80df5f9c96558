internal import PropertyList

/// Changes of one part of a value. Each is made as a whole, or not at all where it throws.
extension PlistValue {
  /// Puts a new value in a dictionary, or in an array before the element of an index or behind the
  /// last. Where containers on the way are missing, dictionaries are made.
  mutating func insert(_ value: PlistValue, at components: [String]) throws(EntryProblem) {
    guard components.count > 0 else { throw .exists }
    try value.checkDepth(at: components)
    var parent = self
    var depth = 0
    while depth < components.count - 1, let part = parent.part(components[depth]) {
      parent = part
      depth += 1
    }
    let place = try parent.place(of: components[depth])
    var value = value
    for key in components[(depth + 1)...].reversed() {
      guard !key.isEmpty else { throw .emptyKey }
      value = .dictionary([key: value])
    }
    change(at: components[..<depth]) { $0.insert(value, at: place) }
  }

  /// Puts a value in the place of one that is there.
  mutating func replace(at components: [String], with value: PlistValue) throws(EntryProblem) {
    guard self[PlistKeyPath(components: components)] != nil else { throw .missing }
    try value.checkDepth(at: components)
    change(at: components[...]) { $0 = value }
  }

  /// Removes a value.
  mutating func remove(at components: [String]) throws(EntryProblem) {
    guard let last = components.last else { throw .root }
    guard self[PlistKeyPath(components: components)] != nil else { throw .missing }
    change(at: components.dropLast()) { $0.remove(last) }
  }

  // MARK: Depth

  /// Checks that a value does not nest deeper than documents may, with the containers around it.
  ///
  /// Its values are counted, too: each copy of a container into itself doubles what there is to walk.
  private func checkDepth(at components: [String]) throws(EntryProblem) {
    let limits = PlistLimits()
    var containers = opened.map { [$0] } ?? []
    var count = 1
    while true {
      guard components.count + containers.count <= limits.maximumDepth else {
        throw .tooDeep(limit: limits.maximumDepth)
      }
      guard let last = containers.indices.last else { return }
      guard let value = containers[last].next() else {
        containers.removeLast()
        continue
      }
      count += 1
      guard count <= limits.maximumNodeCount else {
        throw .tooManyValues(limit: limits.maximumNodeCount)
      }
      if let inner = value.opened { containers.append(inner) }
    }
  }

  private var opened: ContainerCursor? {
    switch self {
    case .dictionary(let dictionary): ContainerCursor(dictionary, order: .document)
    case .array(let elements): ContainerCursor(elements)
    case .set(let elements): ContainerCursor(elements, kind: .set)
    default: nil
    }
  }

  // MARK: Parts

  /// Where a new part goes in a container.
  private enum Place {
    case key(String)
    case index(Int)
  }

  private func part(_ component: String) -> PlistValue? {
    self[PlistKeyPath(components: [component])]
  }

  /// The place of a part that is to be new.
  private func place(of component: String) throws(EntryProblem) -> Place {
    switch self {
    case .dictionary(let dictionary):
      guard !component.isEmpty else { throw .emptyKey }
      guard dictionary[component] == nil else { throw .exists }
      return .key(component)
    case .array(let elements):
      guard !component.isEmpty else { return .index(elements.count) }
      guard component.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
        throw .notAnIndex
      }
      guard let index = Int(component), index <= elements.count else { throw .pastTheEnd }
      return .index(index)
    default:
      throw .notInAContainer
    }
  }

  private mutating func insert(_ value: PlistValue, at place: Place) {
    switch (self, place) {
    case (.dictionary(var dictionary), .key(let key)):
      self = .null
      dictionary[key] = value
      self = .dictionary(dictionary)
    case (.array(var elements), .index(let index)):
      self = .null
      elements.insert(value, at: index)
      self = .array(elements)
    default:
      preconditionFailure("a place in another container")
    }
  }

  private mutating func remove(_ component: String) {
    switch self {
    case .dictionary(var dictionary):
      self = .null
      dictionary[component] = nil
      self = .dictionary(dictionary)
    case .array(var elements):
      self = .null
      if let index = Int(component) { elements.remove(at: index) }
      self = .array(elements)
    default:
      preconditionFailure("a part of what has none")
    }
  }

  /// Changes the value at the end of a path that leads to one.
  ///
  /// What is on the way is taken apart first, so that nothing is copied that nobody else has.
  private mutating func change(
    at components: ArraySlice<String>, _ body: (inout PlistValue) -> Void
  ) {
    var parents: [PlistValue] = []
    for component in components {
      let child = exchange(component, with: .null)
      parents.append(self)
      self = child
    }
    body(&self)
    for component in components.reversed() {
      var parent = parents.removeLast()
      _ = parent.exchange(component, with: self)
      self = parent
    }
  }

  /// Puts another value in the place of a part, and gives the one that was there.
  private mutating func exchange(_ component: String, with value: PlistValue) -> PlistValue {
    switch self {
    case .dictionary(var dictionary):
      self = .null
      defer { self = .dictionary(dictionary) }
      return dictionary.updateValue(value, forKey: component) ?? .null
    case .array(var elements):
      guard let index = Int(component) else { return .null }
      self = .null
      defer { self = .array(elements) }
      let old = elements[index]
      elements[index] = value
      return old
    default:
      preconditionFailure("a part of what has none")
    }
  }
}
