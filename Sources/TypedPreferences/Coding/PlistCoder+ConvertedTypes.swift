package import FoundationEssentials
internal import Preferences
internal import PropertyList

/// Types of the standard library and of Foundation that property lists do not have. Each is stored
/// in another form.
extension PlistCoder {
  /// A coder of URLs, stored in the form that `PreferencesStore` uses. A URL in a JSON string, with
  /// its quotation marks, is also read.
  package static func url() -> PlistCoder<URL> where Value == URL {
    PlistCoder<URL> { value in
      URLCoding.value(for: value)
    } decode: { plist throws(ValueConversionError) in
      try url(from: plist)
    }
  }

  /// A coder of URLs, stored as JSON strings, with their quotation marks. A URL that JSON would
  /// change, such as one with a base, is stored in the form that `PreferencesStore` uses, which is
  /// also read.
  package static func quotedURL() -> PlistCoder<URL> where Value == URL {
    PlistCoder<URL> { value throws(ValueConversionError) in
      let quoted = PlistValue.string(String(decoding: try JSONText.encode(value), as: UTF8.self))
      let target = value.isFileURL ? value.absoluteURL : value
      return (try? url(from: quoted)) == target ? quoted : URLCoding.value(for: value)
    } decode: { plist throws(ValueConversionError) in
      try url(from: plist)
    }
  }

  private static func url(from plist: PlistValue) throws(ValueConversionError) -> URL {
    // Foil stores JSON as data.
    let json = plist.quotation.flatMap { URL(string: $0) }
    guard let value = json ?? URLCoding.url(from: plist) else { throw .malformed("a URL") }
    return value
  }

  /// A coder of UUIDs, stored as strings.
  package static func uuid() -> PlistCoder<UUID> where Value == UUID {
    text("a UUID") {
      $0.uuidString
    } from: {
      UUID(uuidString: $0)
    }
  }

  /// A coder of decimal numbers, stored as strings. Numbers are also read.
  package static func decimal() -> PlistCoder<Decimal> where Value == Decimal {
    PlistCoder<Decimal> { value in
      .string(value.description)
    } decode: { plist throws(ValueConversionError) in
      switch plist.unquoted {
      case .string(let text):
        guard let value = Decimal(wholeText: text) else { throw .malformed("a decimal number") }
        return value
      case .integer(let number): return Decimal(number)
      case .unsignedInteger(let number): return Decimal(number)
      case .real(let number): return try Decimal(inRange: number)
      case .float(let number): return try Decimal(inRange: Double(number))
      default: throw .wrongKind("a decimal number", plist)
      }
    }
  }

  /// A coder of locales, stored as their identifiers.
  package static func locale() -> PlistCoder<Locale> where Value == Locale {
    text("a locale") {
      $0.identifier
    } from: {
      Locale(identifier: $0)
    }
  }

  /// A coder of time zones, stored as their identifiers.
  package static func timeZone() -> PlistCoder<TimeZone> where Value == TimeZone {
    text("a time zone") {
      $0.identifier
    } from: {
      TimeZone(identifier: $0)
    }
  }

  /// A coder of durations, stored as an array of whole seconds and the remaining attoseconds. A
  /// number of seconds is also read.
  package static func duration() -> PlistCoder<Duration> where Value == Duration {
    let numbers = PlistCoder<[Int64]>.array(of: .integer())
    let pair = PlistCoder<Duration>(numbers, expected: "seconds and attoseconds") {
      value throws(ValueConversionError) in
      // The seconds of a duration may exceed 64 bits.
      let (seconds, rest) = value.attoseconds.quotientAndRemainder(
        dividingBy: Int128(attosecondsInSecond))
      guard let seconds = Int64(exactly: seconds) else { throw .outOfRange(Int64.self) }
      return [seconds, Int64(rest)]
    } from: { numbers in
      guard numbers.count == 2, numbers[1].magnitude < attosecondsInSecond else { return nil }
      return Duration(secondsComponent: numbers[0], attosecondsComponent: numbers[1])
    }
    let seconds = PlistCoder<Double>.real { .real($0) }
    // The attoseconds of a duration are limited to 128 bits.
    return pair.orReading(
      PlistCoder<Duration>(seconds, expected: "a number of seconds") { _ in
        0
      } from: { number in
        abs(number) < 9e18 ? .seconds(number) : nil
      })
  }

