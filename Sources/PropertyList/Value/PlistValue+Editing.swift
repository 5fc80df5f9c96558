/// Edits of the value at the end of a path. Each follows the path as
/// ``PlistValue/subscript(path:)`` does and changes one container. All values that the path passes
/// through must exist. If an edit throws, the value is unchanged.
extension PlistValue {
  /// Inserts a new value.
  ///
  /// In a dictionary, the key must be new, and becomes the last one. In an array, the elements from
  /// the index on move up; an index equal to the count appends.
  ///
  /// - Throws: An error if the path leads nowhere, the key exists, or the index is out of range.
  public mutating func insert(_ value: PlistValue, at path: PlistKeyPath) throws(PlistEditError) {
    guard !path.isRoot else { throw PlistEditError(.alreadyExists, at: path) }
    try edit(at: path) { (dictionary, key) throws(PlistEditError.Kind) in
      guard dictionary[key] == nil else { throw .alreadyExists }
      dictionary[key] = value
    } elements: { (elements, component) throws(PlistEditError.Kind) in
      guard let index = Self.index(component), index <= elements.count else {
        throw .notAnIndex(component, count: elements.count)
      }
      elements.insert(value, at: index)
    }
  }

  /// Replaces a value, or inserts it under a new key of a dictionary. The empty path replaces the
  /// value itself.
  ///
  /// An array must have an element at the index.
  ///
  /// - Throws: An error if the path leads nowhere, or the index is out of range.
  public mutating func replace(
    at path: PlistKeyPath, with value: PlistValue
  ) throws(PlistEditError) {
    guard !path.isRoot else {
      self = value
      return
    }
    try edit(at: path) {
      $0[$1] = value
    } elements: {
      (elements, component) throws(PlistEditError.Kind) in
      guard let index = Self.index(component), index < elements.count else {
        throw .notAnIndex(component, count: elements.count)
      }
      elements[index] = value
    }
  }

  /// Removes a value, and its key if it is in a dictionary.
  ///
  /// - Throws: An error if the path leads nowhere.
  public mutating func remove(at path: PlistKeyPath) throws(PlistEditError) {
    guard !path.isRoot else { throw PlistEditError(.root, at: path) }
    guard self[path] != nil else {
      try checkExistence(along: path.components.dropLast())
      throw PlistEditError(.missing, at: path)
    }
    try edit(at: path) {
      $0[$1] = nil
    } elements: {
      $0.remove(at: Self.index($1) ?? 0)
    }
  }

  /// Appends a value to the array at the end of a path.
  ///
  /// - Throws: An error if the path leads nowhere, or to a value that is not an array.
  public mutating func append(
    _ value: PlistValue, toArrayAt path: PlistKeyPath
  ) throws(PlistEditError) {
    try insert(value, at: end(ofArrayAt: path))
  }

  func end(ofArrayAt path: PlistKeyPath) throws(PlistEditError) -> PlistKeyPath {
    guard let target = self[path] else { throw PlistEditError(.missing, at: path) }
    guard case .array(let elements) = target else {
      throw PlistEditError(.notAnArray(target.kind), at: path)
    }
    return PlistKeyPath(components: path.components + [String(elements.count)])
  }

  /// Edits the container of the last component of a path, which must not be empty.
  ///
  /// The containers that the path passes through are taken out of their parents for the edit, so
  /// that unshared ones are changed in place.
  ///
  /// - Parameters:
  ///   - dictionary: Changes the container if it is a dictionary, or throws and leaves it unchanged.
  ///   - elements: The same for an array.
  private mutating func edit(
    at path: PlistKeyPath,
    _ dictionary: (inout PlistDictionary, _ key: String) throws(PlistEditError.Kind) -> Void,
    elements: (inout [PlistValue], _ component: String) throws(PlistEditError.Kind) -> Void
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
      switch self {
      case .dictionary(var contents):
        self = .null
        defer { self = .dictionary(contents) }
        try dictionary(&contents, path.components[last])
      case .array(var contents):
        self = .null
        defer { self = .array(contents) }
        try elements(&contents, path.components[last])
      default: throw .notAContainer(kind)
      }
    } catch {
      throw PlistEditError(error, at: error.place(of: path))
    }
  }

  /// Checks that there is a value at every step of a path.
  private func checkExistence(along components: ArraySlice<String>) throws(PlistEditError) {
    var value = self
    for (depth, component) in components.enumerated() {
      guard let next = value.child(component)?.value else {
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
    default: preconditionFailure("only containers have components")
    }
  }
}

extension PlistEditError.Kind {
  /// The path for an error at the last component of a path: the whole path, or the container's.
  fileprivate func place(of path: PlistKeyPath) -> PlistKeyPath {
    switch self {
    case .missing, .alreadyExists, .root: path
    default: PlistKeyPath(components: path.components.dropLast())
    }
  }
}
