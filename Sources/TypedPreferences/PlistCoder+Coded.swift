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
    return PlistCoder { value throws(ValueFailure) in
      try raw.encode(value.rawValue)
    } decode: { plist throws(ValueFailure) in
      // The JSON comes second: a raw value may look like one.
      if let value = (try? raw.decode(plist)).flatMap({ Value(rawValue: $0) }) { return value }
      if case .string(let text) = plist, let tree = JSONText.tree(Data(text.utf8)),
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
    codable { value throws(ValueFailure) in
      .string(String(decoding: try JSONText.encode(value), as: UTF8.self))
    }
  }

  /// Codable types, stored as the bytes of JSON with sorted keys. What ``jsonText()`` reads is read, too.
  package static func jsonData() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueFailure) in .data(try JSONText.encode(value)) }
  }

  /// Codable types, stored as native property lists. What ``jsonText()`` reads is read, too.
  package static func codablePlist() -> PlistCoder where Value: Codable & SendableMetatype {
    codable { value throws(ValueFailure) in
      do {
        return try PlistEncoder().encodeToValue(value)
      } catch {
        throw ValueFailure(coding: error)
      }
    }
  }

  private static func codable(
    encode: @escaping @Sendable (Value) throws(ValueFailure) -> PlistValue
  ) -> PlistCoder where Value: Codable & SendableMetatype {
    PlistCoder(isCostly: true) { value throws(ValueFailure) in
      try encode(value)
    } decode: { plist throws(ValueFailure) in
      let json: Data
      switch plist {
      case .string(let text): json = Data(text.utf8)
      case .data(let data): json = data
      default: return try decodePlist(plist)
      }
      do {
        return try JSONText.decode(Value.self, from: json)
      } catch {
        // An enumeration's raw value looks like this, and data that is a value of its own.
        if let value = try? decodePlist(plist) { return value }
        throw ValueFailure(coding: error)
      }
    } merge: { base, plist in
      merge(base, plist)
    }
  }

  private static func decodePlist(_ plist: PlistValue) throws(ValueFailure) -> Value
  where Value: Codable & SendableMetatype {
    do {
      return try PlistDecoder().decode(Value.self, from: plist)
    } catch {
      throw ValueFailure(coding: error)
    }
  }

  /// A value with what is stored, and of the base what is missing there.
  private static func merge(_ base: Value, _ plist: PlistValue) -> Value?
  where Value: Codable & SendableMetatype {
    switch plist {
    case .dictionary(let stored):
      guard case .dictionary(let base)? = try? PlistEncoder().encodeToValue(base) else {
        return nil
      }
      return try? decodePlist(.dictionary(base.merged(with: stored)))
    case .string, .data:
      let json: Data =
        switch plist {
        case .data(let data): data
        case .string(let text): Data(text.utf8)
        default: Data()
        }
      guard case .dictionary(let stored)? = JSONText.tree(json),
        let encoded = try? JSONText.encode(base),
        case .dictionary(let base)? = JSONText.tree(encoded)
      else { return nil }
      return try? JSONText.decode(
        Value.self, from: JSONText.encode(PlistValue.dictionary(base.merged(with: stored))))
    default:
      return nil
    }
  }
}

extension PlistDictionary {
  /// The entries, with those of another dictionary over them, and so on in dictionaries that both have.
  fileprivate func merged(with other: PlistDictionary) -> PlistDictionary {
    var result = self
    for (key, value) in other {
      if case .dictionary(let inner) = value, case .dictionary(let base)? = self[key] {
        result[key] = .dictionary(base.merged(with: inner))
      } else {
        result[key] = value
      }
    }
    return result
  }
}
