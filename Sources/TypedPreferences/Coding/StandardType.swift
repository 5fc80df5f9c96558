internal import Preferences
package import PropertyList

/// A type of the standard library or of Foundation that the front ends can store.
///
/// The types are listed with their coders in the files `StandardType+Topic.swift`. `Defaults`
/// supports all of them. `Foil` supports the types in its own list, and the others as Codable
/// types. The types of `TypedDefaults` convert themselves.
package protocol StandardType: SendableMetatype {
  static var plistCoder: PlistCoder<Self> { get }
}

/// A standard type that property lists have themselves.
package protocol NativeType: StandardType {}

extension PlistCoder {
  package static func standard() -> PlistCoder? {
    func coder<Standard: StandardType>(of type: Standard.Type) -> Any { type.plistCoder }
    guard let type = Value.self as? any StandardType.Type else { return nil }
    return coder(of: type) as? PlistCoder
  }

  package static func native() -> PlistCoder? {
    Value.self is any NativeType.Type ? standard() : nil
  }

  /// The coder of a standard type. For any other type, such as `[String: Any]`, the coder converts
  /// values by their dynamic type.
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

// Types whose coders are made from the coders of their elements.

extension Range: StandardType where Bound: StandardType {
  package static var plistCoder: PlistCoder<Range> {
    .range(of: Bound.plistCoder, bounds: { [$0.lowerBound, $0.upperBound] }, make: { $0..<$1 })
  }
}

extension ClosedRange: StandardType where Bound: StandardType {
  package static var plistCoder: PlistCoder<ClosedRange> {
    .range(of: Bound.plistCoder, bounds: { [$0.lowerBound, $0.upperBound] }, make: { $0...$1 })
  }
}

extension Optional: StandardType where Wrapped: StandardType {
  package static var plistCoder: PlistCoder<Wrapped?> { .optional(of: Wrapped.plistCoder) }
}

extension Array: StandardType where Element: StandardType {
  package static var plistCoder: PlistCoder<[Element]> { .array(of: Element.plistCoder) }
}

extension Set: StandardType where Element: StandardType {
  package static var plistCoder: PlistCoder<Set> { .set(of: Element.plistCoder) }
}

extension Dictionary: StandardType
where Key: LosslessStringConvertible, Value: StandardType {
  package static var plistCoder: PlistCoder<[Key: Value]> { .dictionary(of: Value.plistCoder) }
}
