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
}
