internal import FoundationEssentials
internal import PropertyList

/// Codable types. Each of these coders reads what the others write.
extension PlistCoder {
  /// A coder of Codable types that are stored as a string of JSON with sorted keys.
  package static func jsonText() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueConversionError) in
      .string(String(decoding: try CodableJSON.encode(value), as: UTF8.self))
    }
  }

  /// A coder of Codable types that are stored as JSON data with sorted keys.
  package static func jsonData() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueConversionError) in .data(try CodableJSON.encode(value)) }
  }

  /// A coder of Codable types that are stored as native property list values.
  package static func codablePlist() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueConversionError) in
      try ValueConversionError.ofCoding { try PlistEncoder().encodeToValue(value) }
    }
  }

  private static func codable(
    encode: @escaping @Sendable (Value) throws(ValueConversionError) -> PlistValue
  ) -> PlistCoder where Value: Codable & SendableMetatype {
    PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      try encode(value)
    } decode: { plist throws(ValueConversionError) in
      guard let json = CodableJSON.data(plist) else { return try decodePlist(plist) }
      do throws(ValueConversionError) {
        return try CodableJSON.decode(Value.self, from: json)
      } catch {
        // Strings and data may also be native values, such as the raw value of an enumeration.
        guard let value = try? decodePlist(plist) else { throw error }
        return value
      }
    } merge: { base, plist in
      merge(base, plist)
    }
  }

  private static func decodePlist(_ plist: PlistValue) throws(ValueConversionError) -> Value
  where Value: Codable & SendableMetatype {
    try ValueConversionError.ofCoding { try PlistDecoder().decode(Value.self, from: plist) }
  }

  /// Decodes a stored value, with the properties that it lacks taken from a base value: first only
  /// at the top, then also in nested values.
  private static func merge(_ base: Value, _ plist: PlistValue) -> Value?
  where Value: Codable & SendableMetatype {
    func merge(
      _ base: PlistValue?, _ stored: PlistValue?, _ decode: (PlistValue) throws -> Value
    ) -> Value? {
      guard case .dictionary(let base)? = base, case .dictionary(let stored)? = stored else {
        return nil
      }
      for isDeep in [false, true] {
        if let value = try? decode(.dictionary(base.merged(with: stored, isDeep: isDeep))) {
          return value
        }
      }
      return nil
    }
    guard let json = CodableJSON.data(plist) else {
      return merge(try? PlistEncoder().encodeToValue(base), plist) { try decodePlist($0) }
    }
    guard let encoded = try? CodableJSON.encode(base) else { return nil }
    return merge(CodableJSON.tree(encoded), CodableJSON.tree(json)) {
      try CodableJSON.decode(Value.self, from: CodableJSON.encode($0))
    }
  }
}

extension PlistDictionary {
  /// Returns the entries of both dictionaries. The other's entries take precedence.
  ///
  /// - Parameter isDeep: Whether dictionaries under the same key are also merged.
  fileprivate func merged(with other: PlistDictionary, isDeep: Bool) -> PlistDictionary {
    var result = self
    for (key, value) in other {
      if isDeep, case .dictionary(let inner) = value, case .dictionary(let base)? = self[key] {
        result[key] = .dictionary(base.merged(with: inner, isDeep: true))
      } else {
        result[key] = value
      }
    }
    return result
  }
}

/// Standard types that are Codable, and may be stored in either of two forms: the form of their
/// `plistCoder`, or JSON.
extension PlistCoder where Value: Codable & SendableMetatype {
  /// A coder of Codable types that are stored as a string of JSON. Standard types are also read in
  /// their standard form.
  package static func jsonTextOrStandardForm() -> PlistCoder {
    let json = jsonText()
    guard let standard = PlistCoder.standard() else { return json }
    return json.decoding(decoder(standard, json))
  }

  /// A coder of standard types that are also read from a string of JSON.
  package static func standardFormOrJSONText() -> PlistCoder where Value: StandardType {
    Value.plistCoder.decoding(decoder(Value.plistCoder, jsonText()))
  }

  /// Text is read as JSON first, because any text may be the identifier of a locale. Anything else
  /// is read in the standard form first, because an array of two numbers has a different meaning in
  /// Codable.
  private static func decoder(
    _ standard: PlistCoder, _ json: PlistCoder
  ) -> @Sendable (PlistValue) throws(ValueConversionError) -> Value {
    let (textFirst, standardFirst) = (json.orReading(standard), standard.orReading(json))
    return { plist throws(ValueConversionError) in
      try (CodableJSON.data(plist) == nil ? standardFirst : textFirst).decode(plist)
    }
  }
}
