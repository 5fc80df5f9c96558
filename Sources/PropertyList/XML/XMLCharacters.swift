/// Checks that text is UTF-8 of characters that XML allows, piece by piece.
///
/// Control characters other than NUL pass, since whether they are allowed depends on the place.
struct XMLCharacters {
  private let bytes: UnsafeRawBufferPointer
  /// The end of what has been checked.
  private var position: Int
  /// The first defect so far.
  private(set) var defect: XMLFailure?

  init(_ bytes: UnsafeRawBufferPointer, from position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Passes over a piece of text that is known to be ASCII without NULs.
  mutating func skip(upTo end: Int) {
    position = max(position, end)
  }

  /// Checks the text up to a position, and perhaps a little further, unless there is a defect
  /// before.
  mutating func check(upTo end: Int) {
    guard defect == nil else { return }
    while position < end {
      if position + 8 <= bytes.count {
        let word = bytes.word(at: position)
        if word & UInt64.highBits | word.marks(below: 1) == 0 {
          position += 8
          continue
        }
      }
      let length = characterLength
      if length == 0 {
        defect = XMLFailure(kind: .notWellFormed(kindOfDefect), offset: position)
        return
      }
      position += length
    }
  }

  /// The length of the next character; 0 if it is malformed or not allowed.
  @inline(__always)
  private var characterLength: Int {
    let lead = bytes[position]
    if lead < 0x80 { return lead == 0 ? 0 : 1 }
    guard let (scalar, length) = scalar, scalar >= Self.minimumScalar(ofLength: length) else {
      return 0
    }
    return Self.isAllowed(scalar) ? length : 0
  }

  /// The scalar of the next sequence of two to four bytes, whether or not it is allowed, and the
  /// length of the sequence; nil if it does not have that form.
  @inline(__always)
  private var scalar: (UInt32, length: Int)? {
    let rest = bytes.count - position
    let word =
      rest >= 4
      ? UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      : UInt32(truncatingIfNeeded: bytes.lastWord(of: rest))
    func low(_ index: UInt32) -> UInt32 { word >> (index * 8) & 0x3F }
    if word & 0xC0_C0F0 == 0x80_80E0 {
      return ((word & 0xF) << 12 | low(1) << 6 | low(2), 3)
    }
    if word & 0xC0E0 == 0x80C0 {
      return ((word & 0x1F) << 6 | low(1), 2)
    }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      return ((word & 0x7) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4)
    }
    return nil
  }

  /// The least scalar that needs a sequence of a length.
  @inline(__always)
  private static func minimumScalar(ofLength length: Int) -> UInt32 {
    length == 3 ? 0x800 : length == 2 ? 0x80 : 0x10000
  }

  /// Whether XML allows a scalar beyond ASCII.
  @inline(__always)
  static func isAllowed(_ scalar: UInt32) -> Bool {
    scalar < 0xD800 || 0xE000..<0xFFFE ~= scalar || 0x10000...0x10FFFF ~= scalar
  }

  /// The defect of the next character, which is malformed or not allowed.
  private var kindOfDefect: PlistError.XMLDefect {
    if bytes[position] == 0 { return .invalidCharacter }
    guard let (scalar, length) = scalar, scalar >= Self.minimumScalar(ofLength: length) else {
      return .malformedEncoding
    }
    return .invalidCharacter
  }
}
