/// Why a value could not be changed at the end of a path; the value is as it was then.
public struct PlistEditError: Error, Sendable, Hashable {
  /// What is in the way.
  public var kind: Kind

  /// The value that the error is about: the end of the path, or what lies on the way there.
  public var keyPath: PlistKeyPath

  /// The reasons not to change a value.
  public enum Kind: Error, Sendable, Hashable {
    /// There is nothing at the end of the path, or on the way there.
    case missing
    /// There is a value at the end of the path already, where none may be.
    case alreadyExists
    /// An array has no place of this index, or what should be an index is no whole number.
    case notAnIndex(String, count: Int)
    /// A value without parts, or a set, is where the path goes on.
    case notAContainer(PlistValue.Kind)
    /// What elements should be appended to is no array.
    case notAnArray(PlistValue.Kind)
    /// The root, which cannot be removed.
    case root
  }

  init(_ kind: Kind, at keyPath: PlistKeyPath) {
    self.kind = kind
    self.keyPath = keyPath
  }
}

extension PlistEditError: CustomStringConvertible {
  /// One line of text, such as `there is no place 7 in an array of 2 (key path list)`.
  public var description: String {
    PlistError.describe("\(kind)", at: nil, keyPath: keyPath)
  }
}

extension PlistEditError.Kind: CustomStringConvertible {
  /// What is in the way, without a place.
  public var description: String {
    switch self {
    case .missing: "there is no value"
    case .alreadyExists: "there is a value already"
    case .notAnIndex(let component, let count):
      "there is no place \(component.excerpt) in an array of \(count)"
    case .notAContainer(let kind): "\(kind.withArticle) has no parts that a key path could name"
    case .notAnArray(let kind): "\(kind.withArticle) cannot be appended to; expected an array"
    case .root: "the root cannot be removed"
    }
  }
}
