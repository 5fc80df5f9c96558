/// Numbers and dates as XML property lists spell them.
enum ScalarText {
  /// Parses an integer: an optional sign, then decimal digits or `0x` and hexadecimal digits, with
  /// white space around; from -2^63 to 2^64-1.
  static func integer(_ text: some Sequence<UInt8>) throws(PlistError.Kind) -> PlistValue {
    var rest = text.makeIterator()
    var byte = rest.next()
    while byte?.isXMLSpace == true { byte = rest.next() }

    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { byte = rest.next() }
    var hasDigits = byte == UInt8(ascii: "0")
    var isHexadecimal = false
    if hasDigits {
      byte = rest.next()
      if byte == UInt8(ascii: "x") || byte == UInt8(ascii: "X") {
        byte = rest.next()
        isHexadecimal = true
        hasDigits = false
      }
    }

    var number = IntegerDigits()
    while let digit = isHexadecimal ? byte?.hexadecimalDigit : byte?.decimalDigit {
      number.append(digit, base: isHexadecimal ? 16 : 10)
      hasDigits = true
      byte = rest.next()
    }
    while byte?.isXMLSpace == true { byte = rest.next() }
    guard hasDigits, byte == nil else { throw .malformedInteger }
    return try number.value(isNegative: isNegative)
  }

  /// Parses a real: decimal digits with an optional sign, point and exponent, or `nan`, `inf`,
  /// `infinity` with an optional sign in any case; no white space around.
  ///
  /// - Parameter underflow: Becomes true if the number is not zero but too small for a double, which
  ///   is zero then.
  static func real(
    _ text: some BidirectionalCollection<UInt8>, underflow: inout Bool
  ) throws(PlistError.Kind) -> Double {
    guard let decimal = Decimal(text) else {
      switch String(decoding: text, as: UTF8.self).lowercased() {
      case "nan", "+nan", "-nan": return .nan
      case "inf", "+inf", "infinity", "+infinity": return .infinity
      case "-inf", "-infinity": return -.infinity
      default: throw .malformedReal
      }
    }
    if let number = decimal.nearest { return number }
    guard let number = Double(String(decoding: text, as: UTF8.self)) else { throw .malformedReal }
    guard number.isFinite else { throw .realOutOfRange }
    if number == 0, !decimal.isZero { underflow = true }
    return number
  }

  /// The text of a real, in the layout of C's `%.17g`, which Apple's writer uses, but with the
  /// fewest digits that read back to the same number.
  static func text(of real: Double) -> String {
    guard real.isFinite else {
      return real.isNaN ? "nan" : real > 0 ? "+infinity" : "-infinity"
    }
    guard real != 0 else { return real.sign == .minus ? "-0.0" : "0.0" }

    // The standard library finds the digits. Without an exponent its layout differs only in a `.0`.
    let description = real.description
    if !description.utf8.contains(UInt8(ascii: "e")) {
      return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
    let text = ShortestDecimal(real.magnitude).text
    return real < 0 ? "-" + text : text
  }
}

/// The fewest decimal digits that read back to a number: `0.DIGITS` times ten to the power of an
/// exponent.
private struct ShortestDecimal {
  private var digits: [UInt8] = []
  private var exponent = 0

  /// - Parameter number: A finite number above zero.
  init(_ number: Double) {
    // Digits with a point, then perhaps an exponent.
    let description = number.description.utf8
    var pointPosition: Int?
    for (position, byte) in description.enumerated() {
      if byte == UInt8(ascii: ".") {
        pointPosition = position
      } else if byte == UInt8(ascii: "e") {
        exponent = Int(String(description.dropFirst(position + 1))!)!
        break
      } else {
        digits.append(byte)
      }
    }
    exponent += pointPosition ?? digits.count
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leadingZeros)
    exponent -= leadingZeros
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  }

  /// The number in the layout of C's `%.17g`.
  var text: String {
    let text = -3...17 ~= exponent ? plainText : scientificText
    return String(decoding: text, as: UTF8.self)
  }

  private var plainText: [UInt8] {
    let zero = UInt8(ascii: "0")
    if exponent <= 0 { return Array("0.".utf8) + Array(repeating: zero, count: -exponent) + digits }
    if digits.count <= exponent {
      return digits + Array(repeating: zero, count: exponent - digits.count)
    }
    return Array(digits[..<exponent]) + [UInt8(ascii: ".")] + digits[exponent...]
  }

  /// One digit before the point, and an exponent of at least two digits.
  private var scientificText: [UInt8] {
    var text = [digits[0]]
    if digits.count > 1 { text += [UInt8(ascii: ".")] + digits[1...] }
    let power = (exponent - 1).magnitude
    text += exponent < 1 ? "e-".utf8 : "e+".utf8
    if power < 10 { text.append(UInt8(ascii: "0")) }
    return text + String(power).utf8
  }
}

extension OutputBuffer {
  /// Appends the text of a real, as ``ScalarText/text(of:)`` returns it.
  mutating func append(real: Double) {
    let start = count
    let isPlain = real.isFinite && real != 0
    if isPlain { append(real.description) }
    // Most have no exponent, and then only a `.0` at the end is too much.
    if !isPlain || bytes[start...].contains(UInt8(ascii: "e")) {
      truncate(to: start)
      append(ScalarText.text(of: real))
    } else if bytes[count - 2] == UInt8(ascii: "."), bytes[count - 1] == UInt8(ascii: "0") {
      truncate(to: count - 2)
    }
  }
}
