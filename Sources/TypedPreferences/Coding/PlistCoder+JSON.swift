internal import FoundationEssentials
internal import PropertyList

extension PlistCoder {
  /// Returns a coder that also reads values stored as JSON, in a string or in data, as Codable
  /// writes them.
  package func readingJSON() -> PlistCoder {
    let decode = decode
    return PlistCoder(
      isCostly: isCostly, encode: encode,
      decode: { plist throws(ValueConversionError) in
        do throws(ValueConversionError) {
          return try decode(plist)
        } catch {
          guard let tree = JSONText.tree(plist) else { throw error }
          if let value = try? decode(tree) { return value }
          // JSON has no dates and no data: only Codable tells them from numbers and strings.
          guard let value = JSONText.decodable(Value.self, from: plist) else { throw error }
          return value
        }
      }, merge: merge, partial: partial?.readingJSON(),
      areEquivalent: areEquivalent)
  }
}

extension PartialCoding {
  /// Returns a coding that also reads the elements of collections stored as JSON, and keeps those
  /// that cannot be decoded in the form that JSON gives them.
  fileprivate func readingJSON() -> PartialCoding {
    PartialCoding(
      decode: { [decode] plist, unreadable throws(ValueConversionError) in
        try decode(JSONText.tree(plist) ?? plist, &unreadable)
      },
      keepUnreadable: { [keepUnreadable] encoded, stored in
        keepUnreadable(encoded, JSONText.tree(stored) ?? stored)
      })
  }
}

extension JSONText {
  /// Decodes a string or data by Codable; returns nil if the type is not Decodable or decoding
  /// fails.
  fileprivate static func decodable<Value>(_: Value.Type, from plist: PlistValue) -> Value? {
    guard let type = Value.self as? any Decodable.Type, let data = data(plist) else { return nil }
    return (try? decode(type, from: data)) as? Value
  }
}
