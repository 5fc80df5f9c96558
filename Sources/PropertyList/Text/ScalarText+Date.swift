internal import FoundationEssentials

extension ScalarText {
  /// Parses a date: `YYYY-MM-DDTHH:MM:SSZ` with at least four characters of the year, of which the
  /// first may be a `-`. A leap second, `:60`, is the second before it.
  ///
  /// - Parameter lenient: Whether a fraction of a second and, instead of `Z`, an offset from
  ///   UTC (`+01:00`, `-0330`) are accepted.
  static func date(
    _ text: some Sequence<UInt8>, lenient: Bool
  ) throws(PlistError.Kind) -> Date {
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
