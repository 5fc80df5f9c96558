internal import FoundationEssentials

/// Values from the text that people type.
extension PlistValue {
  /// The integer that a text spells, in decimal digits or in hexadecimal ones after `0x`.
  package init(integerText text: String) throws(PlistError.Kind) {
    self = try ScalarText.integer(text.utf8)
  }

  /// The real that a text spells.
  package init(realText text: String) throws(PlistError.Kind) {
    let number = try ScalarText.real(text.utf8)
    // Too small a number for a double is not what was asked for; in documents it is zero.
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let hasDigit = digits.contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 }
    guard number != 0 || !hasDigit else { throw .realOutOfRange }
    self = .real(number)
  }

  /// The boolean that a word names, in letters of any case: `true`, `yes` or `1`, `false`, `no` or
  /// `0`; nil for any other word.
  ///
  /// - Parameter acceptsOnOff: Whether `on` and `off` are booleans, too.
  package init?(booleanText text: String, acceptsOnOff: Bool = false) {
    switch text.lowercased() {
    case "true", "yes", "1": self = .boolean(true)
    case "false", "no", "0": self = .boolean(false)
    case "on" where acceptsOnOff: self = .boolean(true)
    case "off" where acceptsOnOff: self = .boolean(false)
    default: return nil
    }
  }

  /// The date that a text spells: `2024-01-31T23:59:59Z`, perhaps with a fraction or an offset,
  /// `2024-01-31 23:59:59 +0000` as descriptions have it, or `2024-01-31`, its first second in UTC.
  package init(dateText text: String) throws(PlistError.Kind) {
    let parts = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    let spelled: [UInt8] =
      if parts.count == 3 {
        Array(parts[0]) + [UInt8(ascii: "T")] + parts[1] + parts[2]
      } else if text.utf8.contains(UInt8(ascii: "T")) {
        Array(text.utf8)
      } else {
        text.utf8 + Array("T00:00:00Z".utf8)
      }
    self = .date(try ScalarText.date(spelled, lenient: true))
  }

  /// The data that a text spells in pairs of hexadecimal digits; nil where it does not.
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
