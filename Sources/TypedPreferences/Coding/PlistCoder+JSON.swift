internal import FoundationEssentials
internal import PropertyList

extension PlistCoder {
  /// The same coder for values that may also be stored as one text of JSON, or its bytes, as Codable has
  /// them.
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
          // Dates and data are such only to Codable.
          guard let value = JSONText.decodable(Value.self, from: plist) else { throw error }
          return value
        }
      }, merge: merge)
  }
}

extension JSONText {
  /// The value of a type that Codable finds in a string or data; nil where it finds none.
  fileprivate static func decodable<Value>(_: Value.Type, from plist: PlistValue) -> Value? {
    guard let type = Value.self as? any Decodable.Type, let data = data(plist) else { return nil }
    return (try? decode(type, from: data)) as? Value
  }
}
