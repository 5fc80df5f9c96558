package import FoundationEssentials
package import PropertyList

// Types that property lists have, stored without conversion.

/// The integers 0 and 1 are also read, as other libraries write them.
extension Bool: NativeType {
  package static var plistCoder: PlistCoder<Bool> {
    PlistCoder { value in
      .boolean(value)
    } decode: { plist throws(ValueConversionError) in
      switch plist {
      case .boolean(let value): return value
      case .integer(0): return false
      case .integer(1): return true
      default: throw .wrongKind("a boolean", plist)
      }
    }
  }
}

/// A real without a fraction is also read.
extension NativeType where Self: FixedWidthInteger {
  package static var plistCoder: PlistCoder<Self> {
    PlistCoder { value throws(ValueConversionError) in
      if let number = Int64(exactly: value) { return .integer(number) }
      guard let number = UInt64(exactly: value) else { throw .outOfRange(UInt64.self) }
      return .unsignedInteger(number)
    } decode: { plist throws(ValueConversionError) in
      let number: Self?
      switch plist {
      case .integer(let integer): number = Self(exactly: integer)
      case .unsignedInteger(let integer): number = Self(exactly: integer)
      case .real(let real): number = Self(exactly: real)
      case .float(let real): number = Self(exactly: real)
      default: throw .wrongKind("an integer", plist)
      }
      guard let number else { throw .outOfRange(Self.self) }
      return number
    }
  }
}

extension Int: NativeType {}
extension Int8: NativeType {}
extension Int16: NativeType {}
extension Int32: NativeType {}
extension Int64: NativeType {}
extension UInt: NativeType {}
extension UInt8: NativeType {}
extension UInt16: NativeType {}
extension UInt32: NativeType {}
extension UInt64: NativeType {}

extension Double: NativeType {
  package static var plistCoder: PlistCoder<Double> { real { .real($0) } }
}

extension Float: NativeType {
  package static var plistCoder: PlistCoder<Float> { real { .float($0) } }
}

extension NativeType where Self: BinaryFloatingPoint {
  /// A coder of reals. Integers that the type represents exactly are also read.
  fileprivate static func real(
    _ stored: @escaping @Sendable (Self) -> PlistValue
  ) -> PlistCoder<Self> {
    PlistCoder { value in
      stored(value)
    } decode: { plist throws(ValueConversionError) in
      let number: Self?
      switch plist {
      case .real(let real): number = Self(nearest: real)
      case .float(let real): number = Self(nearest: Double(real))
      case .integer(let integer): number = Self(exactly: integer)
      case .unsignedInteger(let integer): number = Self(exactly: integer)
      default: throw .wrongKind("a real", plist)
      }
      guard let number else { throw .outOfRange(Self.self) }
      return number
    }
  }
}

extension BinaryFloatingPoint {
  /// Creates the value nearest to a number; nil if the nearest value to a finite number is
  /// infinite.
  fileprivate init?(nearest number: Double) {
    self.init(number)
    if isInfinite, number.isFinite { return nil }
  }
}

extension String: NativeType {
  package static var plistCoder: PlistCoder<String> {
    PlistCoder { value in
      .string(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .string(let value) = plist else { throw .wrongKind("a string", plist) }
      return value
    }
  }
}

extension Date: NativeType {
  package static var plistCoder: PlistCoder<Date> {
    PlistCoder { value throws(ValueConversionError) in
      if value.timeIntervalSinceReferenceDate.isNaN { throw .malformed("a date that is not NaN") }
      return .date(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .date(let value) = plist else { throw .wrongKind("a date", plist) }
      return value
    }
  }
}

extension Data: NativeType {
  package static var plistCoder: PlistCoder<Data> {
    PlistCoder { value in
      .data(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .data(let value) = plist else { throw .wrongKind("data", plist) }
      return value
    }
  }
}

extension PlistValue: StandardType {
  package static var plistCoder: PlistCoder<PlistValue> {
    PlistCoder(encode: { $0 }, decode: { $0 })
  }
}
