extension DecodingError {
  /// Returns the error of a value that its type cannot be decoded from.
  static func corrupted(at path: CodingPath, _ text: String) -> DecodingError {
    .dataCorrupted(Context(codingPath: path.keys, debugDescription: text))
  }

  /// Returns the error of a value of another kind than the type expects.
  static func mismatch(
    _ type: Any.Type, expected: PlistValue.Kind, found: PlistValue, at path: CodingPath
  ) -> DecodingError {
    let context = Context(
      codingPath: path.keys,
      debugDescription: "Expected \(expected.withArticle) but found \(found.kind.withArticle).")
    return found.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Returns the error of a number that the type cannot represent exactly.
  static func inexact(_ number: PlistValue, as type: Any.Type, at path: CodingPath) -> DecodingError
  {
    .corrupted(at: path, "\(type) cannot represent \(number.numberText) exactly.")
  }

  /// Returns the error of a key without a value.
  static func noKey(_ key: some CodingKey, in path: CodingPath) -> DecodingError {
    .keyNotFound(
      key,
      Context(
        codingPath: path.keys,
        debugDescription: "The dictionary has no key \"\(key.stringValue)\"."))
  }

  /// Returns the error of an array with fewer elements than the type expects.
  static func noMoreElements(_ type: Any.Type, at path: CodingPath) -> DecodingError {
    .valueNotFound(
      type, Context(codingPath: path.keys, debugDescription: "The array has no more elements."))
  }

  /// Returns the error of a missing value of any kind.
  static func noValue(_ type: Any.Type, at path: CodingPath) -> DecodingError {
    .valueNotFound(
      type, Context(codingPath: path.keys, debugDescription: "Expected a value but found none."))
  }
}

extension PlistValue {
  /// The number with its kind, as in `the integer 5`.
  fileprivate var numberText: String {
    switch self {
    case .integer(let number): "the integer \(number)"
    case .unsignedInteger(let number): "the integer \(number)"
    case .real(let number): "the real \(number)"
    case .float(let number): "the real \(number)"
    default: kind.withArticle
    }
  }
}
