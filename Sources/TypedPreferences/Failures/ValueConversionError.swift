public import PropertyList

/// Why a value could not be stored, or not be made of what is stored.
public struct ValueConversionError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Kind: Sendable, Hashable {
    /// Something of another kind is stored.
    case wrongKind(expected: String, found: PlistValue.Kind)
    /// A number does not fit the type.
    case outOfRange(type: String)
    /// What is stored is of the right kind, but not what it should be, such as `a URL`.
    case malformed(expected: String)
    /// Something of a type cannot be stored.
    case unstorable(type: String)
    /// Decoding or encoding by Codable failed, for this reason.
    case coding(String)
  }

  /// What is wrong.
  public var kind: Kind
  /// Where in the value that is: keys of dictionaries and positions in arrays.
  public var path: PlistKeyPath

  /// A failure at a place in a value.
  public init(_ kind: Kind, path: PlistKeyPath = PlistKeyPath()) {
    self.kind = kind
    self.path = path
  }
}

extension ValueConversionError {
  package static func wrongKind(_ expected: String, _ found: PlistValue) -> ValueConversionError {
    ValueConversionError(.wrongKind(expected: expected, found: found.kind))
  }

  package static func outOfRange(_ type: Any.Type) -> ValueConversionError {
    ValueConversionError(.outOfRange(type: "\(type)"))
  }

  package static func malformed(_ expected: String) -> ValueConversionError {
    ValueConversionError(.malformed(expected: expected))
  }

  package static func unstorable(_ type: Any.Type) -> ValueConversionError {
    ValueConversionError(.unstorable(type: "\(type)"))
  }

  /// The same failure, of a value within another one.
  package func within(_ component: String) -> ValueConversionError {
    ValueConversionError(kind, path: PlistKeyPath(components: [component] + path.components))
  }
}

extension ValueConversionError: CustomStringConvertible {
  /// One line of text: what was expected and what was found.
  public var description: String {
    let text =
      switch kind {
      case .wrongKind(let expected, let found): "expected \(expected), found \(found.withArticle)"
      case .outOfRange(let type): "the number does not fit \(type)"
      case .malformed(let expected): "expected \(expected)"
      case .unstorable(let type): "a value of type \(type) cannot be stored"
      case .coding(let reason): reason
      }
    return path.isRoot ? text : "\(text) (at \(path))"
  }
}