  private static var attosecondsInSecond: UInt64 { 1_000_000_000_000_000_000 }

  /// A coder of date intervals, stored as an array of the start and the end.
  package static func dateInterval() -> PlistCoder<DateInterval> where Value == DateInterval {
    PlistCoder<DateInterval>(.array(of: .date()), expected: "the start and end of an interval") {
      value in
      [value.start, value.end]
    } from: { dates in
      guard dates.count == 2, dates[0] <= dates[1],
        dates[1].timeIntervalSince(dates[0]).isFinite
      else { return nil }
      return DateInterval(start: dates[0], end: dates[1])
    }
  }

  /// A coder of ranges, stored as an array of the bounds.
  package static func range<Bound: Comparable & SendableMetatype>(
    of bounds: PlistCoder<Bound>
  ) -> PlistCoder<Range<Bound>> where Value == Range<Bound> {
    PlistCoder<Range<Bound>>(.array(of: bounds), expected: expectedBounds) { value in
      [value.lowerBound, value.upperBound]
    } from: { bounds in
      bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]..<bounds[1] : nil
    }
  }

  /// A coder of closed ranges, stored as an array of the bounds.
  package static func closedRange<Bound: Comparable & SendableMetatype>(
    of bounds: PlistCoder<Bound>
  ) -> PlistCoder<ClosedRange<Bound>> where Value == ClosedRange<Bound> {
    PlistCoder<ClosedRange<Bound>>(.array(of: bounds), expected: expectedBounds) { value in
      [value.lowerBound, value.upperBound]
    } from: { bounds in
      bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : nil
    }
  }

  private static var expectedBounds: String { "the lower and upper bounds of a range" }

  /// A coder of types that are stored as strings.
  private static func text(
    _ expected: String, to text: @escaping @Sendable (Value) -> String,
    from value: @escaping @Sendable (String) -> Value?
  ) -> PlistCoder {
    PlistCoder { value in
      .string(text(value))
    } decode: { plist throws(ValueConversionError) in
      guard case .string(let text) = plist.unquoted else { throw .wrongKind(expected, plist) }
      guard let value = value(text) else { throw .malformed(expected) }
      return value
    }
  }
}

extension Decimal {
  /// Creates the number that a text consists of; nil if it is anything else.
  fileprivate init?(wholeText text: String) {
    if text == "NaN" {
      self = .nan
      return
    }
    // Foundation's initializer ignores what follows a number, and takes missing digits for zero.
    let isDecimal = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
        UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, Double(text) != nil else { return nil }
    self.init(string: text)
  }

  /// Creates the number of a real, which Foundation's initializer traps on if it is infinite and
  /// turns into NaN if it is out of range.
  fileprivate init(inRange number: Double) throws(ValueConversionError) {
    guard !number.isInfinite else { throw .outOfRange(Decimal.self) }
    self.init(number)
    if isNaN, !number.isNaN { throw .outOfRange(Decimal.self) }
  }
}

extension PlistValue {
  /// The contents of a JSON string that a string or data holds; nil if it holds none.
  fileprivate var quotation: String? {
    guard let json = JSONText.data(self), json.first == UInt8(ascii: "\"") else { return nil }
    return try? JSONText.decode(String.self, from: json)
  }

  /// The contents of a JSON string as a string; any other value as it is.
  fileprivate var unquoted: PlistValue { quotation.map { .string($0) } ?? self }
}
