/// Searches in eight bytes at once (SIMD within a register), the first of which is the lowest.
///
/// A search marks bytes by their highest bits. The lowest mark is exact; those above it may be
/// false positives.
extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The highest bit of every byte. It is set in bytes that are not ASCII.
  @inline(__always)
  static var highBits: UInt64 { 0x80 &* ones }

  /// Marks the bytes that equal an ASCII character.
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

  /// Marks exactly the bytes from a limit of 1 to 0x80 on.
  @inline(__always)
  func exactMarks(from limit: UInt8) -> UInt64 {
    let low = ~Self.highBits
    return ((self & low &+ UInt64(0x80 &- limit) &* Self.ones) | self) & Self.highBits
  }
}
