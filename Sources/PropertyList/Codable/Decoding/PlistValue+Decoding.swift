internal import FoundationEssentials

/// Conversions to the types for which decoders have methods. Numbers keep their exact value or are
/// rejected, except that reals are rounded to `Float`.
extension PlistValue {
  func boolean(at path: @autoclosure () -> CodingPath) throws(DecodingError) -> Bool {
    guard case .boolean(let boolean) = self else {
      throw .mismatch(Bool.self, expected: .boolean, found: self, at: path())
    }
    return boolean
  }

  func text(at path: @autoclosure () -> CodingPath) throws(DecodingError) -> String {
    guard case .string(let string) = self else {
      throw .mismatch(String.self, expected: .string, found: self, at: path())
    }
    return string
  }

  func number<Number: FixedWidthInteger>(
    _ type: Number.Type, at path: @autoclosure () -> CodingPath
  ) throws(DecodingError) -> Number {
    let exact: Number?
    switch self {
    case .integer(let number): exact = Number(exactly: number)
    case .unsignedInteger(let number): exact = Number(exactly: number)
    case .real(let number): exact = Number(exactly: number)
    case .float(let number): exact = Number(exactly: number)
    default: throw .mismatch(type, expected: .integer, found: self, at: path())
    }
    guard let exact else { throw .inexact(self, as: type, at: path()) }
    return exact
  }

  func double(at path: @autoclosure () -> CodingPath) throws(DecodingError) -> Double {
    let exact: Double?
    switch self {
    case .integer(let number): exact = Double(exactly: number)
    case .unsignedInteger(let number): exact = Double(exactly: number)
    case .real(let number): exact = number
    case .float(let number): exact = Double(number)
    default: throw .mismatch(Double.self, expected: .real, found: self, at: path())
    }
    guard let exact else { throw .inexact(self, as: Double.self, at: path()) }
    return exact
  }

  func float(at path: @autoclosure () -> CodingPath) throws(DecodingError) -> Float {
    switch self {
    case .integer(let number):
      if let exact = Float(exactly: number) { return exact }
    case .unsignedInteger(let number):
      if let exact = Float(exactly: number) { return exact }
    case .real(let number):
      let rounded = Float(number)
      if rounded.isFinite || !number.isFinite { return rounded }
      throw .corrupted(at: path(), "The real \(number) is out of range for Float.")
    case .float(let number): return number
    default: throw .mismatch(Float.self, expected: .real, found: self, at: path())
    }
    throw .inexact(self, as: Float.self, at: path())
  }

  /// Returns whether decoders have no method for a type into which some values can be decoded.
  @inline(__always)
  static func isNative(_ type: Any.Type) -> Bool {
    type == Date.self || type == Data.self || type == URL.self
  }

  /// Decodes the value as a native type; nil if the type's `init(from:)` decodes it.
  @inline(never)  // Keeps its variables off the stack of recursive calls.
  func native<T>(
    as type: T.Type, at path: @autoclosure () -> CodingPath
  ) throws(DecodingError) -> T? {
    switch self {
    case .date(let date) where type == Date.self: return date as? T
    case .data(let data) where type == Data.self: return data as? T
    case .string(let text) where type == URL.self:
      guard let url = URL(string: text) else {
        throw .corrupted(at: path(), "The string is not a URL.")
      }
      return url as? T
    case _ where type == URL.self: return nil
    default:
      throw .mismatch(
        type, expected: type == Date.self ? .date : .data, found: self, at: path())
    }
  }
}

extension DecodingError {
  static func corrupted(at path: CodingPath, _ text: String) -> DecodingError {
    .dataCorrupted(Context(codingPath: path.keys, debugDescription: text))
  }

  static func mismatch(
    _ type: Any.Type, expected: PlistValue.Kind, found: PlistValue, at path: CodingPath
  ) -> DecodingError {
    let context = Context(
      codingPath: path.keys,
      debugDescription: "Expected \(expected.withArticle) but found \(found.kind.withArticle).")
    return found.kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  static func inexact(_ number: PlistValue, as type: Any.Type, at path: CodingPath) -> DecodingError
  {
    .corrupted(at: path, "\(type) cannot represent \(number.numberText) exactly.")
  }

  static func noKey(_ key: some CodingKey, in path: CodingPath) -> DecodingError {
    .keyNotFound(
      key,
      Context(
        codingPath: path.keys,
        debugDescription: "The dictionary has no key \"\(key.stringValue)\"."))
  }

  static func noMoreElements(_ type: Any.Type, at path: CodingPath) -> DecodingError {
    .valueNotFound(
      type, Context(codingPath: path.keys, debugDescription: "The array has no more elements."))
  }

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
