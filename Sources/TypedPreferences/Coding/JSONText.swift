internal import FoundationEssentials
package import PropertyList

/// Codable values as JSON: with sorted keys, and with infinities and NaN as strings.
package enum JSONText {
  static func encode(_ value: some Encodable) throws(ValueConversionError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try encoder.encode(value)
    } catch {
      throw ValueConversionError(coding: error)
    }
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws(ValueConversionError) -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: data)
    } catch {
      throw ValueConversionError(coding: error)
    }
  }

  /// What a JSON text holds; nil where it is none.
  static func tree(_ data: Data) -> PlistValue? {
    try? decode(PlistValue.self, from: data)
  }

  /// What a string or data holds as JSON; nil where it holds none.
  package static func tree(_ plist: PlistValue) -> PlistValue? {
    data(plist).flatMap(tree)
  }

  /// The bytes of a string or data; nil for anything else.
  static func data(_ plist: PlistValue) -> Data? {
    switch plist {
    case .string(let text): Data(text.utf8)
    case .data(let data): data
    default: nil
    }
  }
}

extension ValueConversionError {
  /// The failure that an error of Codable tells of.
  init(coding error: any Error) {
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
        .coding("there is no value for the key \(key.stringValue)"),
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
