package import FoundationEssentials
package import PropertyList

/// Types that property lists have. Each is stored as it is.
extension PlistCoder {
  /// A coder of Booleans. The integers 0 and 1 are also read, as other libraries write them.
  package static func boolean() -> PlistCoder<Bool> where Value == Bool {
    PlistCoder<Bool> { value in
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

  /// A coder of integers. A real without a fraction is also read.
  package static func integer() -> PlistCoder where Value: FixedWidthInteger & Sendable {
    PlistCoder { value throws(ValueConversionError) in
      if let number = Int64(exactly: value) { return .integer(number) }
      guard let number = UInt64(exactly: value) else { throw .outOfRange(UInt64.self) }
      return .unsignedInteger(number)
    } decode: { plist throws(ValueConversionError) in
      let number: Value?
      switch plist {
      case .integer(let integer): number = Value(exactly: integer)
      case .unsignedInteger(let integer): number = Value(exactly: integer)
      case .real(let real): number = Value(exactly: real)
      case .float(let real): number = Value(exactly: real)
      default: throw .wrongKind("an integer", plist)
      }
      guard let number else { throw .outOfRange(Value.self) }
      return number
    }
  }

  /// A coder of reals. Integers that the type represents exactly are also read.
  ///
  /// - Parameter stored: Returns what is stored for a value.
  package static func real(
    _ stored: @escaping @Sendable (Value) -> PlistValue
  ) -> PlistCoder where Value: BinaryFloatingPoint & Sendable {
    PlistCoder { value in
      stored(value)
    } decode: { plist throws(ValueConversionError) in
      let number: Value?
      switch plist {
      case .real(let real): number = Value(nearest: real)
      case .float(let real): number = Value(nearest: Double(real))
      case .integer(let integer): number = Value(exactly: integer)
      case .unsignedInteger(let integer): number = Value(exactly: integer)
      default: throw .wrongKind("a real", plist)
      }
      guard let number else { throw .outOfRange(Value.self) }
      return number
    }
  }

  /// A coder of strings.
  package static func string() -> PlistCoder<String> where Value == String {
    PlistCoder<String> { value in
      .string(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .string(let value) = plist else { throw .wrongKind("a string", plist) }
      return value
    }
  }

  /// A coder of dates.
  package static func date() -> PlistCoder<Date> where Value == Date {
    PlistCoder<Date> { value throws(ValueConversionError) in
      if value.timeIntervalSinceReferenceDate.isNaN { throw .malformed("a date that is not NaN") }
      return .date(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .date(let value) = plist else { throw .wrongKind("a date", plist) }
      return value
    }
  }

  /// A coder of data.
  package static func data() -> PlistCoder<Data> where Value == Data {
    PlistCoder<Data> { value in
      .data(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .data(let value) = plist else { throw .wrongKind("data", plist) }
      return value
    }
  }
}

extension BinaryFloatingPoint {
  /// Creates the value nearest to a number; nil if only an infinite one is near a finite number.
  fileprivate init?(nearest number: Double) {
    self.init(number)
    if isInfinite, number.isFinite { return nil }
  }
}
