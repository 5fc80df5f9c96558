internal import Glibc

/// Little-endian words of bytes: the first byte is the lowest.
extension UnsafeRawBufferPointer {
  /// Returns eight bytes as a word.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns the last bytes, fewer than eight, as a word with zeros above.
  @inline(__always)
  func lastWord(of rest: Int) -> UInt64 {
    if rest == 0 { return 0 }
    if count >= 8 { return word(at: count - 8) >> UInt64(64 - 8 * rest) }
    return shortWord >> UInt64(8 * (count - rest))
  }

  /// All bytes, one to seven, as a word with zeros above, in overlapping loads.
  @inline(__always)
  private var shortWord: UInt64 {
    if count >= 4 {
      let low = UInt32(littleEndian: loadUnaligned(as: UInt32.self))
      let high = UInt32(littleEndian: loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      return UInt64(low) | UInt64(high) << UInt64(8 * (count - 4))
    }
    let (middle, last) = (count / 2, count - 1)
    return UInt64(self[0]) | UInt64(self[middle]) << UInt64(8 * middle)
      | UInt64(self[last]) << UInt64(8 * last)
  }

  /// Whether all bytes are ASCII.
  @inline(__always)
  var isASCII: Bool {
    var bits: UInt64 = 0
    var position = 0
    while position + 8 <= count {
      bits |= word(at: position)
      position += 8
    }
    bits |= lastWord(of: count - position)
    return bits & UInt64.highBits == 0
  }

  /// Returns whether the bytes equal those of another buffer of the same length.
  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    precondition(count == other.count)
    return count == 0 || memcmp(baseAddress!, other.baseAddress!, count) == 0
  }

  /// Whether all bytes in a range are spaces or control characters.
  @inline(__always)
  func isSpaceOrControlCharacters(in range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while position + 8 <= count {
      let rest = range.upperBound - position
      let marks = word(at: position).exactMarks(from: 0x21)
      if rest <= 8 { return rest == 0 || marks << UInt64(64 - 8 * rest) == 0 }
      if marks != 0 { return false }
      position += 8
    }
    while position < range.upperBound, self[position] <= 0x20 { position += 1 }
    return position >= range.upperBound
  }
}
