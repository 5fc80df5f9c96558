/// Quoted strings of OpenStep documents and descriptions.
extension OutputBuffer {
  /// Appends a string in double quotes, with OpenStep escapes for unprintable characters.
  ///
  /// - Parameter isASCII: Whether characters beyond ASCII are escaped as well.
  mutating func append(openStepQuoted text: String, isASCII: Bool) {
    append(UInt8(ascii: "\""))
    text.withBytes { bytes in
      var position = 0
      while position < bytes.count {
        let start = position
        position = Self.nextToEscape(in: bytes, from: start, isASCII: isASCII)
        append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
        guard position < bytes.count else { break }
        if bytes[position] < 0x80 {
          append(openStepEscaped: bytes[position])
          position += 1
        } else {
          position = append(openStepUnicode: bytes, at: position)
        }
      }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(openStepEscaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x07: append(UInt8(ascii: "a"))
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0B: append(UInt8(ascii: "v"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      for shift in [6, 3, 0] as [UInt8] { append(UInt8(ascii: "0") + byte >> shift & 7) }
    }
  }

  /// Appends the `\U` escapes of the character at a position of valid UTF-8, and returns the
  /// position after it.
  private mutating func append(
    openStepUnicode bytes: UnsafeRawBufferPointer, at position: Int
  ) -> Int {
    let length = (~bytes[position]).leadingZeroBitCount
    var scalar = UInt32(bytes[position] & 0x7F >> UInt8(length))
    for byte in bytes[position + 1..<position + length] {
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    if scalar < 0x10000 {
      append(openStepUnit: scalar)
    } else {
      append(openStepUnit: 0xD800 + (scalar - 0x10000) >> 10)
      append(openStepUnit: 0xDC00 + scalar & 0x3FF)
    }
    return position + length
  }

  private mutating func append(openStepUnit unit: UInt32) {
    append("\\U")
    append(hexadecimalDigit: UInt8(truncatingIfNeeded: unit >> 12))
    append(hexadecimalDigit: UInt8(truncatingIfNeeded: unit >> 8))
    append(hexadecimalDigit: UInt8(truncatingIfNeeded: unit >> 4))
    append(hexadecimalDigit: UInt8(truncatingIfNeeded: unit))
  }

  /// The first byte from a position on that has to be escaped; the end if there is none.
  private static func nextToEscape(
    in bytes: UnsafeRawBufferPointer, from start: Int, isASCII: Bool
  ) -> Int {
    let others = isASCII ? UInt64.highBits : 0
    func marks(_ word: UInt64) -> UInt64 {
      word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
        | word.marks(of: UInt8(ascii: "\\")) | word.marks(of: 0x7F) | word & others
    }
    var position = start
    while position + 8 <= bytes.count {
      let marks = marks(bytes.word(at: position))
      if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
      position += 8
    }
    // The word is padded with zeros, which are control characters.
    return position + marks(bytes.lastWord(of: bytes.count - position)).trailingZeroBitCount / 8
  }

  /// Appends the lowercase hexadecimal digit of a number's lowest four bits.
  @inline(__always)
  mutating func append(hexadecimalDigit number: UInt8) {
    let digit = number & 0x0F
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }
}
