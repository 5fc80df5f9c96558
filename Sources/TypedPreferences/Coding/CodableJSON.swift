package import FoundationEssentials
package import PropertyList

/// Codable values as JSON, with sorted keys, and with infinities and NaN as strings.
package enum CodableJSON {
  package static func encode(_ value: some Encodable) throws(ValueConversionError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try ValueConversionError.ofCoding { try encoder.encode(value) }
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws(ValueConversionError) -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try ValueConversionError.ofCoding { try decoder.decode(type, from: data) }
  }

  /// Decodes a string or data; returns nil if the type is not Decodable or decoding fails.
  static func decodable<Value>(_: Value.Type, from plist: PlistValue) -> Value? {
    guard let type = Value.self as? any Decodable.Type, let data = data(plist) else { return nil }
    return (try? decode(type, from: data)) as? Value
  }

  /// Returns the value of a JSON text; nil if it is not valid JSON.
  static func tree(_ data: Data) -> PlistValue? {
    try? decode(PlistValue.self, from: data)
  }

  /// Returns the value of the JSON text that a string or data holds; nil if it holds none.
  package static func tree(_ plist: PlistValue) -> PlistValue? {
    data(plist).flatMap(tree)
  }

  /// Returns the bytes of a string or data; nil for any other kind.
  static func data(_ plist: PlistValue) -> Data? {
    switch plist {
    case .string(let text): Data(text.utf8)
    case .data(let data): data
    default: nil
    }
  }
}
