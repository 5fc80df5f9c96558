internal import FoundationEssentials

/// The values that GNUstep adds to OpenStep text: `<*I5>`, `<*R1.5>`, `<*BY>` and
/// `<*D2024-01-01 00:00:00 +0000>`.
enum GNUstepTypedValue: Unicode.Scalar {
  /// The types by their letters.
  case integer = "I"
  case real = "R"
  case boolean = "B"
  case date = "D"

  /// Parses a value of the type.
  func value(
    _ text: String, _ options: PlistReadOptions, underflow: inout Bool
  ) throws(PlistError.Kind) -> PlistValue {
    switch self {
    case .integer: return try NumberText.integer(text.utf8)
    case .real: return .real(try NumberText.real(text.utf8, underflow: &underflow))
    case .boolean:
      guard text == "Y" || text == "N" else { throw .unexpectedText(expected: "Y or N") }
      return .boolean(text == "Y")
    case .date: return .date(try Self.date(text, options))
    }
  }

  /// Parses a date, which differs from XML in its separators and always has an offset from UTC.
  private static func date(
    _ text: String, _ options: PlistReadOptions
  ) throws(PlistError.Kind) -> Date {
    let malformed = PlistError.Kind.unexpectedText(
      expected: "a date such as 2024-01-01 00:00:00 +0000")
    let parts = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, options.allowsLenientDates || parts[1].count == "00:00:00".utf8.count,
      let sign = parts[2].first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    else { throw malformed }
    do {
      let xmlText = Array(parts[0]) + [UInt8(ascii: "T")] + parts[1] + parts[2]
      return try UTCDateTime.date(xmlText, lenient: true)
    } catch {
      throw error == .malformedDate ? malformed : .dateOutOfRange
    }
  }
}
