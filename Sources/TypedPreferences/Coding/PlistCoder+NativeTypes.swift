package import FoundationEssentials
package import PropertyList

/// Types that property lists have.
extension PlistCoder {
  /// Booleans. The integers 0 and 1 are read as such, too, as other libraries write them.
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

  /// Integers of a type. A real without a fraction is read as one, too.
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

  /// Reals of a type. Integers that it can hold exactly are read as such, too.
  ///
  /// - Parameter stored: The form in which one is stored.
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

  /// Strings.
  package static func string() -> PlistCoder<String> where Value == String {
    PlistCoder<String> { value in
      .string(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .string(let value) = plist else { throw .wrongKind("a string", plist) }
      return value
    }
  }

  /// Dates.
  package static func date() -> PlistCoder<Date> where Value == Date {
    PlistCoder<Date> { value throws(ValueConversionError) in
      if value.timeIntervalSinceReferenceDate.isNaN { throw .malformed("a date that is a number") }
      return .date(value)
    } decode: { plist throws(ValueConversionError) in
      guard case .date(let value) = plist else { throw .wrongKind("a date", plist) }
      return value
    }
  }

  /// Data.
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
  /// The nearest value to a number; nil where that is infinite and the number is not.
  fileprivate init?(nearest number: Double) {
    self.init(number)
    if isInfinite, number.isFinite { return nil }
  }
}
