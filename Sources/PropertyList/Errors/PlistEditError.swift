/// An error of an edit at the end of a path. The edited value is unchanged.
public struct PlistEditError: Error, Sendable, Hashable {
  /// The reason.
  public var kind: Kind

  /// The path of the value that the error is about: the edited path, or a part of it.
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
    let elements = count.counted("element")
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
        ? "index \(component.excerpt) is out of range for \(count.counted("element"))"
        : "\(component.excerpt) is not an index"
    case .notAContainer(let kind): "\(kind.withArticle) has no keys or indices"
    case .notAnArray(let kind): "cannot append to \(kind.withArticle); expected an array"
    case .root: "the root cannot be removed"
    case .unwritable(let kind): kind.description
    }
  }
}
