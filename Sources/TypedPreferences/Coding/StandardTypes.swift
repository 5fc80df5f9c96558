package import FoundationEssentials
internal import Preferences
package import PropertyList

/// A type of the standard library or of Foundation that the front ends can store.
///
/// This is the list of these types, with one coder for each. `Defaults` offers all of them, `Foil`
/// those in its own `StandardTypes.swift` and the others as Codable types; the types of
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
    func coder<Native: NativeType>(of type: Native.Type) -> Any { type.plistCoder }
    guard let type = Value.self as? any NativeType.Type else { return nil }
    return coder(of: type) as? PlistCoder
  }

  /// The coder of a standard type, or one that converts values of any other type, such as
  /// `[String: Any]`, by their dynamic type.
  package static func standardOrUntyped() -> PlistCoder { standard() ?? untyped() }

  private static func untyped() -> PlistCoder {
    PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      do throws(PreferencesError) {
        return try PlistValue(storing: value)
      } catch {
        throw ValueConversionError(error)
      }
    } decode: { plist throws(ValueConversionError) in
      guard let value = plist.anyValue as? Value else { throw .wrongKind("\(Value.self)", plist) }
      return value
    }
  }
}

// MARK: Types that property lists have

extension Bool: NativeType {
  package static var plistCoder: PlistCoder<Bool> { .boolean() }
}

extension Int: NativeType {
  package static var plistCoder: PlistCoder<Int> { .integer() }
}

extension Int8: NativeType {
  package static var plistCoder: PlistCoder<Int8> { .integer() }
}

extension Int16: NativeType {
  package static var plistCoder: PlistCoder<Int16> { .integer() }
}

extension Int32: NativeType {
  package static var plistCoder: PlistCoder<Int32> { .integer() }
}

extension Int64: NativeType {
  package static var plistCoder: PlistCoder<Int64> { .integer() }
}

extension UInt: NativeType {
  package static var plistCoder: PlistCoder<UInt> { .integer() }
}

extension UInt8: NativeType {
  package static var plistCoder: PlistCoder<UInt8> { .integer() }
}

extension UInt16: NativeType {
  package static var plistCoder: PlistCoder<UInt16> { .integer() }
}

extension UInt32: NativeType {
  package static var plistCoder: PlistCoder<UInt32> { .integer() }
}

extension UInt64: NativeType {
  package static var plistCoder: PlistCoder<UInt64> { .integer() }
}

extension Double: NativeType {
  package static var plistCoder: PlistCoder<Double> { .real { .real($0) } }
}

extension Float: NativeType {
  package static var plistCoder: PlistCoder<Float> { .real { .float($0) } }
}

extension String: NativeType {
  package static var plistCoder: PlistCoder<String> { .string() }
}

extension Date: NativeType {
  package static var plistCoder: PlistCoder<Date> { .date() }
}

extension Data: NativeType {
  package static var plistCoder: PlistCoder<Data> { .data() }
}

// MARK: Types that are stored in another form

extension URL: StandardType {
  package static var plistCoder: PlistCoder<URL> { .url() }
}

extension UUID: StandardType {
  package static var plistCoder: PlistCoder<UUID> { .uuid() }
}

extension Decimal: StandardType {
  package static var plistCoder: PlistCoder<Decimal> { .decimal() }
}

extension Locale: StandardType {
  package static var plistCoder: PlistCoder<Locale> { .locale() }
}

extension TimeZone: StandardType {
  package static var plistCoder: PlistCoder<TimeZone> { .timeZone() }
}

extension Duration: StandardType {
  package static var plistCoder: PlistCoder<Duration> { .duration() }
}

extension DateInterval: StandardType {
  package static var plistCoder: PlistCoder<DateInterval> { .dateInterval() }
}

extension PlistValue: StandardType {
  package static var plistCoder: PlistCoder<PlistValue> {
    PlistCoder { value in
      value
    } decode: { plist in
      plist
    }
  }
}
