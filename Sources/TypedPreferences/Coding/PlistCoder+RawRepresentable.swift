internal import Preferences
internal import PropertyList

extension PlistCoder {
  /// A coder of types that are stored as their raw values.
  ///
  /// A string that holds the raw value as JSON, as Codable writes it, is also read.
  package static func raw(
    _ raw: PlistCoder<Value.RawValue>
  ) -> PlistCoder where Value: RawRepresentable & SendableMetatype {
    return PlistCoder(
      encode: { value throws(ValueConversionError) in
        try raw.encode(value.rawValue)
      },
      decode: { plist throws(ValueConversionError) in
        // JSON comes second: a raw value may look like it.
        if let value = (try? raw.decode(plist)).flatMap({ Value(rawValue: $0) }) { return value }
        if case .string = plist, let tree = JSONText.tree(plist),
          let value = (try? raw.decode(tree)).flatMap({ Value(rawValue: $0) })
        {
          return value
        }
        _ = try raw.decode(plist)
        throw .malformed(Value.rawValueDescription)
      }, areEquivalent: raw.areEquivalent)
  }
}
