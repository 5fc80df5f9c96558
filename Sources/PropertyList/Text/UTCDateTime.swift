package import FoundationEssentials

/// A date and time in UTC, in whole seconds. The calendar is the Gregorian calendar, extended to
/// all years; the year before year 1 is 0, and the year before that is -1.
struct UTCDateTime {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int

  /// A double represents every whole second of these years.
  static let years = -200_000_000...200_000_000

  /// Whether the month, the day and the time exist. A leap second, 60, is accepted.
  var isValid: Bool {
    1...12 ~= month && 1...Self.dayCount(inMonth: month, of: year) ~= day && hour < 24
      && minute < 60 && second <= 60
  }

  /// The seconds since the start of 2001. A leap second is treated as the second before it, because
  /// this time scale has none.
  var secondsSinceReferenceDate: Int {
    Self.dayNumber(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60
      + min(second, 59)
  }

  /// The date and time as `2024-01-31T23:59:59Z`, with a year of at least four characters,
  /// including its sign.
  var isoText: String { text("T", "Z") }

  /// The date and time as `2024-01-31 23:59:59 +0000`.
  var descriptionText: String { text(" ", " +0000") }

  private func text(_ separator: StaticString, _ ending: StaticString) -> String {
    var output = OutputBuffer(capacity: 32)
    output.append(dayOf: self)
    output.append(separator)
    output.append(timeOf: self)
    output.append(ending)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  // Days are counted from 2001-01-01. In the arithmetic, years begin in March, so that the leap day
  // is the last day of a year, and are counted in eras of 400 years, the period of the calendar.
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
    // Subtract the leap days that have passed: one in 4 years of 1461 days, minus one in a century
    // of 36,524 days, plus the leap day that ends the era.
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / (daysInEra - 1)) / 365
    let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (dayOfYear * 5 + 2) / 153
    let month = (monthFromMarch + 2) % 12 + 1
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - firstDay(ofMonthFromMarch: monthFromMarch) + 1)
  }

  /// The day of a year from March when a month begins: five months of 153 days repeat.
  private static func firstDay(ofMonthFromMarch month: Int) -> Int { (month * 153 + 2) / 5 }

  private static func dayCount(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension UTCDateTime {
  /// The date and time of a `Date`, rounded down to whole seconds; nil for a year out of range and
  /// for NaN.
  init?(_ date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    // This is far beyond the valid years, and far below the numbers where the arithmetic would
    // overflow.
    guard interval.magnitude < 1e16 else { return nil }
    let seconds = Int(interval.rounded(.down))
    let days = seconds >= 0 ? seconds / 86400 : -((86399 - seconds) / 86400)
    let time = seconds - days * 86400
    hour = time / 3600
    minute = time / 60 % 60
    second = time % 60
    (year, month, day) = Self.calendarDay(days)
    guard Self.years ~= year else { return nil }
  }

  /// The date and time of a `Date` that is written in a format of whole seconds, rounded down.
  init(_ date: Date, for format: PlistFormat, options: PlistWriteOptions) throws(PlistError.Kind) {
    let interval = date.timeIntervalSinceReferenceDate
    if interval.isNaN { throw .dateIsNaN }
    guard let dateTime = Self(date) else { throw .dateOutOfRange }
    if options.rejectsFractionalSeconds, interval.rounded() != interval {
      throw .fractionalSeconds(format)
    }
    self = dateTime
  }
}

extension UTCDateTime {
  /// Parses a date: `YYYY-MM-DDTHH:MM:SSZ` with a year of at least four characters; the first may
  /// be a `-`. A leap second, `:60`, is the second before it.
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
    guard years ~= dateTime.year else { throw .dateOutOfRange }
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

    /// Scans a number with a minimum number of digits, capped where it would overflow.
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

extension OutputBuffer {
  mutating func append(dayOf dateTime: UTCDateTime) {
    if dateTime.year < 0 { append(UInt8(ascii: "-")) }
    let year = dateTime.year.magnitude
    // The year has four characters, including the sign.
    if year < 1000 && dateTime.year >= 0 { append(UInt8(ascii: "0")) }
    if year < 100 { append(UInt8(ascii: "0")) }
    if year < 10 { append(UInt8(ascii: "0")) }
    append(decimal: UInt64(year))
    append(UInt8(ascii: "-"))
    append(twoDigits: dateTime.month)
    append(UInt8(ascii: "-"))
    append(twoDigits: dateTime.day)
  }

  mutating func append(timeOf dateTime: UTCDateTime) {
    append(twoDigits: dateTime.hour)
    append(UInt8(ascii: ":"))
    append(twoDigits: dateTime.minute)
    append(UInt8(ascii: ":"))
    append(twoDigits: dateTime.second)
  }

  private mutating func append(twoDigits number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

extension Date {
  /// The date as XML property lists and RFC 3339 write it, rounded down to whole seconds:
  /// `2024-01-31T23:59:59Z`. Nil for a year beyond ±200,000,000 and for NaN.
  package var propertyListText: String? { UTCDateTime(self)?.isoText }
}
