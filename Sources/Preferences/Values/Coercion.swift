internal import FoundationEssentials
internal import PropertyList

/// The conversions of the getters of NSUserDefaults. Values of all kinds that are not mentioned,
/// such as dates, data and containers, are false, 0 and no string.
extension PlistValue {
  /// The value as a Boolean. A number is true if it is not zero, NaN included.
  ///
  /// A string is true if it begins, after leading whitespace, with T or Y in either case, or with
  /// an optional sign, zeros, and then a digit other than zero; `on` and `0.5` are false.
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

  /// The value as an integer, clamped to the range of `Int`: a real without its fraction, a
  /// string's leading decimal digits; 0 for NaN.
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

  /// The value as a double: a string's leading decimal number.
  ///
  /// As with C's `strtod`, a number out of range is infinity or zero. Unlike with it, hexadecimal
  /// digits and the words `inf` and `nan` are not numbers.
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

  /// The value as a float: the same as ``coercedDouble``, but rounded only once, from the exact
  /// value.
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

  /// The value as a string: the fewest digits that read back as the same number, and `1` or `0` for
  /// a Boolean.
  ///
  /// A whole real has no decimal point. Reals from 1e17 on and below 1e-4 have an exponent. NaN and
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

  /// The untyped elements of an array; nil for any other value.
  var untypedArray: [Any]? {
    guard case .array = self else { return nil }
    return anyValue as? [Any]
  }

  /// The untyped entries of a dictionary; nil for any other value.
  var untypedDictionary: [String: Any]? {
    guard case .dictionary(let values) = self else { return nil }
    return values.anyValues
  }

  /// The bytes of data; nil for any other value.
  var dataValue: Data? {
    guard case .data(let data) = self else { return nil }
    return data
  }

  /// The elements of an array of strings; nil for any other value.
  var stringArray: [String]? {
    guard case .array(let elements) = self else { return nil }
    var strings: [String] = []
    for element in elements {
      guard case .string(let string) = element else { return nil }
      strings.append(string)
    }
    return strings
  }
}

extension Int {
  fileprivate init(clampingWholePartOf real: Double) {
    if real.isNaN {
      self = 0
    } else {
      self = Int(exactly: real.rounded(.towardZero)) ?? (real < 0 ? .min : .max)
    }
  }
}

extension String {
  /// The text without leading whitespace as Unicode defines it.
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

  /// The integer that the text begins with, clamped to the range of `Int`; 0 if there is none.
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
  /// decimal point, and an optional exponent. Empty if there is none.
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
  /// The text without a leading sign.
  fileprivate var withoutSign: Substring.UTF8View {
    first == UInt8(ascii: "+") || first == UInt8(ascii: "-") ? dropFirst() : self
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
  }
}
