extension ScalarText {
  /// A decimal number as an integer of its digits, times a power of ten.
  struct Decimal {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var power = 0
    /// Whether ``digits`` lacks some because there are too many.
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
          // A larger one means zero or infinity, or more digits than fit.
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

    /// The double nearest to the number; nil where a few operations cannot find it.
    var nearest: Double? {
      guard !isTooLong, -22...22 ~= power else { return nil }
      guard let magnitude = digits <= 1 << 53 ? roundedOnce : quotient else { return nil }
      return isNegative ? -magnitude : magnitude
    }

    /// The result of one operation on two exact doubles, and so rounded once.
    private var roundedOnce: Double {
      let number = Double(digits)
      return power < 0 ? number / Self.powers[-power] : number * Self.powers[power]
    }

    /// The quotient in twice the precision of a double, rounded; nil where it lies so close to the
    /// middle between two doubles that either could be nearer.
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

    /// The powers of ten that doubles hold exactly.
    private static let powers: [Double] = [
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
      1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
  }
}
