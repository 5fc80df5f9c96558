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

  /// Returns the value of the JSON text in a string or data; nil if there is no JSON text in it.
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

extension PlistCoder {
  /// Returns a coder that also reads values stored as JSON, in a string or in data, as Codable
  /// writes them.
  package func readingJSON() -> PlistCoder {
    var coder = decoding { [decode] plist throws(ValueConversionError) in
      do throws(ValueConversionError) { return try decode(plist) } catch {
        guard let tree = CodableJSON.tree(plist) else { throw error }
        if let value = try? decode(tree) { return value }
        // JSON has no dates and no data: only Codable can distinguish them from numbers and
        // strings.
        guard let value = CodableJSON.decodable(Value.self, from: plist) else { throw error }
        return value
      }
    }
    // Elements that cannot be decoded are kept in their JSON form.
    coder.partial = partial.map { partial in
      LenientCollectionCoding(
        decode: { plist, unreadable throws(ValueConversionError) in
          try partial.decode(CodableJSON.tree(plist) ?? plist, &unreadable)
        },
        keepUnreadable: { partial.keepUnreadable($0, CodableJSON.tree($1) ?? $1) })
    }
    return coder
  }
}
