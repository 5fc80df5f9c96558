internal import PropertyList

/// What the getters of NSUserDefaults make of a value of any type. A date, data, a container and
/// whatever else preferences do not hold are false, 0 and no string.
extension PlistValue {
  /// The value as a Boolean: whether a number, NaN included, is not zero, and whether a string
  /// spells true.
  ///
  /// A string does by beginning, behind white space, with a T or Y of either case, or with an
  /// optional sign, zeros and then a digit that is not zero; `on` and `0.5` do not.
  var coercedBool: Bool {
    switch self {
    case .boolean(let boolean): boolean
    case .integer(let number): number != 0
    case .unsignedInteger(let number): number != 0
    case .real(let number): number != 0
    case .float(let number): number != 0
    case .string(let string): string.behindSpace.spellsTrue
    case .dictionary, .array, .date, .data, .uid, .set, .null: false
    }
  }

  /// The value as an integer, the nearest one where it is out of range: the whole part of a real,
  /// the decimal digits with which a string begins; 0 for NaN.
  var coercedInteger: Int {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let number): Int(clamping: number)
    case .unsignedInteger(let number): Int(clamping: number)
    case .real(let number): Int(clampingWholePartOf: number)
    case .float(let number): Int(clampingWholePartOf: Double(number))
    case .string(let string): string.behindSpace.integerPrefix
    case .dictionary, .array, .date, .data, .uid, .set, .null: 0
    }
  }

  /// The value as a number: of a string the decimal number with which it begins.
  ///
  /// As C's `strtod` has it, digits beyond the range give infinity or zero; unlike there,
  /// hexadecimal digits and the words `inf` and `nan` are no numbers.
  var coercedDouble: Double {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let number): Double(number)
    case .unsignedInteger(let number): Double(number)
    case .real(let number): number
    case .float(let number): Double(number)
    case .string(let string): Double(string.behindSpace.decimalPrefix) ?? 0
    case .dictionary, .array, .date, .data, .uid, .set, .null: 0
    }
  }

  /// The value as a number of four bytes: a stored one as it is, any other as ``coercedDouble`` but
  /// rounded once, from the exact value.
  var coercedFloat: Float {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let number): Float(number)
    case .unsignedInteger(let number): Float(number)
    case .real(let number): Float(number)
    case .float(let number): number
    case .string(let string): Float(string.behindSpace.decimalPrefix) ?? 0
    case .dictionary, .array, .date, .data, .uid, .set, .null: 0
    }
  }

  /// The value as a string: a number in the fewest digits that read back to it, `1` or `0` for a
  /// Boolean.
  ///
  /// A whole real has no point. One from 1e17 on has an exponent, as has one below 1e-4. Those that
  /// are no numbers are `nan`, `inf` and `-inf`.
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

  /// The strings of an array that holds nothing else.
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
  /// What stands behind leading white space, of Unicode's as of ASCII's.
  fileprivate var behindSpace: Substring {
    Substring(unicodeScalars.drop { $0.properties.isWhitespace })
  }
}

extension Substring {
  fileprivate var spellsTrue: Bool {
    switch utf8.first {
    case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "y"), UInt8(ascii: "Y"): true
    default: utf8.behindSign.drop { $0 == UInt8(ascii: "0") }.first?.isDigit == true
    }
  }

  /// The integer with which the text begins, the nearest one where it is out of range.
  fileprivate var integerPrefix: Int {
    let isNegative = utf8.first == UInt8(ascii: "-")
    var number = 0
    for byte in utf8.behindSign.prefix(while: \.isDigit) {
      let digit = Int(byte - UInt8(ascii: "0"))
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isTooLarge || isBeyond { return isNegative ? .min : .max }
      number = sum
    }
    return number
  }

  /// The longest beginning of the text that is a decimal number: an optional sign, digits with or
  /// without a point, an optional exponent. Empty where there is none.
  var decimalPrefix: Substring {
    var rest = utf8.behindSign
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
      let exponent = rest.dropFirst().behindSign.prefix(while: \.isDigit)
      if !exponent.isEmpty { rest = rest[exponent.endIndex...] }
    }
    return self[..<rest.startIndex]
  }
}

extension Substring.UTF8View {
  /// What stands behind an optional sign.
  fileprivate var behindSign: Substring.UTF8View {
    first == UInt8(ascii: "+") || first == UInt8(ascii: "-") ? dropFirst() : self
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
  }
}
