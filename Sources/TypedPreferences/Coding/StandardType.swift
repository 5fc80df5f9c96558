internal import Preferences
package import PropertyList

/// A type of the standard library or of Foundation that the front ends can store.
///
/// The types are listed with their coders in the files `StandardType+Topic.swift`. `Defaults` offers
/// all of them, `Foil` those in its own list and the others as Codable types; the types of
/// `TypedDefaults` convert themselves.
package protocol StandardType: SendableMetatype {
  /// The coder of the type's values.
  static var plistCoder: PlistCoder<Self> { get }
}

/// A standard type that property lists have themselves.
package protocol NativeType: StandardType {}

extension PlistCoder {
  /// The coder of a standard type; nil for any other type.
  package static func standard() -> PlistCoder? {
    func coder<Standard: StandardType>(of type: Standard.Type) -> Any { type.plistCoder }
    guard let type = Value.self as? any StandardType.Type else { return nil }
    return coder(of: type) as? PlistCoder
  }

  /// The coder of a type that property lists have; nil for any other type.
  package static func native() -> PlistCoder? {
    Value.self is any NativeType.Type ? standard() : nil
  }

  /// The coder of a standard type, or one that converts values of any other type, such as
  /// `[String: Any]`, by their dynamic type.
  package static func standardOrUntyped() -> PlistCoder { standard() ?? untyped() }

  private static func untyped() -> PlistCoder {
    PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      try PlistValue(untyped: value)
    } decode: { plist throws(ValueConversionError) in
      guard let value = plist.anyValue as? Value else { throw .wrongKind("\(Value.self)", plist) }
      return value
    }
  }
}

extension PlistValue {
  /// Converts a value by its dynamic type.
  package init(untyped value: Any) throws(ValueConversionError) {
    do throws(PreferencesError) { try self.init(storing: value) } catch {
      throw ValueConversionError(error)
    }
  }
}
