package import FoundationEssentials
internal import Preferences
package import PropertyList

/// A type that can be stored without being taught to: those of property lists, of the standard library and
/// of Foundation that all front ends know.
package protocol PlistStorable: SendableMetatype {
  /// How its values are stored.
  static var plistCoder: PlistCoder<Self> { get }
}

extension PlistCoder {
  /// The coder of any type: that of ``PlistStorable``, or one that goes by the types of values.
  package static func resolved() -> PlistCoder {
    func coder<Storable: PlistStorable>(of type: Storable.Type) -> Any { type.plistCoder }
    if let type = Value.self as? any PlistStorable.Type, let coder = coder(of: type) as? PlistCoder
    {
      return coder
    }
    return untyped()
  }

  /// Values of types that are known only when they are at hand, as those of `[String: Any]`.
  private static func untyped() -> PlistCoder {
    PlistCoder(isCostly: true) { value throws(ValueConversionError) in
      guard let plist = try? PlistValue(storing: value) else { throw .unstorable(Value.self) }
      return plist
    } decode: { plist throws(ValueConversionError) in
      guard let value = plist.anyValue as? Value else { throw .wrongKind("\(Value.self)", plist) }
      return value
    }
  }
}

extension Bool: PlistStorable {
  package static var plistCoder: PlistCoder<Bool> { .boolean() }
}

extension Int: PlistStorable {
  package static var plistCoder: PlistCoder<Int> { .integer() }
}

extension Int8: PlistStorable {
  package static var plistCoder: PlistCoder<Int8> { .integer() }
}

extension Int16: PlistStorable {
  package static var plistCoder: PlistCoder<Int16> { .integer() }
}

extension Int32: PlistStorable {
  package static var plistCoder: PlistCoder<Int32> { .integer() }
}

extension Int64: PlistStorable {
  package static var plistCoder: PlistCoder<Int64> { .integer() }
}

extension UInt: PlistStorable {
  package static var plistCoder: PlistCoder<UInt> { .integer() }
}

extension UInt8: PlistStorable {
  package static var plistCoder: PlistCoder<UInt8> { .integer() }
}

extension UInt16: PlistStorable {
  package static var plistCoder: PlistCoder<UInt16> { .integer() }
}

extension UInt32: PlistStorable {
  package static var plistCoder: PlistCoder<UInt32> { .integer() }
}

extension UInt64: PlistStorable {
  package static var plistCoder: PlistCoder<UInt64> { .integer() }
}

extension Double: PlistStorable {
  package static var plistCoder: PlistCoder<Double> { .real { .real($0) } }
}

extension Float: PlistStorable {
  package static var plistCoder: PlistCoder<Float> { .real { .float($0) } }
}

extension String: PlistStorable {
  package static var plistCoder: PlistCoder<String> { .string() }
}

extension Date: PlistStorable {
  package static var plistCoder: PlistCoder<Date> { .date() }
}

extension Data: PlistStorable {
  package static var plistCoder: PlistCoder<Data> { .data() }
}

extension URL: PlistStorable {
  package static var plistCoder: PlistCoder<URL> { .url() }
}

extension UUID: PlistStorable {
  package static var plistCoder: PlistCoder<UUID> { .uuid() }
}

extension Decimal: PlistStorable {
  package static var plistCoder: PlistCoder<Decimal> { .decimal() }
}

extension Locale: PlistStorable {
  package static var plistCoder: PlistCoder<Locale> { .locale() }
}

extension TimeZone: PlistStorable {
  package static var plistCoder: PlistCoder<TimeZone> { .timeZone() }
}

extension Duration: PlistStorable {
  package static var plistCoder: PlistCoder<Duration> { .duration() }
}

extension DateInterval: PlistStorable {
  package static var plistCoder: PlistCoder<DateInterval> { .dateInterval() }
}

extension PlistValue: PlistStorable {
  package static var plistCoder: PlistCoder<PlistValue> {
    PlistCoder { value in
      value
    } decode: { plist in
      plist
    }
  }
}

extension Range: PlistStorable where Bound: PlistStorable {
  package static var plistCoder: PlistCoder<Range> { .range(of: Bound.plistCoder) }
}

extension ClosedRange: PlistStorable where Bound: PlistStorable {
  package static var plistCoder: PlistCoder<ClosedRange> { .closedRange(of: Bound.plistCoder) }
}

extension Optional: PlistStorable where Wrapped: PlistStorable {
  package static var plistCoder: PlistCoder<Wrapped?> { .optional(of: Wrapped.plistCoder) }
}

extension Array: PlistStorable where Element: PlistStorable {
  package static var plistCoder: PlistCoder<[Element]> { .array(of: Element.plistCoder) }
}

extension Set: PlistStorable where Element: PlistStorable {
  package static var plistCoder: PlistCoder<Set> { .set(of: Element.plistCoder) }
}

extension Dictionary: PlistStorable
where Key: LosslessStringConvertible, Value: PlistStorable {
  package static var plistCoder: PlistCoder<[Key: Value]> { .dictionary(of: Value.plistCoder) }
}
