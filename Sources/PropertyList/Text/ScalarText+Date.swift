internal import FoundationEssentials

extension ScalarText {
  /// Parses a date: `YYYY-MM-DDTHH:MM:SSZ` with at least four characters of the year, of which the
  /// first may be a `-`. A leap second, `:60`, is the second before it.
  ///
  /// - Parameter lenient: Whether a fraction of a second and, in the place of `Z`, an offset from
  ///   UTC (`+01:00`, `-0330`) are accepted.
  static func date<Text: BidirectionalCollection<UInt8>>(
    _ text: Text, lenient: Bool
  ) throws(PlistError.Kind) -> Date {
    var scanner = DateScanner<Text>(rest: text[...])
    guard let dateTime = scanner.dateTime() else { throw .malformedDate }
    var fraction = 0.0
    var offset = 0
    if lenient {
      if scanner.skip(".") {
        guard let digits = scanner.fraction() else { throw .malformedDate }
        fraction = digits
      }
      guard let seconds = scanner.offset() else { throw .malformedDate }
      offset = seconds
    } else if !scanner.skip("Z") {
      throw .malformedDate
    }
    guard scanner.rest.isEmpty, dateTime.isValid else { throw .malformedDate }
    guard UTCDateTime.years ~= dateTime.year else { throw .dateOutOfRange }
    return Date(
      timeIntervalSinceReferenceDate: Double(dateTime.secondsSinceReferenceDate - offset) + fraction
    )
  }

  /// Splits a date into its parts.
  private struct DateScanner<Text: BidirectionalCollection<UInt8>> {
    var rest: Text.SubSequence

    /// Scans `YYYY-MM-DDTHH:MM:SS`, whose numbers may be out of range.
    mutating func dateTime() -> UTCDateTime? {
      let isNegative = skip("-")
      guard let year = digits(atLeast: isNegative ? 3 : 4),
        skip("-"), let month = digits(exactly: 2),
        skip("-"), let day = digits(exactly: 2),
        skip("T"), let hour = digits(exactly: 2),
        skip(":"), let minute = digits(exactly: 2),
        skip(":"), let second = digits(exactly: 2)
      else { return nil }
      return UTCDateTime(
        year: isNegative ? -year : year, month: month, day: day, hour: hour, minute: minute,
        second: second)
    }

    /// Scans the digits after a decimal point.
    mutating func fraction() -> Double? {
      let digits = rest.prefix { $0.decimalDigit != nil }
      guard !digits.isEmpty else { return nil }
      rest.removeFirst(digits.count)
      return Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// Scans `Z` or an offset from UTC and returns the offset in seconds.
    mutating func offset() -> Int? {
      if skip("Z") { return 0 }
      let isEast = skip("+")
      guard isEast || skip("-"), let hours = digits(exactly: 2) else { return nil }
      _ = skip(":")
      guard let minutes = digits(exactly: 2), hours < 24, minutes < 60 else { return nil }
      return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    private mutating func digits(exactly count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count else { return nil }
      return number(digits)
    }

    private mutating func digits(atLeast count: Int) -> Int? {
      let digits = rest.prefix { $0.decimalDigit != nil }
      guard digits.count >= count else { return nil }
      return number(digits)
    }

    /// Removes the digits from the rest and returns their number, capped where it would overflow.
    private mutating func number(_ digits: Text.SubSequence) -> Int? {
      var number = 0
      for byte in digits {
        guard let digit = byte.decimalDigit else { return nil }
        number = min(number, Int.max / 16) * 10 + Int(digit)
      }
      rest.removeFirst(digits.count)
      return number
    }
  }
}
