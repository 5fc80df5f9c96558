extension Double {
  /// A Swift literal that compiles to exactly this number: decimal if possible, otherwise
  /// hexadecimal.
  ///
  /// For x86 the compiler rounds a literal twice, first to 64 bits of precision and then to the 53
  /// of a double. For one number in a few thousand the result is another number. Subnormal decimal
  /// literals cause a warning.
  var swiftLiteral: String { swiftLiteral(decimal: description) }

  /// A Swift literal that compiles to exactly this number.
  ///
  /// - Parameter decimal: Decimal digits that are this number.
  func swiftLiteral(decimal: String) -> String {
    if isNaN { return "Double.nan" }
    if isInfinite { return self < 0 ? "-Double.infinity" : "Double.infinity" }
    if isZero || (isNormal && survivesDoubleRounding) { return decimal }
    let leadingBit: UInt64 = isNormal ? 1 << 52 : 0
    let digits = String(leadingBit | significandBitPattern, radix: 16)
    return "\(sign == .minus ? "-" : "")0x\(digits)p\(max(exponent, -1022) - 52)"
  }

  /// The number in decimal digits, six of them after the point where that is exact.
  var literal: String {
    // Above, six digits can be others than those of the shortest decimal number.
    guard magnitude < 1e9 else { return description }
    return sixDecimals ?? description
  }

  /// Whether the decimal digits are far enough from the midpoint of two numbers that rounding to 64
  /// bits does not move them there.
  private var survivesDoubleRounding: Bool {
    let (digits, exponent) = magnitude.decimal
    // Rounding to 64 bits changes the last of 19 digits by less than one.
    return [digits - 1, digits + 1].allSatisfy { Double("\($0)e\(exponent)") == magnitude }
  }

  /// The shortest decimal digits of a positive number, padded with zeros to 19 digits, and the
  /// power of ten that scales them.
  private var decimal: (digits: UInt64, exponent: Int) {
    let parts = description.utf8.split(separator: UInt8(ascii: "e"))
    var exponent = parts.count > 1 ? Int(Substring(parts[1])) ?? 0 : 0
    var digits: UInt64 = 0
    var count = 0
    var isFraction = false
    for byte in parts[0] {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      digits = digits * 10 + UInt64(byte - UInt8(ascii: "0"))
      if digits > 0 { count += 1 }
      if isFraction { exponent -= 1 }
    }
    for _ in count..<max(count, 19) {
      digits *= 10
      exponent -= 1
    }
    return (digits, exponent)
  }
}
