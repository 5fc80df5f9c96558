package import FoundationEssentials

/// A date and time in UTC, in whole seconds. The calendar is the Gregorian extended to all years;
/// the year before year 1 is 0, the one before that -1.
struct UTCDateTime {
  var year: Int
  var month: Int
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int

  /// The years of which a double holds every whole second.
  static let years = -200_000_000...200_000_000

  /// Whether the month, the day and the time exist. A leap second, 60, is accepted.
  var isValid: Bool {
    1...12 ~= month && 1...Self.dayCount(inMonth: month, of: year) ~= day && hour < 24
      && minute < 60 && second <= 60
  }

  /// The seconds since the start of 2001. A leap second counts as the second before it, because
  /// this time scale has none.
  var secondsSinceReferenceDate: Int {
    Self.dayNumber(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60
      + min(second, 59)
  }

  /// The day as `2024-01-31`, the year in four characters or more including its sign.
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

  // Days are counted from 2001-01-01. The arithmetic lets years begin in March, so that the leap
  // day is the last of a year, and counts in eras of 400 years, after which the calendar repeats.
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
    // Subtract the leap days that have passed: one in 4 years of 1461 days, less one in a century
    // of 36,524, plus the one that ends the era.
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / (daysInEra - 1)) / 365
    let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (dayOfYear * 5 + 2) / 153
    let month = (monthFromMarch + 2) % 12 + 1
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - firstDay(ofMonthFromMarch: monthFromMarch) + 1)
  }

  /// The day of a year from March on which a month begins: five months of 153 days repeat.
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
    // Far beyond the years, and far from where the arithmetic would overflow.
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

extension OutputBuffer {
  mutating func append(dayOf dateTime: UTCDateTime) {
    if dateTime.year < 0 { append(UInt8(ascii: "-")) }
    let year = dateTime.year.magnitude
    // Four characters with the sign.
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
  package var propertyListText: String? {
    UTCDateTime(self).map { $0.dayText + "T" + $0.timeText + "Z" }
  }
}
