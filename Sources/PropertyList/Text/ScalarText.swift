internal import FoundationEssentials

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
    guard real.isFinite else { return real.isNaN ? "nan" : real > 0 ? "+infinity" : "-infinity" }
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

/// The number of an integer's digits so far, whose overflow is checked at the end.
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

extension ScalarText {
  /// Parses a date: `YYYY-MM-DDTHH:MM:SSZ` with at least four characters of the year, of which the
  /// first may be a `-`. A leap second, `:60`, is the second before it.
  ///
  /// - Parameter lenient: Whether a fraction of a second and, instead of `Z`, an offset from
  ///   UTC (`+01:00`, `-0330`) are accepted.
  static func date(_ text: some Sequence<UInt8>, lenient: Bool) throws(PlistError.Kind) -> Date {
    var scanner = DateScanner(text.makeIterator())
    guard let dateTime = scanner.dateTime() else { throw .malformedDate }
    var fraction = 0.0
    var offset = 0
    if lenient {
      if scanner.skip(UInt8(ascii: ".")) {
        guard let digits = scanner.fraction() else { throw .malformedDate }
        fraction = digits
      }
      guard let seconds = scanner.offset() else { throw .malformedDate }
      offset = seconds
    } else if !scanner.skip(UInt8(ascii: "Z")) {
      throw .malformedDate
    }
    guard scanner.isAtEnd, dateTime.isValid else { throw .malformedDate }
    guard UTCDateTime.years ~= dateTime.year else { throw .dateOutOfRange }
    return Date(
      timeIntervalSinceReferenceDate: Double(dateTime.secondsSinceReferenceDate - offset) + fraction
    )
  }

  /// Splits a date into its parts.
  private struct DateScanner<Bytes: IteratorProtocol<UInt8>> {
    private var rest: Bytes
    private var next: UInt8?

    init(_ bytes: Bytes) {
      rest = bytes
      next = rest.next()
    }

    var isAtEnd: Bool { next == nil }

    /// Scans `YYYY-MM-DDTHH:MM:SS`, whose numbers may be out of range.
    mutating func dateTime() -> UTCDateTime? {
      let isNegative = skip(UInt8(ascii: "-"))
      guard let year = number(ofAtLeast: isNegative ? 3 : 4),
        skip(UInt8(ascii: "-")), let month = twoDigits(),
        skip(UInt8(ascii: "-")), let day = twoDigits(),
        skip(UInt8(ascii: "T")), let hour = twoDigits(),
        skip(UInt8(ascii: ":")), let minute = twoDigits(),
        skip(UInt8(ascii: ":")), let second = twoDigits()
      else { return nil }
      return UTCDateTime(
        year: isNegative ? -year : year, month: month, day: day, hour: hour, minute: minute,
        second: second)
    }

    /// Scans the digits after a decimal point.
    mutating func fraction() -> Double? {
      var text = "0."
      while let digit = digit() { text.append(String(digit)) }
      return text.utf8.count > 2 ? Double(text) : nil
    }

    /// Scans `Z` or an offset from UTC and returns the offset in seconds.
    mutating func offset() -> Int? {
      if skip(UInt8(ascii: "Z")) { return 0 }
      let isEast = skip(UInt8(ascii: "+"))
      guard isEast || skip(UInt8(ascii: "-")), let hours = twoDigits() else { return nil }
      _ = skip(UInt8(ascii: ":"))
      guard let minutes = twoDigits(), hours < 24, minutes < 60 else { return nil }
      return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    @inline(__always)
    mutating func skip(_ character: UInt8) -> Bool {
      guard next == character else { return false }
      next = rest.next()
      return true
    }

    @inline(__always)
    private mutating func digit() -> Int? {
      guard let digit = next?.decimalDigit else { return nil }
      next = rest.next()
      return Int(digit)
    }

    @inline(__always)
    private mutating func twoDigits() -> Int? {
      guard let first = digit(), let second = digit() else { return nil }
      return first * 10 + second
    }

    /// Scans a number of a least count of digits, capped where it would overflow.
    @inline(__always)
    private mutating func number(ofAtLeast leastCount: Int) -> Int? {
      var number = 0
      var count = 0
      while let digit = digit() {
        number = min(number, Int.max / 16) * 10 + digit
        count += 1
      }
      return count >= leastCount ? number : nil
    }
  }
}
