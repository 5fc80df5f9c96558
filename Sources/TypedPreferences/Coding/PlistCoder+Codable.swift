internal import PropertyList
internal import FoundationEssentials

/// Types that are stored by their raw values or by Codable.
extension PlistCoder {
  /// Types with raw values, stored as these. A raw value as a text of JSON, as Codable has it, is read,
  /// too.
  package static func raw(
    _ raw: PlistCoder<Value.RawValue>
  ) -> PlistCoder where Value: RawRepresentable & SendableMetatype {
    let expected = "a raw value of \(Value.self)"
    return PlistCoder { value throws(ValueConversionError) in
      try raw.encode(value.rawValue)
    } decode: { plist throws(ValueConversionError) in
      // The JSON comes second: a raw value may look like one.
      if let value = (try? raw.decode(plist)).flatMap({ Value(rawValue: $0) }) { return value }
      if case .string = plist, let tree = JSONText.tree(plist),
        let value = (try? raw.decode(tree)).flatMap({ Value(rawValue: $0) })
      {
        return value
      }
      _ = try raw.decode(plist)
      throw .malformed(expected)
    }
  }

  /// Codable types, stored as a text of JSON with sorted keys.
  ///
  /// The bytes of such a text and native property lists are read, too.
  package static func jsonText() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueConversionError) in
      .string(String(decoding: try JSONText.encode(value), as: UTF8.self))
    }
  }

  /// Codable types, stored as the bytes of JSON with sorted keys. What ``jsonText()`` reads is read, too.
  package static func jsonData() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueConversionError) in .data(try JSONText.encode(value)) }
  }

  /// Codable types, stored as native property lists. What ``jsonText()`` reads is read, too.
  package static func codablePlist() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueConversionError) in
      do {
        return try PlistEncoder().encodeToValue(value)
      } catch {
        throw ValueConversionError(coding: error)
      }
    }
  }

  private static func codable(
    encode: @escaping @Sendable (Value) throws(ValueConversionError) -> PlistValue
  ) -> PlistCoder where Value: Codable & SendableMetatype {
    PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      try encode(value)
    } decode: { plist throws(ValueConversionError) in
      guard let json = JSONText.data(plist) else { return try decodePlist(plist) }
      do {
        return try JSONText.decode(Value.self, from: json)
      } catch {
        // An enumeration's raw value looks like this, and data that is a value of its own.
        if let value = try? decodePlist(plist) { return value }
        throw ValueConversionError(coding: error)
      }
    } merge: { base, plist in
      merge(base, plist)
    }
  }

  private static func decodePlist(_ plist: PlistValue) throws(ValueConversionError) -> Value
  where Value: Codable & SendableMetatype {
    do {
      return try PlistDecoder().decode(Value.self, from: plist)
    } catch {
      throw ValueConversionError(coding: error)
    }
  }

  /// A value with what is stored, and of the base what is missing there: of its own properties, and where
  /// that is not enough of those of values within it.
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
    guard let json = JSONText.data(plist) else {
      return merge(try? PlistEncoder().encodeToValue(base), plist) { try decodePlist($0) }
    }
    guard let encoded = try? JSONText.encode(base) else { return nil }
    return merge(JSONText.tree(encoded), JSONText.tree(json)) {
      try JSONText.decode(Value.self, from: JSONText.encode($0))
    }
  }
}

extension PlistDictionary {
  /// The entries, with those of another dictionary over them.
  ///
  /// - Parameter isDeep: Whether the same is done with dictionaries that both have.
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
