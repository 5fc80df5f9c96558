package import FoundationEssentials
internal import Preferences
internal import PropertyList

// Types that property lists do not have. Each is stored in another form.

/// Stored in the form that `PreferencesStore` uses. A URL in a JSON string, with its quotation marks,
/// is also read.
extension URL: StandardType {
  package static var plistCoder: PlistCoder<URL> {
    PlistCoder { value in
      URLCoding.value(for: value)
    } decode: { plist throws(ValueConversionError) in
      // Foil stores JSON as data.
      let json = plist.quotation.flatMap { URL(string: $0) }
      guard let value = json ?? URLCoding.url(from: plist) else { throw .malformed("a URL") }
      return value
    }
  }

  /// The coder of URLs that are stored as JSON strings, with their quotation marks. A URL that JSON
  /// would change, such as one with a base, is stored in the standard form, which is also read.
  package static var quotingCoder: PlistCoder<URL> {
    let standard = plistCoder
    return PlistCoder { value throws(ValueConversionError) in
      let quoted = PlistValue.string(String(decoding: try CodableJSON.encode(value), as: UTF8.self))
      let target = value.isFileURL ? value.absoluteURL : value
      return (try? standard.decode(quoted)) == target ? quoted : URLCoding.value(for: value)
    } decode: { plist throws(ValueConversionError) in
      try standard.decode(plist)
    }
  }
}

/// Stored as a string.
extension UUID: StandardType {
  package static var plistCoder: PlistCoder<UUID> {
    .text("a UUID", to: { $0.uuidString }, from: { UUID(uuidString: $0) })
  }
}

/// Stored as its identifier.
extension Locale: StandardType {
  package static var plistCoder: PlistCoder<Locale> {
    .text("a locale", to: { $0.identifier }, from: { Locale(identifier: $0) })
  }
}

/// Stored as its identifier.
extension TimeZone: StandardType {
  package static var plistCoder: PlistCoder<TimeZone> {
    .text("a time zone", to: { $0.identifier }, from: { TimeZone(identifier: $0) })
  }
}

extension PlistCoder {
  /// A coder of types that are stored as strings.
  fileprivate static func text(
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

/// Stored as a string. Numbers are also read.
extension Decimal: StandardType {
  package static var plistCoder: PlistCoder<Decimal> {
    PlistCoder { value in
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

  /// Creates a number from a text; nil if the text is anything but a number.
  private init?(wholeText text: String) {
    if text == "NaN" {
      self = .nan
      return
    }
    // Foundation's initializer ignores text after a number, and treats missing digits as zero.
    let isDecimal = text.utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) }
    guard isDecimal, Double(text) != nil else { return nil }
    self.init(string: text)
  }

  /// Creates a number from a real. Foundation's initializer traps if the real is infinite, and
  /// returns NaN if it is out of range.
  private init(inRange number: Double) throws(ValueConversionError) {
    guard !number.isInfinite else { throw .outOfRange(Decimal.self) }
    self.init(number)
    if isNaN, !number.isNaN { throw .outOfRange(Decimal.self) }
  }
}

/// Stored as an array of whole seconds and the remaining attoseconds. A number of seconds is also
/// read.
extension Duration: StandardType {
  package static var plistCoder: PlistCoder<Duration> {
    let perSecond: UInt64 = 1_000_000_000_000_000_000
    let pair = PlistCoder<Duration>([Int64].plistCoder, expected: "seconds and attoseconds") {
      value throws(ValueConversionError) in
      // The seconds of a duration may exceed 64 bits.
      let (seconds, rest) = value.attoseconds.quotientAndRemainder(dividingBy: Int128(perSecond))
      guard let seconds = Int64(exactly: seconds) else { throw .outOfRange(Int64.self) }
      return [seconds, Int64(rest)]
    } from: { numbers in
      guard numbers.count == 2, numbers[1].magnitude < perSecond else { return nil }
      return Duration(secondsComponent: numbers[0], attosecondsComponent: numbers[1])
    }
    // The attoseconds of a duration are limited to 128 bits.
    return pair.orReading(
      PlistCoder<Duration>(
        Double.plistCoder, expected: "a number of seconds", to: { _ in 0 },
        from: { abs($0) < 9e18 ? .seconds($0) : nil }))
  }
}

/// Stored as an array of the start and the end.
extension DateInterval: StandardType {
  package static var plistCoder: PlistCoder<DateInterval> {
    PlistCoder([Date].plistCoder, expected: "the start and end of an interval") { value in
      [value.start, value.end]
    } from: { dates in
      guard dates.count == 2, dates[0] <= dates[1],
        dates[1].timeIntervalSince(dates[0]).isFinite
      else { return nil }
      return DateInterval(start: dates[0], end: dates[1])
    }
  }
}

extension PlistValue {
  /// The contents of a JSON string in a string or data; nil if there is none.
  fileprivate var quotation: String? {
    guard let json = CodableJSON.data(self), json.first == UInt8(ascii: "\"") else { return nil }
    return try? CodableJSON.decode(String.self, from: json)
  }

  /// The contents of a JSON string as a string; any other value unchanged.
  fileprivate var unquoted: PlistValue { quotation.map { .string($0) } ?? self }
}
