internal import PropertyList

/// Standard types that are Codable, and may be stored in either of two forms: as their
/// `plistCoder` gives them, or as JSON.
extension PlistCoder where Value: Codable & SendableMetatype {
  /// A coder of Codable types that are stored as a string of JSON. Standard types are also read in
  /// the form that they have otherwise.
  package static func jsonTextOrStandardForm() -> PlistCoder {
    let json = jsonText()
    guard let standard = PlistCoder.standard() else { return json }
    return json.decoding(decoder(standard, json))
  }

  /// A coder of standard types that are also read from a string of JSON.
  package static func standardFormOrJSONText() -> PlistCoder where Value: StandardType {
    Value.plistCoder.decoding(decoder(Value.plistCoder, jsonText()))
  }

  /// Text is read as JSON first, since any text may be the identifier of a locale. Anything else is
  /// read in the standard form first, since Codable gives an array of two numbers another meaning.
  private static func decoder(
    _ standard: PlistCoder, _ json: PlistCoder
  ) -> @Sendable (PlistValue) throws(ValueConversionError) -> Value {
    let (textFirst, standardFirst) = (json.orReading(standard), standard.orReading(json))
    return { plist throws(ValueConversionError) in
      try (CodableJSON.data(plist) == nil ? standardFirst : textFirst).decode(plist)
    }
  }
}
