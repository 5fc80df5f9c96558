internal import Glibc

extension UnsafeRawBufferPointer {
  /// Eight bytes as a number, the first of them lowest.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The last bytes, fewer than eight, as a number, the first of them lowest and zeros above.
  @inline(__always)
  func lastWord(of rest: Int) -> UInt64 {
    if rest == 0 { return 0 }
    if count >= 8 { return word(at: count - 8) >> UInt64(64 - 8 * rest) }
    return shortWord >> UInt64(8 * (count - rest))
  }

  /// One to seven bytes as a number, the first of them lowest and zeros above, in loads that overlap.
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

  /// Whether the bytes are those of another buffer of the same length.
  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    precondition(count == other.count)
    return count == 0 || memcmp(baseAddress!, other.baseAddress!, count) == 0
  }
}
