/// The character classes of OpenStep text.
extension UInt8 {
  /// Whether the byte is white space, including vertical tab and form feed.
  @inline(__always)
  var isOpenStepSpace: Bool { 0x09...0x0D ~= self || self == 0x20 }

  /// Whether the byte is allowed in an unquoted string: a letter, a digit or one of `_$/:.+-`.
  @inline(__always)
  var isOpenStepWord: Bool {
    // One bit for each ASCII character.
    let bits: UInt64 = self < 64 ? 0x07FF_E810_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return self < 0x80 && bits >> UInt64(self & 63) & 1 == 1
  }
}

/// The strings that are written without quotes: those that every reader takes for a word.
extension String {
  /// Whether the string needs no quotes. It has no `+`, which older readers refuse, and no comment
  /// begins in it.
  var isOpenStepWord: Bool {
    withBytes { bytes in
      var previous: UInt8 = 0
      for byte in bytes {
        let isComment = byte == UInt8(ascii: "/") && previous == byte
        guard byte.isOpenStepWord, byte != UInt8(ascii: "+"), !isComment else { return false }
        previous = byte
      }
      return bytes.count > 0
    }
  }
}
