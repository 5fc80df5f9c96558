/// Numbers as XML property lists spell them.
enum NumberText {
  /// Parses an integer from -2^63 to 2^64-1: an optional sign, then decimal digits or `0x` and
  /// hexadecimal digits. White space around it is allowed.
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

  /// Parses a real: decimal digits with an optional sign, point and exponent, or `nan`, `inf` or
  /// `infinity`, in upper or lower case, with an optional sign. White space is not allowed.
  ///
  /// - Parameter underflow: Becomes true if the number is not zero but is too small for a double,
  ///   so that the result is zero.
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
  /// fewest digits that are read back as the same number.
  static func text(of real: Double) -> String {
    guard real.isFinite else { return real.isNaN ? "nan" : real > 0 ? "+infinity" : "-infinity" }
    guard real != 0 else { return real.sign == .minus ? "-0.0" : "0.0" }

    // The standard library finds the digits. Its layout differs only in a final `.0`, and in that
    // exponents begin at 2^54 instead of 10^17.
    let description = real.description
    let parts = description.split(separator: "e")
    guard parts.count > 1 else {
      return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
    guard let exponent = Int(parts[1]), 0...16 ~= exponent else { return description }
    let digits = parts[0].filter { $0 != "." && $0 != "-" }
    let zeros = String(repeating: "0", count: exponent + 1 - digits.utf8.count)
    return (real < 0 ? "-" : "") + digits + zeros
  }
}

extension OutputBuffer {
  /// Appends the text of a real, as ``NumberText/text(of:)`` returns it.
  mutating func append(real: Double) {
    let start = count
    let isPlain = real.isFinite && real != 0
    if isPlain { append(real.description) }
    // Most numbers have no exponent; then only a final `.0` must be removed.
    if !isPlain || bytes[start...].contains(UInt8(ascii: "e")) {
      truncate(to: start)
      append(NumberText.text(of: real))
    } else if bytes[count - 2] == UInt8(ascii: "."), bytes[count - 1] == UInt8(ascii: "0") {
      truncate(to: count - 2)
    }
  }
}

extension NumberText {
  /// A decimal number as an integer of its digits, times a power of ten.
  struct Decimal {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var power = 0
    /// Whether ``digits`` lacks some digits because there are too many.
    private var isTooLong = false

    /// Parses decimal digits with an optional sign, point and exponent; nil for any other text.
    init?(_ text: some Sequence<UInt8>) {
      var rest = text.makeIterator()
      var byte = rest.next()
      func isSign() -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

      isNegative = byte == UInt8(ascii: "-")
      if isSign() { byte = rest.next() }
      var hasDigits = false
      while let digit = byte?.decimalDigit {
        append(digit)
        hasDigits = true
        byte = rest.next()
      }
      if byte == UInt8(ascii: ".") {
        byte = rest.next()
        while let digit = byte?.decimalDigit {
          append(digit)
          power -= 1
          hasDigits = true
          byte = rest.next()
        }
      }
      guard hasDigits else { return nil }
      if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
        byte = rest.next()
        let isSmall = byte == UInt8(ascii: "-")
        if isSign() { byte = rest.next() }
        guard byte?.decimalDigit != nil else { return nil }
        var exponent = 0
        while let digit = byte?.decimalDigit {
          // A larger exponent means zero or infinity, or more digits than fit.
          exponent = min(exponent, 1 << 50) * 10 + Int(digit)
          byte = rest.next()
        }
        power += isSmall ? -exponent : exponent
      }
      guard byte == nil else { return nil }
    }

    private mutating func append(_ digit: UInt8) {
      if digits < Self.maximumDigits {
        digits = digits * 10 + UInt64(digit)
      } else {
        isTooLong = true
      }
    }

    /// With another digit, still less than 2^60.
    private static let maximumDigits: UInt64 = 100_000_000_000_000_000

    var isZero: Bool { digits == 0 }

    /// The double nearest to the number; nil if a few operations cannot find it.
    var nearest: Double? {
      guard !isTooLong, -22...22 ~= power else { return nil }
      guard let magnitude = digits <= 1 << 53 ? roundedOnce : quotient else { return nil }
      return isNegative ? -magnitude : magnitude
    }

    /// The result of one operation on two exact doubles, which is rounded only once.
    private var roundedOnce: Double {
      let number = Double(digits)
      return power < 0 ? number / Self.powers[-power] : number * Self.powers[power]
    }

    /// The quotient in twice the precision of a double, rounded; nil if it lies so close to the
    /// midpoint of two doubles that either could be nearer. It saves 13 % of the instructions of
    /// reading the document `numbers` of `make bench`.
    private var quotient: Double? {
      guard power <= 0 else { return nil }
      let divisor = Self.powers[-power]
      let high = Double(digits)
      let low = Double(Int64(digits) - Int64(high))
      let quotient = high / divisor
      // The remainder is exact; the error of the correction is less than 2^-100 of the quotient.
      let remainder = high.addingProduct(-quotient, divisor)
      let correction = (remainder + low) / divisor
      let rounded = quotient + correction
      let error = quotient - rounded + correction
      // Below a power of two the doubles are twice as dense.
      let distance = rounded.significandBitPattern == 0 ? rounded.ulp / 2 : rounded.ulp
      return error.magnitude < distance * 0.49 ? rounded : nil
    }

    /// The powers of ten that doubles represent exactly.
    private static let powers: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
      1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
  }
}

/// The value of an integer's digits so far. Overflow is checked at the end.
struct IntegerDigits {
  private var magnitude: UInt64 = 0
  private var hasOverflowed = false

  @inline(__always)
  mutating func append(_ digit: UInt8, base: UInt64) {
    let (product, productOverflowed) = magnitude.multipliedReportingOverflow(by: base)
    let (sum, sumOverflowed) = product.addingReportingOverflow(UInt64(digit))
    hasOverflowed = hasOverflowed || productOverflowed || sumOverflowed
    magnitude = sum
  }

  /// The integer, which must be from -2^63 to 2^64-1.
  @inline(__always)
  func value(isNegative: Bool) throws(PlistError.Kind) -> PlistValue {
    guard !hasOverflowed else { throw .integerOutOfRange }
    if isNegative {
      guard magnitude <= Int64.min.magnitude else { throw .integerOutOfRange }
      return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return Int64(exactly: magnitude).map { .integer($0) } ?? .unsignedInteger(magnitude)
  }
}

extension Int {
  /// The number with a noun, which gets an s unless the number is 1.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
