/// Edits of the value at the end of a path.
///
/// Each follows the path as ``PlistValue/subscript(path:)`` does and changes one container. All
/// values that the path passes through must exist. If an edit throws, the value is unchanged.
extension PlistValue {
  /// Inserts a new value.
  ///
  /// In a dictionary the key must be new, and becomes the last one. In an array the elements from
  /// the index on move up; an index equal to the count appends.
  ///
  /// - Throws: Where the path leads nowhere, the key exists, or the index is out of range.
  public mutating func insert(_ value: PlistValue, at path: PlistKeyPath) throws(PlistEditError) {
    guard !path.isRoot else { throw PlistEditError(.alreadyExists, at: path) }
    try edit(at: path) { (container, component) throws(PlistEditError.Kind) in
      switch container {
      case .dictionary(var dictionary):
        guard dictionary[component] == nil else { throw .alreadyExists }
        container = .null
        dictionary[component] = value
        container = .dictionary(dictionary)
      case .array(var elements):
        guard let index = Self.index(component), index <= elements.count else {
          throw .notAnIndex(component, count: elements.count)
        }
        container = .null
        elements.insert(value, at: index)
        container = .array(elements)
      default:
        throw .notAContainer(container.kind)
      }
    }
  }

  /// Replaces a value, or inserts it under a new key of a dictionary. The empty path replaces the
  /// value itself.
  ///
  /// An array must have an element at the index.
  ///
  /// - Throws: Where the path leads nowhere, or the index is out of range.
  public mutating func replace(
    at path: PlistKeyPath, with value: PlistValue
  ) throws(PlistEditError) {
    guard !path.isRoot else {
      self = value
      return
    }
    try edit(at: path) { (container, component) throws(PlistEditError.Kind) in
      switch container {
      case .dictionary:
        _ = container.exchange(component, with: value)
      case .array(var elements):
        guard let index = Self.index(component), index < elements.count else {
          throw .notAnIndex(component, count: elements.count)
        }
        container = .null
        elements[index] = value
        container = .array(elements)
      default:
        throw .notAContainer(container.kind)
      }
    }
  }

  /// Removes a value, and its key if it is in a dictionary.
  ///
  /// - Throws: Where the path leads nowhere.
  public mutating func remove(at path: PlistKeyPath) throws(PlistEditError) {
    guard !path.isRoot else { throw PlistEditError(.root, at: path) }
    try edit(at: path) { (container, component) throws(PlistEditError.Kind) in
      switch container {
      case .dictionary(var dictionary):
        guard dictionary[component] != nil else { throw .missing }
        container = .null
        dictionary[component] = nil
        container = .dictionary(dictionary)
      case .array(var elements):
        guard let index = Self.index(component), index < elements.count else { throw .missing }
        container = .null
        elements.remove(at: index)
        container = .array(elements)
      default:
        throw .missing
      }
    }
  }

  /// Appends a value to the array at the end of a path.
  ///
  /// - Throws: Where the path leads nowhere, or to something that is not an array.
  public mutating func append(
    _ value: PlistValue, toArrayAt path: PlistKeyPath
  ) throws(PlistEditError) {
    guard let target = self[path] else { throw PlistEditError(.missing, at: path) }
    guard case .array(let elements) = target else {
      throw PlistEditError(.notAnArray(target.kind), at: path)
    }
    var place = path
    place.components.append(String(elements.count))
    try insert(value, at: place)
  }

  /// Edits the container of the last component of a path, which must not be empty.
  ///
  /// The containers that the path passes through are taken out of their parents for the edit, so
  /// that those that are not shared are changed in place.
  ///
  /// - Parameter body: Changes the container, or throws and leaves it unchanged.
  private mutating func edit(
    at path: PlistKeyPath,
    _ body: (inout PlistValue, _ component: String) throws(PlistEditError.Kind) -> Void
  ) throws(PlistEditError) {
    let last = path.components.count - 1
    try checkExistence(along: path.components[..<last])
    var parents: [PlistValue] = []
    for component in path.components[..<last] {
      let child = exchange(component, with: .null)
      parents.append(self)
      self = child
    }
    defer {
      for component in path.components[..<last].reversed() {
        var parent = parents.removeLast()
        _ = parent.exchange(component, with: self)
        self = parent
      }
    }
    do throws(PlistEditError.Kind) {
      try body(&self, path.components[last])
    } catch {
      throw PlistEditError(error, at: error.place(of: path))
    }
  }

  /// Checks that there is a value at every step of a path.
  private func checkExistence(along components: ArraySlice<String>) throws(PlistEditError) {
    var value = self
    for (depth, component) in components.enumerated() {
      guard let next = value[PlistKeyPath(components: [component])] else {
        throw PlistEditError(.missing, at: PlistKeyPath(components: Array(components[...depth])))
      }
      value = next
    }
  }

  /// Replaces the value of a key, or of an index that exists, and returns the previous one.
  private mutating func exchange(_ component: String, with value: PlistValue) -> PlistValue {
    switch self {
    case .dictionary(var dictionary):
      self = .null
      defer { self = .dictionary(dictionary) }
      return dictionary.updateValue(value, forKey: component) ?? .null
    case .array(var elements):
      guard let index = Self.index(component) else { return .null }
      self = .null
      defer { self = .array(elements) }
      let previous = elements[index]
      elements[index] = value
      return previous
    default:
      preconditionFailure("only containers have components")
    }
  }
}

extension PlistEditError.Kind {
  /// The path for an error at the last component of a path: the whole path, or that of the
  /// container.
  fileprivate func place(of path: PlistKeyPath) -> PlistKeyPath {
    switch self {
    case .missing, .alreadyExists, .root: path
    default: PlistKeyPath(components: path.components.dropLast())
    }
  }
}
