/// The character classes of OpenStep text.
extension UInt8 {
  /// Whether the byte is white space, including vertical tab and form feed.
  @inline(__always)
  var isOpenStepSpace: Bool {
    0x09...0x0D ~= self || self == 0x20
  }

  /// Whether the byte is allowed in an unquoted string: a letter, a digit or one of `_$/:.+-`.
  @inline(__always)
  var isOpenStepWord: Bool {
    // One bit for each ASCII character.
    let bits: UInt64 = self < 64 ? 0x07FF_E810_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return self < 0x80 && bits >> UInt64(self & 63) & 1 == 1
  }
}
