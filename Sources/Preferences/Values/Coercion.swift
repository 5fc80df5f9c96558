internal import FoundationEssentials
internal import PropertyList

/// The conversions of NSUserDefaults' getters. Values of kinds that are not mentioned, such as
/// dates, data and containers, become false, 0 and nil.
extension PlistValue {
  /// A number is true unless it is zero; NaN is true.
  ///
  /// A string is true if it begins, after whitespace, with T or Y in either case, or with an
  /// optional sign, zeros and a nonzero digit. `on` and `0.5` are false.
  var coercedBool: Bool {
    switch self {
    case .boolean(let boolean): boolean
    case .integer(let number): number != 0
    case .unsignedInteger(let number): number != 0
    case .real(let number): number != 0
    case .float(let number): number != 0
    case .string(let string): string.withoutLeadingWhitespace.spellsTrue
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
    case .string(let string): string.withoutLeadingWhitespace.integerPrefix
    case .dictionary, .array, .date, .data, .uid, .set, .null: 0
    }
  }

  /// A number, or a string's leading decimal number.
  ///
  /// As with C's `strtod`, a number out of range becomes infinity or zero. Unlike with `strtod`,
  /// hexadecimal digits, `inf` and `nan` are not numbers.
  var coercedDouble: Double {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let number): Double(number)
    case .unsignedInteger(let number): Double(number)
    case .real(let number): number
    case .float(let number): Double(number)
    case .string(let string): Double(string.withoutLeadingWhitespace.decimalPrefix) ?? 0
    case .dictionary, .array, .date, .data, .uid, .set, .null: 0
    }
  }

  /// Like ``coercedDouble``, but rounded only once, from the exact value.
  var coercedFloat: Float {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let number): Float(number)
    case .unsignedInteger(let number): Float(number)
    case .real(let number): Float(number)
    case .float(let number): number
    case .string(let string): Float(string.withoutLeadingWhitespace.decimalPrefix) ?? 0
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

  var untypedArray: [Any]? {
    if case .array = self { anyValue as? [Any] } else { nil }
  }

  var untypedDictionary: [String: Any]? {
    if case .dictionary(let values) = self { values.anyValues } else { nil }
  }

  var dataValue: Data? {
    if case .data(let data) = self { data } else { nil }
  }

  var stringArray: [String]? {
    guard case .array(let elements) = self else { return nil }
    let strings = elements.compactMap { element in
      if case .string(let string) = element { string } else { nil }
    }
    return strings.count == elements.count ? strings : nil
  }
}

extension Int {
  fileprivate init(clampingWholePartOf real: Double) {
    self = real.isNaN ? 0 : Int(exactly: real.rounded(.towardZero)) ?? (real < 0 ? .min : .max)
  }
}

extension String {
  /// Whitespace as Unicode defines it.
  fileprivate var withoutLeadingWhitespace: Substring {
    Substring(unicodeScalars.drop { $0.properties.isWhitespace })
  }
}

extension Substring {
  fileprivate var spellsTrue: Bool {
    switch utf8.first {
    case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "y"), UInt8(ascii: "Y"): true
    default: utf8.withoutSign.drop { $0 == UInt8(ascii: "0") }.first?.isDigit == true
    }
  }

  /// The leading integer, clamped to `Int`; 0 without one.
  fileprivate var integerPrefix: Int {
    let isNegative = utf8.first == UInt8(ascii: "-")
    var number = 0
    for byte in utf8.withoutSign.prefix(while: \.isDigit) {
      let digit = Int(byte - UInt8(ascii: "0"))
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isTooLarge || isBeyond { return isNegative ? .min : .max }
      number = sum
    }
    return number
  }

  /// The longest prefix that is a decimal number: an optional sign, digits with or without a
  /// decimal point, and an optional exponent. Empty without one.
  var decimalPrefix: Substring {
    var rest = utf8.withoutSign
    let whole = rest.prefix(while: \.isDigit)
    rest = rest[whole.endIndex...]
    var hasDigits = !whole.isEmpty
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isDigit)
      hasDigits = hasDigits || !fraction.isEmpty
      rest = rest[fraction.endIndex...]
    }
    guard hasDigits else { return self[..<startIndex] }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      let exponent = rest.dropFirst().withoutSign.prefix(while: \.isDigit)
      if !exponent.isEmpty { rest = rest[exponent.endIndex...] }
    }
    return self[..<rest.startIndex]
  }
}

extension Substring.UTF8View {
  fileprivate var withoutSign: Substring.UTF8View {
    first == UInt8(ascii: "+") || first == UInt8(ascii: "-") ? dropFirst() : self
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
