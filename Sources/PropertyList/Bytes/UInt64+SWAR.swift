/// A number as eight bytes of a text, the first of them lowest, to be searched all at once.
///
/// Marks are the highest bits of bytes. The lowest mark is right; above it others may be wrong.
extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// The highest bit of every byte: those that are set in the number are not ASCII.
  @inline(__always)
  static var highBits: UInt64 { 0x80 &* ones }

  /// Marks the bytes that are a character of ASCII.
  @inline(__always)
  func marks(of character: UInt8) -> UInt64 {
    (self ^ UInt64(character) &* Self.ones).marks(below: 1)
  }

  /// Marks the bytes that are less than a limit, which is at most 80 in hexadecimal digits.
  @inline(__always)
  func marks(below limit: UInt8) -> UInt64 {
    (self &- UInt64(limit) &* Self.ones) & ~self & Self.highBits
  }
}
