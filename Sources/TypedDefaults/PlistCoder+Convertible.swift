internal import Preferences
internal import PropertyList
internal import TypedPreferences

extension PlistCoder where Value: DefaultConvertible {
  /// The coder of a type that converts its values to and from untyped objects.
  static func convertible() -> PlistCoder {
    PlistCoder { value throws(ValueConversionError) in
      try PlistValue(untyped: value.serialize())
    } decode: { plist throws(ValueConversionError) in
      guard let value = Value(plist.anyValue) else {
        throw .malformed("a value of type \(Value.self)")
      }
      return value
    }
  }
}
