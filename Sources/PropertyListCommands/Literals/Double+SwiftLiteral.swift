extension Double {
  /// The number as a Swift literal that the compiler reads as this number: in decimal digits where these
  /// will do, with a point or an exponent, else in hexadecimal ones.
  ///
  /// For x86 the compiler rounds a literal to 64 binary digits first, and then that to the 53 of a double,
  /// which can be another number; it happens to one in some thousands. Subnormal numbers in decimal digits
  /// make it warn.
  var swiftLiteral: String {
    if isNaN { return "Double.nan" }
    if isInfinite { return self < 0 ? "-Double.infinity" : "Double.infinity" }
    if isZero || (isNormal && isReadByWayOfMoreDigits) { return description }
    let leadingBit: UInt64 = isNormal ? 1 << 52 : 0
    let digits = String(leadingBit | significandBitPattern, radix: 16)
    return "\(sign == .minus ? "-" : "")0x\(digits)p\(max(exponent, -1022) - 52)"
  }

  /// Whether the decimal digits lie so far from the middle between two numbers that rounding to 64 binary
  /// digits does not take them there.
  private var isReadByWayOfMoreDigits: Bool {
    let (digits, exponent) = magnitude.decimal
    // That rounding changes less than the last of 19 digits by one.
    return [digits - 1, digits + 1].allSatisfy { Double("\($0)e\(exponent)") == magnitude }
  }

  /// The fewest decimal digits of a positive number, made 19 with zeros, and the power of ten that they are
  /// multiplied with.
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
