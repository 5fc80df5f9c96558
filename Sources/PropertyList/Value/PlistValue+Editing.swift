/// Changes at the end of a path.
///
/// Each follows the path as ``PlistValue/subscript(path:)`` does, changes one container, and leaves the
/// value as it was where it throws. What lies on the way has to exist; nothing is made in passing.
extension PlistValue {
  /// Puts a new value where there is none.
  ///
  /// In a dictionary the key must be new, and goes to the end. In an array the elements from the index on
  /// move up; the index that equals the count is the end.
  public mutating func insert(_ value: PlistValue, at path: PlistKeyPath) throws(PlistEditError) {
    guard !path.isRoot else { throw PlistEditError(.alreadyExists, at: path) }
    try change(at: path) { (container, component) throws(PlistEditError.Kind) in
      switch container {
      case .dictionary(var dictionary):
        container = .null
        guard dictionary[component] == nil else { throw .alreadyExists }
        dictionary[component] = value
        container = .dictionary(dictionary)
      case .array(var elements):
        container = .null
        guard let index = Self.index(component), index <= elements.count else {
          throw .notAnIndex(component, count: elements.count)
        }
        elements.insert(value, at: index)
        container = .array(elements)
      default:
        throw .notAContainer(container.kind)
      }
    }
  }

  /// Puts a value in the place of another, or under a new key of a dictionary; the empty path is the value
  /// itself.
  ///
  /// An array keeps its count: there has to be an element at the index.
  public mutating func replace(
    at path: PlistKeyPath, with value: PlistValue
  ) throws(PlistEditError) {
    guard !path.isRoot else {
      self = value
      return
    }
    try change(at: path) { (container, component) throws(PlistEditError.Kind) in
      switch container {
      case .dictionary(var dictionary):
        container = .null
        dictionary[component] = value
        container = .dictionary(dictionary)
      case .array(var elements):
        container = .null
        guard let index = Self.index(component), index < elements.count else {
          throw .notAnIndex(component, count: elements.count)
        }
        elements[index] = value
        container = .array(elements)
      default:
        throw .notAContainer(container.kind)
      }
    }
  }

  /// Removes the value at the end of a path, and the key that it had in a dictionary.
  public mutating func remove(at path: PlistKeyPath) throws(PlistEditError) {
    guard !path.isRoot else { throw PlistEditError(.root, at: path) }
    try change(at: path) { (container, component) throws(PlistEditError.Kind) in
      switch container {
      case .dictionary(var dictionary):
        container = .null
        guard dictionary.removeValue(forKey: component) != nil else { throw .missing }
        container = .dictionary(dictionary)
      case .array(var elements):
        container = .null
        guard let index = Self.index(component), index < elements.count else { throw .missing }
        elements.remove(at: index)
        container = .array(elements)
      default:
        throw .missing
      }
    }
  }

  /// Puts a value at the end of the array to which a path leads.
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

  /// Changes the container that holds the last part of a path, which is not the empty one.
  private mutating func change(
    at path: PlistKeyPath,
    _ body: (inout PlistValue, String) throws(PlistEditError.Kind) -> Void
  ) throws(PlistEditError) {
    let last = path.components.count - 1
    var containers = [self]
    for (depth, component) in path.components[..<last].enumerated() {
      guard let next = containers[depth][PlistKeyPath(components: [component])] else {
        throw PlistEditError(
          .missing, at: PlistKeyPath(components: Array(path.components[...depth])))
      }
      containers.append(next)
    }
    do throws(PlistEditError.Kind) {
      try body(&containers[last], path.components[last])
    } catch {
      throw PlistEditError(error, at: error.place(of: path))
    }
    // From the changed container up, each becomes part of the one around it.
    var changed = containers.removeLast()
    for depth in containers.indices.reversed() {
      containers[depth].set(path.components[depth], to: changed)
      changed = containers.removeLast()
    }
    self = changed
  }

  /// Replaces a part that there is.
  private mutating func set(_ component: String, to value: PlistValue) {
    switch self {
    case .dictionary(var dictionary):
      dictionary[component] = value
      self = .dictionary(dictionary)
    case .array(var elements):
      guard let index = Self.index(component) else { return }
      elements[index] = value
      self = .array(elements)
    default: break
    }
  }
}

extension PlistEditError.Kind {
  /// What an error at the last part of a path is about: the part, or the container that it would be in.
  fileprivate func place(of path: PlistKeyPath) -> PlistKeyPath {
    switch self {
    case .missing, .alreadyExists, .root: path
    default: PlistKeyPath(components: path.components.dropLast())
    }
  }
}
