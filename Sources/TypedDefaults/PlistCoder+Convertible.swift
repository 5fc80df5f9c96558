internal import Preferences
internal import PropertyList
internal import TypedPreferences

extension PlistCoder where Value: DefaultConvertible {
  /// The coder of a type that converts its values to and from untyped objects.
  static func convertible() -> PlistCoder {
    PlistCoder { value throws(ValueConversionError) in
      do throws(PreferencesError) {
        return try PlistValue(storing: value.serialize())
      } catch {
        throw ValueConversionError(error)
      }
    } decode: { plist throws(ValueConversionError) in
      guard let value = Value(plist.anyValue) else {
        throw .malformed("a value of type \(Value.self)")
      }
      return value
    }
  }
}
