extension DecodingError {
  /// The error of a value that is not what its type asks for.
  static func corrupted(at path: CodingPath, _ text: String) -> DecodingError {
    .dataCorrupted(Context(codingPath: path.keys, debugDescription: text))
  }

  /// The error of a value of another kind than the type asks for.
  static func mismatch(
    _ type: Any.Type, expected: PlistValue.Kind, found: PlistValue, at path: CodingPath
  ) -> DecodingError {
    let context = Context(
      codingPath: path.keys,
      debugDescription: "Expected \(expected.inSentence) but found \(found.kind.inSentence).")
    return found.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error of a number that the type cannot hold exactly.
  static func inexact(_ number: PlistValue, as type: Any.Type, at path: CodingPath) -> DecodingError
  {
    .corrupted(at: path, "\(type) cannot hold \(number.numberText) exactly.")
  }

  /// The error of a key without a value.
  static func noKey(_ key: some CodingKey, in path: CodingPath) -> DecodingError {
    .keyNotFound(
      key,
      Context(
        codingPath: path.keys,
        debugDescription: "The dictionary has no key \"\(key.stringValue)\"."))
  }

  /// The error of an array that is shorter than the type asks for.
  static func end(_ type: Any.Type, at path: CodingPath) -> DecodingError {
    .valueNotFound(
      type, Context(codingPath: path.keys, debugDescription: "The array has no more elements."))
  }

  /// The error of a value that is not there, where any would do.
  static func nothing(_ type: Any.Type, at path: CodingPath) -> DecodingError {
    .valueNotFound(
      type, Context(codingPath: path.keys, debugDescription: "Expected a value but found none."))
  }
}

extension PlistValue.Kind {
  /// The kind's name in a sentence.
  fileprivate var inSentence: String {
    switch self {
    case .null, .data: description
    case .array, .integer: "an \(self)"
    default: "a \(self)"
    }
  }
}

extension PlistValue {
  /// The number with its kind, in a sentence.
  fileprivate var numberText: String {
    switch self {
    case .integer(let number): "the integer \(number)"
    case .unsignedInteger(let number): "the integer \(number)"
    case .real(let number): "the real \(number)"
    case .float(let number): "the real \(number)"
    default: kind.inSentence
    }
  }
}
