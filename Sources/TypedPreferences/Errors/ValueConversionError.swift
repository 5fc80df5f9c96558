package import Preferences
public import PropertyList

/// An error that occurred while converting a value to or from its stored form.
public struct ValueConversionError: Error, Sendable, Hashable {
  /// The kinds of errors.
  public enum Kind: Sendable, Hashable {
    /// The stored value is of another kind.
    case wrongKind(expected: String, found: PlistValue.Kind)
    /// A number cannot be represented by the type.
    case outOfRange(type: String)
    /// The value is of the right kind, but not what was expected, such as `a URL`.
    case malformed(expected: String)
    /// The value is outside the limits that the key declares, such as `1 to 16 columns`.
    case notAllowed(expected: String)
    /// Values of the type cannot be stored, and what to do instead.
    case unstorable(type: String, remedy: String)
    /// The store refuses the value, for the given reason.
    case refused(String)
    /// Encoding or decoding failed for the given reason.
    case coding(String)
  }

  /// The kind of the error.
  public var kind: Kind
  /// The place of the error within the value: keys of dictionaries and positions in arrays, from
  /// the outermost to the innermost.
  public var path: PlistKeyPath

  /// Creates an error, by default about the value as a whole.
  package init(_ kind: Kind, path: PlistKeyPath = PlistKeyPath()) {
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

  /// - Parameter remedy: The advice; by default, for a type without a conversion.
  package static func unstorable(
    _ type: Any.Type, remedy: String? = nil
  ) -> ValueConversionError {
    ValueConversionError(
      .unstorable(type: "\(type)", remedy: remedy ?? PreferencesError.remedy(for: "\(type)")))
  }

  /// Returns the error for the value that contains this one under a key or at a position.
  package func within(_ component: String) -> ValueConversionError {
    ValueConversionError(kind, path: PlistKeyPath(components: [component] + path.components))
  }
}

extension ValueConversionError: CustomStringConvertible {
  /// The error in one line: what was expected and what was found, and where.
  public var description: String {
    let text =
      switch kind {
      case .wrongKind(let expected, let found): "expected \(expected), found \(found.withArticle)"
      case .outOfRange(let type): "the number cannot be represented as \(type)"
      case .malformed(let expected), .notAllowed(let expected): "expected \(expected)"
      case .unstorable(let type, let remedy):
        "a value of type \(type) cannot be stored; \(remedy)"
      case .refused(let reason), .coding(let reason): reason
      }
    return path.isRoot ? text : "\(text) (at \(path))"
  }
}

extension ValueConversionError {
  /// Calls a closure that uses Codable, and throws the error that corresponds to the closure's.
  static func ofCoding<Result>(
    _ body: () throws -> Result
  ) throws(ValueConversionError) -> Result {
    do { return try body() } catch { throw ValueConversionError(coding: error) }
  }

  /// Creates the error that corresponds to an error thrown while coding by Codable.
  private init(coding error: any Error) {
    switch error {
    case let error as ValueConversionError: self = error
    case let error as DecodingError: self.init(decoding: error)
    case EncodingError.invalidValue(_, let context):
      self.init(.coding(context.debugDescription), path: PlistKeyPath(context.codingPath))
    default: self.init(.coding("\(error)"))
    }
  }

  private init(decoding error: DecodingError) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      self.init(.coding(context.debugDescription), path: PlistKeyPath(context.codingPath))
    case .keyNotFound(let key, let context):
      self.init(
        .coding("the dictionary has no key \(key.stringValue)"),
        path: PlistKeyPath(context.codingPath))
    @unknown default:
      self.init(.coding("\(error)"))
    }
  }
}

extension PlistKeyPath {
  fileprivate init(_ codingPath: [any CodingKey]) {
    self.init(components: codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue })
  }
}

extension ValueConversionError {
  /// Creates the error for a value that preferences cannot hold, with its place, or that a store
  /// refuses.
  package init(_ error: PreferencesError) {
    let place = error.place ?? PlistKeyPath()
    switch error {
    case .unsupportedType(let type, _):
      let remedy = PreferencesError.remedy(for: type)
      self.init(.unstorable(type: type, remedy: remedy), path: place)
    case .unsupportedKeys(let type, _):
      self.init(.unstorable(type: type, remedy: "its keys must be strings"), path: place)
    case .nullValue: self.init(.unstorable(type: "null", remedy: "leave it out"), path: place)
    case .readOnly: self.init(.refused("the store is read-only"))
    case .refusedChange(_, _, let reason): self.init(.refused("refused by the program: \(reason)"))
    case .dateIsNaN: self.init(.malformed(expected: "a date that is not NaN"), path: place)
    default: self.init(.coding(error.unstorableText), path: place)
    }
  }
}
