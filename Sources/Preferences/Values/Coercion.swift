internal import FoundationEssentials
package import PropertyList

/// Reads values from text by the rules of this table, for stores, arguments and the environment.
///
/// The type of an environment variable, an argument or a text for a declared key is known, from a
/// registered default, the declaration or the caller: ``value(_:as:)`` reads the whole text. For a
/// stored string, the getters of NSUserDefaults read only its beginning, after whitespace.
///
/// | text | as a Boolean | `bool(forKey:)` of a string |
/// |---|---|---|
/// | `true`, `yes` or `1`, in any case | true | true |
/// | `on`, in any case | true | false |
/// | `false`, `no`, `0` or `off`, in any case | false | false |
/// | other text that begins with T or Y in either case | not a Boolean | true |
/// | other text that begins with an optional sign, zeros and a nonzero digit | not a Boolean | true |
/// | any other text, such as `0.5` | not a Boolean | false |
///
/// `PlistValue(booleanText:acceptsOnOff:)` has the words. The tools use it without `on` and `off`,
/// which Apple's tools do not accept. They also read numbers as property lists spell them, such as
/// `0x2A` and `nan`; here a number is decimal, and in the range of its type.
package enum Coercion {
  // MARK: The whole text

  /// Returns nil if the text does not represent the kind. For kinds without a text form, any text
  /// is returned as a string.
  package static func value(_ text: String, as kind: PlistValue.Kind) -> PlistValue? {
    switch kind {
    case .integer: Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsignedInteger($0) }
    case .real: isDecimal(text) ? (try? PlistValue(realText: text)) : nil
    case .boolean: try? PlistValue(booleanText: text, acceptsOnOff: true)
    case .date: try? PlistValue(dateText: text)
    case .data: Data(base64Encoded: text).map { .data($0) }
    case .array, .dictionary:
      container(text).flatMap { $0.kind == kind && (try? $0.checkStorable()) != nil ? $0 : nil }
    case .string, .uid, .set, .null: .string(text)
    }
  }

  /// The Booleans and numbers that a command-line value can represent, the likeliest first.
  ///
  /// In an array or a dictionary, either all possible words are read as numbers, or all as
  /// Booleans.
  package static func readings(of value: PlistValue) -> [PlistValue] {
    switch value {
    case .string(let text): [.boolean, .integer, .real].compactMap { self.value(text, as: $0) }
    case .array, .dictionary:
      [
        replacing(value) { self.value($0, as: .integer) ?? self.value($0, as: .real) },
        replacing(value) { self.value($0, as: .boolean) },
      ]
    default: []
    }
  }

  /// The value, with the words replaced that represent something else.
  private static func replacing(
    _ value: PlistValue, by reading: (String) -> PlistValue?
  ) -> PlistValue {
    switch value {
    case .string(let text): reading(text) ?? value
    case .array(let elements): .array(elements.map { replacing($0, by: reading) })
    case .dictionary(let entries):
      .dictionary(PlistDictionary(entries.map { ($0.key, replacing($0.value, by: reading)) }))
    default: value
    }
  }

  /// An array or a dictionary in any format of property lists.
  package static func container(_ text: String) -> PlistValue? {
    let value = try? Plist.read(Data(text.utf8)).value
    return value?.kind == .array || value?.kind == .dictionary ? value : nil
  }

  /// Whether the text is a decimal number and nothing else.
  static func isDecimal(_ text: String) -> Bool {
    text[...].decimalPrefix.endIndex == text.endIndex
  }

  // MARK: The beginning of the text

  static func bool(prefixOf text: String) -> Bool {
    let text = text.withoutLeadingWhitespace
    return switch text.utf8.first {
    case UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "y"), UInt8(ascii: "Y"): true
    default: text.utf8.withoutSign.drop { $0 == UInt8(ascii: "0") }.first?.isDigit == true
    }
  }

  /// The leading integer, clamped to `Int`; 0 without one.
  static func integer(prefixOf text: String) -> Int {
    let text = text.withoutLeadingWhitespace
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    var number = 0
    for byte in text.utf8.withoutSign.prefix(while: \.isDigit) {
      let digit = Int(byte - UInt8(ascii: "0"))
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(isNegative ? -digit : digit)
      if isTooLarge || isBeyond { return isNegative ? .min : .max }
      number = sum
    }
    return number
  }

  /// The leading decimal number: an optional sign, digits with or without a decimal point, and an
  /// optional exponent. Empty without one.
  static func decimalPrefix(of text: String) -> Substring {
    text.withoutLeadingWhitespace.decimalPrefix
  }
}

/// The conversions of NSUserDefaults' getters. Values of kinds that are not mentioned, such as
/// dates, data and containers, become false, 0 and nil.
extension PlistValue {
  /// A number is true unless it is zero; NaN is true.
  ///
  /// ``Coercion`` says which strings are true.
  var coercedBool: Bool {
    switch self {
    case .boolean(let boolean): boolean
    case .integer(let number): number != 0
    case .unsignedInteger(let number): number != 0
    case .real(let number): number != 0
    case .float(let number): number != 0
    case .string(let string): Coercion.bool(prefixOf: string)
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
    case .string(let string): Coercion.integer(prefixOf: string)
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
    case .string(let string): Real(String(Coercion.decimalPrefix(of: string))) ?? 0
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

extension String {
  /// Whitespace as Unicode defines it.
  fileprivate var withoutLeadingWhitespace: Substring {
    Substring(unicodeScalars.drop { $0.properties.isWhitespace })
  }
}

extension Substring {
  fileprivate var decimalPrefix: Substring {
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
