package import FoundationEssentials

/// Dates in UTC, in the Gregorian calendar extended to all years, with the year before year 1 called
/// 0000 and the one before that -0001.
extension ScalarText {
  /// Beyond these years a double does not hold every whole second.
  private static let years = -200_000_000...200_000_000

  /// A date: `YYYY-MM-DDTHH:MM:SSZ` with at least four characters of the year, of which the first may
  /// be a `-`. A leap second, `:60`, is the second before it, because this time scale has none.
  ///
  /// - Parameter lenient: Whether a fraction of a second and, in the place of `Z`, an offset from UTC
  ///   (`+01:00`, `-0330`) are accepted.
  static func date<Text: BidirectionalCollection<UInt8>>(
    _ text: Text, lenient: Bool
  ) throws(PlistError.Kind) -> Date {
    var scanner = Scanner<Text>(rest: text[...])
    let negative = scanner.skip("-")
    guard let yearDigits = scanner.digits(atLeast: negative ? 3 : 4),
      scanner.skip("-"), let month = scanner.digits(exactly: 2),
      scanner.skip("-"), let day = scanner.digits(exactly: 2),
      scanner.skip("T"), let hour = scanner.digits(exactly: 2),
      scanner.skip(":"), let minute = scanner.digits(exactly: 2),
      scanner.skip(":"), let second = scanner.digits(exactly: 2)
    else { throw .malformedDate }

    var fraction = 0.0
    var offset = 0
    if lenient {
      if scanner.skip(".") {
        guard let part = scanner.fraction() else { throw .malformedDate }
        fraction = part
      }
      if let east = scanner.sign() {
        guard let hours = scanner.digits(exactly: 2) else { throw .malformedDate }
        _ = scanner.skip(":")
        guard let minutes = scanner.digits(exactly: 2), hours < 24, minutes < 60 else {
          throw .malformedDate
        }
        offset = (east ? 1 : -1) * (hours * 3600 + minutes * 60)
      } else if !scanner.skip("Z") {
        throw .malformedDate
      }
    } else if !scanner.skip("Z") {
      throw .malformedDate
    }
    let year = negative ? -yearDigits : yearDigits
    guard scanner.rest.isEmpty, 1...12 ~= month, 1...days(inMonth: month, of: year) ~= day,
      hour < 24, minute < 60, second <= 60
    else { throw .malformedDate }
    guard years ~= year else { throw .dateOutOfRange }

    let days = dayNumber(year: year, month: month, day: day)
    let seconds = days * 86400 + hour * 3600 + minute * 60 + min(second, 59) - offset
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
  }

  /// The parts of a date, in UTC.
  struct Moment {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Nil when the year is beyond those that whole seconds reach, or the date is not a number.
    init?(_ date: Date) {
      let interval = date.timeIntervalSinceReferenceDate
      // Far beyond the years, and far from where the arithmetic would overflow.
      guard interval.magnitude < 1e16 else { return nil }
      let seconds = Int(interval.rounded(.down))
      let days = seconds >= 0 ? seconds / 86400 : -((86399 - seconds) / 86400)
      let time = seconds - days * 86400
      hour = time / 3600
      minute = time / 60 % 60
      second = time % 60
      (year, month, day) = ScalarText.calendarDay(days)
      guard years ~= year else { return nil }
    }

    /// The day as `2024-01-31`, the year in four characters or more with its sign.
    var dayText: String {
      var output = OutputBuffer(capacity: 32)
      output.append(dayOf: self)
      return String(decoding: output.bytes, as: UTF8.self)
    }

    /// The time as `23:59:59`.
    var timeText: String {
      var output = OutputBuffer(capacity: 32)
      output.append(timeOf: self)
      return String(decoding: output.bytes, as: UTF8.self)
    }
  }

  // MARK: The calendar

  // Days are counted from 2001-01-01. The arithmetic takes years to begin in March, so that the leap
  // day is a year's last, and counts in eras of 400 years, after which the calendar repeats.
  private static let daysInEra = 146_097
  private static let daysFromMarchOfYearZero = 730_791

  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = firstDay(ofMonthFromMarch: (month + 9) % 12) + day - 1
    return era * daysInEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - daysFromMarchOfYearZero
  }

  private static func calendarDay(_ number: Int) -> (year: Int, month: Int, day: Int) {
    let days = number + daysFromMarchOfYearZero
    let era = (days >= 0 ? days : days - (daysInEra - 1)) / daysInEra
    let dayOfEra = days - era * daysInEra
    // Leave out the leap days that have passed: one in 4 years of 1461 days, less one in a century of
    // 36,524, plus the one that ends the era.
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / (daysInEra - 1)) / 365
    let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (dayOfYear * 5 + 2) / 153
    let month = (monthFromMarch + 2) % 12 + 1
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - firstDay(ofMonthFromMarch: monthFromMarch) + 1)
  }

  /// The day of a year from March on which a month begins: five months of 153 days repeat.
  private static func firstDay(ofMonthFromMarch month: Int) -> Int {
    (month * 153 + 2) / 5
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Takes a date apart.
  private struct Scanner<Text: BidirectionalCollection<UInt8>> {
    var rest: Text.SubSequence

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// True for `+`, false for `-`, nil for anything else.
    mutating func sign() -> Bool? {
      skip("+") ? true : skip("-") ? false : nil
    }

    mutating func digits(exactly count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.count == count else { return nil }
      return number(digits)
    }

    mutating func digits(atLeast count: Int) -> Int? {
      let digits = rest.prefix { $0.decimalDigit != nil }
      guard digits.count >= count else { return nil }
      return number(digits)
    }

    /// The digits after a decimal point.
    mutating func fraction() -> Double? {
      let digits = rest.prefix { $0.decimalDigit != nil }
      guard !digits.isEmpty else { return nil }
      rest.removeFirst(digits.count)
      return Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// The number that the digits spell, capped where more of them would overflow.
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

extension OutputBuffer {
  /// Appends the day as ``ScalarText/Moment/dayText`` has it.
  mutating func append(dayOf moment: ScalarText.Moment) {
    if moment.year < 0 { append(UInt8(ascii: "-")) }
    let year = moment.year.magnitude
    // Four characters with the sign.
    if year < 1000 && moment.year >= 0 { append(UInt8(ascii: "0")) }
    if year < 100 { append(UInt8(ascii: "0")) }
    if year < 10 { append(UInt8(ascii: "0")) }
    append(decimal: UInt64(year))
    append(UInt8(ascii: "-"))
    append(twoDigits: moment.month)
    append(UInt8(ascii: "-"))
    append(twoDigits: moment.day)
  }

  /// Appends the time as ``ScalarText/Moment/timeText`` has it.
  mutating func append(timeOf moment: ScalarText.Moment) {
    append(twoDigits: moment.hour)
    append(UInt8(ascii: ":"))
    append(twoDigits: moment.minute)
    append(UInt8(ascii: ":"))
    append(twoDigits: moment.second)
  }

  private mutating func append(twoDigits number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

extension Date {
  /// The date as XML property lists and RFC 3339 write it, rounded down to whole seconds:
  /// `2024-01-31T23:59:59Z`. Nil where ``ScalarText/Moment`` has no parts for it.
  package var propertyListText: String? {
    ScalarText.Moment(self).map { $0.dayText + "T" + $0.timeText + "Z" }
  }
}
