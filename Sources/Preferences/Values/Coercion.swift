internal import PropertyList

/// The conversions of NSUserDefaults' getters. Values of kinds that are not mentioned, such as
/// dates, data and containers, become false, 0 and nil.
extension PlistValue {
  /// A number is true unless it is zero; NaN is true.
  ///
  /// ``ValueText`` says which strings are true.
  var coercedBool: Bool {
    switch self {
    case .boolean(let boolean): boolean
    case .integer(let number): number != 0
    case .unsignedInteger(let number): number != 0
    case .real(let number): number != 0
    case .float(let number): number != 0
    case .string(let string): ValueText.bool(prefixOf: string)
    case .dictionary, .array, .date, .data, .uid, .set, .null: false
    }
  }

  /// The whole part of a real or a string's leading decimal digits, clamped to `Int`; 0 for NaN.
  var coercedInteger: Int {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let number): Int(clamping: number)
    case .unsignedInteger(let number): Int(clamping: number)
    case .real(let number): Int(clampingWholePartOf: number)
    case .float(let number): Int(clampingWholePartOf: Double(number))
    case .string(let string): ValueText.integer(prefixOf: string)
    case .dictionary, .array, .date, .data, .uid, .set, .null: 0
    }
  }

  /// A number, or a string's leading decimal number.
  ///
  /// As with C's `strtod`, a number out of range becomes infinity or zero. Unlike with `strtod`,
  /// hexadecimal digits, `inf` and `nan` are not numbers.
  var coercedDouble: Double { coercedReal() }

  /// Like ``coercedDouble``, but rounded only once, from the exact value.
  var coercedFloat: Float { coercedReal() }

  @inline(__always)
  private func coercedReal<Real: BinaryFloatingPoint & LosslessStringConvertible>() -> Real {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let number): Real(number)
    case .unsignedInteger(let number): Real(number)
    case .real(let number): Real(number)
    case .float(let number): Real(number)
    case .string(let string): Real(String(ValueText.decimalPrefix(of: string))) ?? 0
    case .dictionary, .array, .date, .data, .uid, .set, .null: 0
    }
  }

  /// The fewest digits that read back as the same number, and `1` or `0` for a Boolean.
  ///
  /// A whole real has no decimal point. Reals from 1e17 up and below 1e-4 have an exponent. NaN and
  /// the infinities are `nan`, `inf` and `-inf`.
  var coercedString: String? {
    switch self {
    case .boolean(let boolean): boolean ? "1" : "0"
    case .integer(let number): String(number)
    case .unsignedInteger(let number): String(number)
    case .real(let number): number.descriptionText
    case .float(let number): number.descriptionText
    case .string(let string): string
    case .dictionary, .array, .date, .data, .uid, .set, .null: nil
    }
  }
}

extension Int {
  fileprivate init(clampingWholePartOf real: Double) {
    self = real.isNaN ? 0 : Int(exactly: real.rounded(.towardZero)) ?? (real < 0 ? .min : .max)
  }
}
