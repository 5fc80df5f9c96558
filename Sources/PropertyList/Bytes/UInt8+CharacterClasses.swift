/// The character classes that the readers share.
extension UInt8 {
  /// Whether the byte is white space in XML: space, tab, line feed or carriage return.
  @inline(__always)
  var isXMLSpace: Bool {
    self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
  }

  /// The value of an ASCII decimal digit.
  @inline(__always)
  var decimalDigit: UInt8? {
    let value = self &- 0x30
    return value < 10 ? value : nil
  }

  /// The value of an ASCII hexadecimal digit of either case.
  @inline(__always)
  var hexadecimalDigit: UInt8? {
    if let decimalDigit { return decimalDigit }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }
}
