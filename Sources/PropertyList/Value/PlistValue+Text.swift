internal import FoundationEssentials

/// Values parsed from the arguments of command-line tools.
extension PlistValue {
  /// Parses an integer in decimal digits, or in hexadecimal digits after `0x`.
  package init(integerText text: String) throws(PlistError.Kind) {
    self = try NumberText.integer(text.utf8)
  }

  /// Parses a real. A number too small for a double is an error.
  package init(realText text: String) throws(PlistError.Kind) {
    var isUnderflow = false
    let number = try NumberText.real(text.utf8, underflow: &isUnderflow)
    if isUnderflow { throw .realOutOfRange }
    self = .real(number)
  }

  /// The words for true and false that Apple's tools accept, in any case.
  package static let booleanWords = [
    ("true", true), ("false", false), ("yes", true), ("no", false), ("1", true), ("0", false),
  ]

  /// `true, false, yes, no, 1 or 0`.
  package static var booleanWordList: String {
    let words = booleanWords.map(\.0)
    return words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }

  /// Parses one of the ``booleanWords``. Preferences also accept `on` and `off`. The getters of
  /// NSUserDefaults have different rules; `Coercion` has a table of all rules.
  package init(booleanText text: String, acceptsOnOff: Bool = false) throws(PlistError.Kind) {
    let words = Self.booleanWords + (acceptsOnOff ? [("on", true), ("off", false)] : [])
    let word = text.lowercased()
    guard let (_, value) = words.first(where: { $0.0 == word }) else {
      throw .unexpectedText(expected: Self.booleanWordList)
    }
    self = .boolean(value)
  }

  /// Parses a date: `2024-01-31T23:59:59Z`, optionally with a fraction or an offset from UTC,
  /// `2024-01-31 23:59:59 +0000` as in descriptions, or `2024-01-31`, the start of the day in UTC.
  package init(dateText text: String) throws(PlistError.Kind) {
    let parts = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    let dateText: [UInt8] =
      if parts.count == 3 {
        Array(parts[0]) + [UInt8(ascii: "T")] + parts[1] + parts[2]
      } else if text.utf8.contains(UInt8(ascii: "T")) {
        Array(text.utf8)
      } else {
        text.utf8 + Array("T00:00:00Z".utf8)
      }
    do {
      self = .date(try UTCDateTime.date(dateText, lenient: true))
    } catch {
      guard error == .malformedDate else { throw error }
      throw .unexpectedText(
        expected: #"2024-01-31T23:59:59Z, "2024-01-31 23:59:59 +0000" or 2024-01-31"#)
    }
  }

  /// Parses data from pairs of hexadecimal digits; nil for any other text.
  package init?(hexadecimalText text: String) {
    var data = Data()
    var high: UInt8?
    for byte in text.utf8 {
      guard let digit = byte.hexadecimalDigit else { return nil }
      if let first = high {
        data.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard high == nil else { return nil }
    self = .data(data)
  }
}
