internal import FoundationEssentials
internal import Glibc

/// Little-endian words of bytes: the first byte is the lowest.
extension UnsafeRawBufferPointer {
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

  @inline(__always)
  var isASCII: Bool {
    // The compiler turns this loop into vector instructions. With an early exit, reading a binary
    // array of long texts takes 8 times the instructions.
    var bits: UInt8 = 0
    for byte in self { bits |= byte }
    return bits < 0x80
  }

  @inline(__always)
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    precondition(count == other.count)
    return count == 0 || memcmp(baseAddress!, other.baseAddress!, count) == 0
  }
}

/// Searches in the text of a document.
extension UnsafeRawBufferPointer {
  /// Returns the first position of a byte in a range, or the end of the range if there is none.
  @inline(__always)
  func firstPosition(of byte: UInt8, in range: Range<Int>) -> Int {
    guard !range.isEmpty, let base = baseAddress,
      let found = memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return range.upperBound }
    return UnsafeRawPointer(found) - base
  }

  func firstPosition(of text: StaticString, from start: Int) -> Int? {
    var position = start
    while position < count {
      position = firstPosition(of: text.utf8Start.pointee, in: position..<count)
      if hasBytes(text, at: position) { return position }
      position += 1
    }
    return nil
  }

  func hasBytes(_ text: StaticString, at position: Int) -> Bool {
    guard count - position >= text.utf8CodeUnitCount, let base = baseAddress else { return false }
    return memcmp(base + position, text.utf8Start, text.utf8CodeUnitCount) == 0
  }
}

/// Searches in eight bytes at once (SIMD within a register); the first byte is the lowest. A search
/// marks bytes by their highest bits. The lowest mark is exact; higher ones may be false positives.
extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The highest bit of every byte. It is set in bytes that are not ASCII.
  @inline(__always)
  static var highBits: UInt64 { 0x80 &* ones }

  @inline(__always)
  func marks(of character: UInt8) -> UInt64 {
    (self ^ UInt64(character) &* Self.ones).marks(below: 1)
  }

  /// Marks the bytes below a limit of at most 0x80.
  @inline(__always)
  func marks(below limit: UInt8) -> UInt64 {
    (self &- UInt64(limit) &* Self.ones) & ~self & Self.highBits
  }

  /// Marks exactly the bytes that equal an ASCII character, without false positives.
  @inline(__always)
  func exactMarks(of character: UInt8) -> UInt64 {
    let difference = self ^ UInt64(character) &* Self.ones
    let low = ~Self.highBits
    return ~((difference & low &+ low) | difference | low)
  }
}

extension Data {
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes { bytes in
      Swift.Result { () throws(Failure) in try body(bytes) }
    }.get()
  }
}
