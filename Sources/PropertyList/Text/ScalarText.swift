/// Numbers and dates as XML property lists spell them.
enum ScalarText {
  // MARK: Integers

  /// An integer: an optional sign, then decimal digits or `0x` and hexadecimal ones, with white space
  /// around; exact from -2^63 to 2^64-1.
  static func integer(_ text: some BidirectionalCollection<UInt8>) throws(PlistError.Kind)
    -> PlistValue
  {
    var digits = text[...]
    while digits.first?.isXMLSpace == true { digits.removeFirst() }
    while digits.last?.isXMLSpace == true { digits.removeLast() }

    let negative = digits.first == UInt8(ascii: "-")
    if negative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    var base: UInt64 = 10
    if digits.first == UInt8(ascii: "0"), digits.dropFirst().first.map({ $0 | 0x20 }) == 0x78 {
      base = 16
      digits = digits.dropFirst(2)
    }
    guard !digits.isEmpty else { throw .malformedInteger }

    var magnitude: UInt64 = 0
    var overflowed = false
    for byte in digits {
      guard let digit = base == 16 ? byte.hexadecimalDigit : byte.decimalDigit else {
        throw .malformedInteger
      }
      let (product, productOverflowed) = magnitude.multipliedReportingOverflow(by: base)
      let (sum, sumOverflowed) = product.addingReportingOverflow(UInt64(digit))
      overflowed = overflowed || productOverflowed || sumOverflowed
      magnitude = sum
    }
    guard !overflowed else { throw .integerOutOfRange }
    if negative {
      guard magnitude <= Int64.min.magnitude else { throw .integerOutOfRange }
      return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return Int64(exactly: magnitude).map { .integer($0) } ?? .unsignedInteger(magnitude)
  }

  // MARK: Reals

  /// A real: decimal digits with an optional sign, point and exponent, or `nan`, `inf`, `infinity`
  /// with an optional sign in any case; nothing around it.
  static func real(_ text: some BidirectionalCollection<UInt8>) throws(PlistError.Kind) -> Double {
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
    return number
  }

  /// The text of a real, in the layout of C's `%.17g`, which Apple's writer uses, but with the fewest
  /// digits that read back to the same number.
  static func text(of real: Double) -> String {
    guard real.isFinite else {
      return real.isNaN ? "nan" : real > 0 ? "+infinity" : "-infinity"
    }
    guard real != 0 else { return real.sign == .minus ? "-0.0" : "0.0" }

    // The standard library finds the digits; here they only move. `description` is digits with a
    // point, then perhaps an exponent. Without one, only a `.0` at the end is too much.
    let signed = real.description
    if !signed.utf8.contains(UInt8(ascii: "e")) {
      return signed.hasSuffix(".0") ? String(signed.dropLast(2)) : signed
    }
    var digits: [UInt8] = []
    var pointPosition: Int?
    var exponent = 0
    let description = real.magnitude.description.utf8
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
    // Make it 0.DIGITS times ten to the power of `exponent`.
    exponent += pointPosition ?? digits.count
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leadingZeros)
    exponent -= leadingZeros
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }

    let zero = UInt8(ascii: "0")
    let point = UInt8(ascii: ".")
    var text: [UInt8] = real < 0 ? [UInt8(ascii: "-")] : []
    if exponent < -3 || exponent > 17 {
      text.append(digits[0])
      if digits.count > 1 { text += [point] + digits[1...] }
      let power = String((exponent - 1).magnitude)
      text += exponent < 1 ? "e-".utf8 : "e+".utf8
      if power.utf8.count < 2 { text.append(zero) }
      text += power.utf8
    } else if exponent <= 0 {
      text += [zero, point] + Array(repeating: zero, count: -exponent) + digits
    } else if digits.count <= exponent {
      text += digits + Array(repeating: zero, count: exponent - digits.count)
    } else {
      text += digits[..<exponent] + [point] + digits[exponent...]
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension OutputBuffer {
  /// Appends a real as ``ScalarText/text(of:)`` has it.
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
