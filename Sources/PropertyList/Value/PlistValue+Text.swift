internal import FoundationEssentials

/// Values parsed from the arguments of command-line tools.
extension PlistValue {
  /// Parses an integer of decimal digits, or of `0x` and hexadecimal digits.
  package init(integerText text: String) throws(PlistError.Kind) {
    self = try ScalarText.integer(text.utf8)
  }

  /// Parses a real. A number too small for a double is an error.
  package init(realText text: String) throws(PlistError.Kind) {
    var isUnderflow = false
    let number = try ScalarText.real(text.utf8, underflow: &isUnderflow)
    if isUnderflow { throw .realOutOfRange }
    self = .real(number)
  }

  /// Parses `true`, `yes` or `1`, or `false`, `no` or `0`, in any case, as Apple's tools do.
  ///
  /// Preferences also accept `on` and `off`. The getters of NSUserDefaults have other rules; see
  /// `ValueText`, which has a table of all of them.
  package init(
    booleanText text: String, acceptsOnOff: Bool = false
  ) throws(PlistError.Kind) {
    switch text.lowercased() {
    case "true", "yes", "1": self = .boolean(true)
    case "false", "no", "0": self = .boolean(false)
    case "on" where acceptsOnOff: self = .boolean(true)
    case "off" where acceptsOnOff: self = .boolean(false)
    default: throw .unexpectedText(expected: "true, false, yes, no, 1 or 0")
    }
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
      self = .date(try ScalarText.date(dateText, lenient: true))
    } catch {
      guard error == .malformedDate else { throw error }
      throw .unexpectedText(
        expected: #"2024-01-31T23:59:59Z, "2024-01-31 23:59:59 +0000" or 2024-01-31"#)
    }
  }

  /// Parses data of pairs of hexadecimal digits; nil for any other text.
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
