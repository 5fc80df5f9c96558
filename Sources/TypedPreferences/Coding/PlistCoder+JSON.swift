internal import PropertyList

extension PlistCoder {
  /// Returns a coder that also reads values stored as JSON, in a string or in data, as Codable
  /// writes them.
  package func readingJSON() -> PlistCoder {
    var coder = decoding { [decode] plist throws(ValueConversionError) in
      do throws(ValueConversionError) { return try decode(plist) } catch {
        guard let tree = CodableJSON.tree(plist) else { throw error }
        if let value = try? decode(tree) { return value }
        // JSON has no dates and no data: only Codable tells them from numbers and strings.
        guard let value = CodableJSON.decodable(Value.self, from: plist) else { throw error }
        return value
      }
    }
    // Elements that cannot be decoded are kept in the form that JSON gives them.
    coder.partial = partial.map { partial in
      PartialCoding(
        decode: { plist, unreadable throws(ValueConversionError) in
          try partial.decode(CodableJSON.tree(plist) ?? plist, &unreadable)
        },
        keepUnreadable: { partial.keepUnreadable($0, CodableJSON.tree($1) ?? $1) })
    }
    return coder
  }
}
