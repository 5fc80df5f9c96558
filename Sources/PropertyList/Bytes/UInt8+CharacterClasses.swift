/// ASCII character classes that several readers use.
extension UInt8 {
  /// Whether the byte is XML white space: space, tab, line feed or carriage return.
  @inline(__always)
  var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  @inline(__always)
  var decimalDigit: UInt8? {
    let value = self &- 0x30
    return value < 10 ? value : nil
  }

  var isASCIILetter: Bool { 0x61...0x7A ~= self | 0x20 }

  /// The value of the byte as an ASCII hexadecimal digit of either case, or nil.
  @inline(__always)
  var hexadecimalDigit: UInt8? {
    if let decimalDigit { return decimalDigit }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter + 10 : nil
  }

  /// The letters of the C escapes for the control characters from 07 to 0D.
  private static var controlLetters: StaticString { "abtnvfr" }

  /// The letter of the C escape for the byte, a control character; nil if there is none.
  var controlLetter: UInt8? {
    0x07...0x0D ~= self ? Self.controlLetters.utf8Start[Int(self) - 7] : nil
  }

  /// The control character whose C escape has this letter; nil if there is none.
  var controlCharacter: UInt8? { (0x07...0x0D).first { $0.controlLetter == self } }
}
