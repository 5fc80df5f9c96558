/// Edits of the value at the end of a path. Each follows the path as
/// ``PlistValue/subscript(path:)`` does and changes one container. All values that the path passes
/// through must exist. If an edit throws, the value is unchanged.
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
      default: throw .notAContainer(container.kind)
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
      case .dictionary: _ = container.exchange(component, with: value)
      case .array(var elements):
        guard let index = Self.index(component), index < elements.count else {
          throw .notAnIndex(component, count: elements.count)
        }
        container = .null
        elements[index] = value
        container = .array(elements)
      default: throw .notAContainer(container.kind)
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
      default: throw .missing
      }
    }
  }

  /// Appends a value to the array at the end of a path.
  ///
  /// - Throws: Where the path leads nowhere, or to something that is not an array.
  public mutating func append(
    _ value: PlistValue, toArrayAt path: PlistKeyPath
  ) throws(PlistEditError) {
    try insert(value, at: end(ofArrayAt: path))
  }

  /// The path of the place after the last element of an array.
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
    default: preconditionFailure("only containers have components")
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

/// An error of an edit at the end of a path. The edited value is unchanged.
public struct PlistEditError: Error, Sendable, Hashable {
  /// The reason.
  public var kind: Kind

  /// The path of the value that the error is about: the edited path, or one that leads there.
  public var keyPath: PlistKeyPath

  /// A reason why a value cannot be edited.
  public enum Kind: Error, Sendable, Hashable {
    /// There is no value at the path.
    case missing
    /// There is already a value at the path.
    case alreadyExists
    /// The component is not a valid index into an array of this count.
    case notAnIndex(String, count: Int)
    /// The path continues into a value of this kind, which has no keys or indices.
    case notAContainer(PlistValue.Kind)
    /// The value to append to is of this kind and not an array.
    case notAnArray(PlistValue.Kind)
    /// The root cannot be removed.
    case root
    /// The format of an edited document cannot hold the value.
    case unwritable(PlistError.Kind)
  }

  init(_ kind: Kind, at keyPath: PlistKeyPath) { (self.kind, self.keyPath) = (kind, keyPath) }
}

extension PlistEditError: CustomStringConvertible {
  /// One line of text, such as `index 7 is out of range: list has 2 elements`.
  public var description: String {
    guard case .notAnIndex(let component, let count) = kind else {
      return PlistError.describe("\(kind)", at: nil, keyPath: keyPath)
    }
    let array = keyPath.isRoot ? "the root" : keyPath.excerpt
    let elements = "\(count) element\(count == 1 ? "" : "s")"
    return Self.isNumber(component)
      ? "index \(component.excerpt) is out of range: \(array) has \(elements)"
      : "\(component.excerpt) is not an index: \(array) is an array with \(elements)"
  }

  fileprivate static func isNumber(_ component: String) -> Bool {
    component.utf8.allSatisfy { $0.decimalDigit != nil } && !component.isEmpty
  }
}

extension PlistEditError.Kind: CustomStringConvertible {
  /// The reason, without the path.
  public var description: String {
    switch self {
    case .missing: "there is no value"
    case .alreadyExists: "there is already a value"
    case .notAnIndex(let component, let count):
      PlistEditError.isNumber(component)
        ? "index \(component.excerpt) is out of range for \(count) element\(count == 1 ? "" : "s")"
        : "\(component.excerpt) is not an index"
    case .notAContainer(let kind): "\(kind.withArticle) has no keys or indices"
    case .notAnArray(let kind): "cannot append to \(kind.withArticle); expected an array"
    case .root: "the root cannot be removed"
    case .unwritable(let kind): kind.description
    }
  }
}
