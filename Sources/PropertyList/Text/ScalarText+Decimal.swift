extension ScalarText {
  /// A decimal number taken apart: the whole number that its digits make and the power of ten by which
  /// to multiply it.
  struct Decimal {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var power = 0
    /// Whether there are more digits than ``digits`` holds.
    private var isTooLong = false

    /// Takes apart decimal digits with an optional sign, point and exponent; nil for any other text.
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
          // A greater one means zero or infinity whatever the digits, or too many of those.
          exponent = min(exponent, 1 << 50) * 10 + Int(digit)
          byte = rest.next()
        }
        power += isSmall ? -exponent : exponent
      }
      guard byte == nil else { return nil }
    }

    private mutating func append(_ digit: UInt8) {
      if digits < Self.mostDigits {
        digits = digits * 10 + UInt64(digit)
      } else {
        isTooLong = true
      }
    }

    /// With one more digit, still less than 2^60.
    private static let mostDigits: UInt64 = 100_000_000_000_000_000

    /// The double that is nearest to the number, where a few operations tell; otherwise nil.
    var nearest: Double? {
      guard !isTooLong, -22...22 ~= power else { return nil }
      guard let magnitude = digits <= 1 << 53 ? roundedOnce : quotient else { return nil }
      return isNegative ? -magnitude : magnitude
    }

    /// Digits and power of ten are both doubles, so that one operation rounds the result, once.
    private var roundedOnce: Double {
      let number = Double(digits)
      return power < 0 ? number / Self.powers[-power] : number * Self.powers[power]
    }

    /// Divides with twice a double's precision; nil where the result lies so close to the middle
    /// between two doubles that this does not tell to which it belongs.
    private var quotient: Double? {
      guard power <= 0 else { return nil }
      let divisor = Self.powers[-power]
      let high = Double(digits)
      let low = Double(Int64(digits) - Int64(high))
      let quotient = high / divisor
      // The remainder is exact; what the correction lacks is less than 2^-100 of the quotient.
      let remainder = high.addingProduct(-quotient, divisor)
      let correction = (remainder + low) / divisor
      let rounded = quotient + correction
      let error = quotient - rounded + correction
      // Below a power of two the doubles lie twice as close.
      let distance = rounded.significandBitPattern == 0 ? rounded.ulp / 2 : rounded.ulp
      return error.magnitude < distance * 0.49 ? rounded : nil
    }

    /// The powers of ten that doubles hold exactly.
    private static let powers: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
      1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
  }
}
