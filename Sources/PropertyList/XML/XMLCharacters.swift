/// Checks, piece by piece, that text is UTF-8 and has only characters that XML allows. Control
/// characters other than NUL are accepted, because it depends on the place whether they are
/// allowed.
struct XMLCharacters {
  private let bytes: UnsafeRawBufferPointer
  /// The end of the checked bytes.
  private var position: Int
  private(set) var defect: XMLFailure?

  init(_ bytes: UnsafeRawBufferPointer, from position: Int) {
    (self.bytes, self.position) = (bytes, position)
  }

  /// Skips a piece of text that is known to be ASCII without NULs.
  mutating func skip(upTo end: Int) { position = max(position, end) }

  /// Checks the text up to a position, and perhaps a little further, or up to the first defect.
  mutating func check(upTo end: Int) {
    guard defect == nil else { return }
    while position < end {
      // Words and blocks save 15 % of the instructions of reading text in many languages.
      if position + 8 <= bytes.count {
        let word = bytes.word(at: position)
        let highBits = word & UInt64.highBits
        if highBits | word.marks(below: 1) == 0 {
          position += 8
          continue
        }
        if highBits.nonzeroBitCount >= Self.manyOfEight, skipBlock(upTo: end) { continue }
      }
      let length = characterLength
      if length == 0 {
        defect = XMLFailure(kind: .notWellFormed(kindOfDefect), offset: position)
        return
      }
      position += length
    }
  }

  /// The smallest number of non-ASCII bytes among eight that makes checking a block worthwhile.
  private static let manyOfEight = 4
  private static let blockLength = 256

  /// Skips the next block, up to the last character that ends in it, unless it may have a defect.
  @inline(never)
  private mutating func skipBlock(upTo end: Int) -> Bool {
    let block = position..<min(position + Self.blockLength, end, bytes.count)
    guard block.lowerBound >= 3, block.count > 8, hasOnlyCharacters(block) else { return false }
    position = block.upperBound
    for length in 1...3 where bytes[block.upperBound - length].isLead(ofMoreThan: length) {
      position -= length
    }
    return true
  }

  /// Whether a block consists of allowed characters; the last may be incomplete. At least three
  /// bytes must precede the block, and end with a character.
  private func hasOnlyCharacters(_ block: Range<Int>) -> Bool {
    precondition(block.lowerBound >= 3 && block.upperBound <= bytes.count)
    guard let base = bytes.baseAddress else { return false }
    // The compiler turns a loop without branches over a typed pointer into vector instructions.
    // Conditions are computed as bits: the highest bit of each result is used.
    let start = (base + block.lowerBound).assumingMemoryBound(to: UInt8.self)
    var defects: UInt8 = 0
    for index in 0..<block.count {
      let byte = start[index]
      let (first, second, third) = (start[index &- 1], start[index &- 2], start[index &- 3])
      let continues = first.startsWithOnes(2) | second.startsWithOnes(3) | third.startsWithOnes(4)
      defects |= (byte & ~(byte &<< 1)) ^ continues
      // NUL, C0 and C1, F5 and above.
      defects |= byte.equals(0) | (byte & 0xFE).equals(0xC0)
      defects |= byte.startsWithOnes(4) & ~(byte &+ 0x0B)
      // Overlong sequences, surrogates, and numbers beyond Unicode.
      defects |= first.equals(0xE0) & ~(byte &<< 2) | first.equals(0xED) & (byte &<< 2)
      defects |= first.equals(0xF0) & ~(byte &<< 2) & ~(byte &<< 3)
      defects |= first.equals(0xF4) & (byte &<< 2 | byte &<< 3)
      // U+FFFE and U+FFFF.
      defects |= second.equals(0xEF) & first.equals(0xBF) & (byte & 0xFE).equals(0xBE)
    }
    return defects < 0x80
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
    if word & 0xC0_C0F0 == 0x80_80E0 { return ((word & 0xF) << 12 | low(1) << 6 | low(2), 3) }
    if word & 0xC0E0 == 0x80C0 { return ((word & 0x1F) << 6 | low(1), 2) }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      return ((word & 0x7) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4)
    }
    return nil
  }

  /// The smallest scalar that needs a sequence of a length.
  @inline(__always)
  private static func minimumScalar(ofLength length: Int) -> UInt32 {
    length == 3 ? 0x800 : length == 2 ? 0x80 : 0x10000
  }

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

/// Conditions whose result is the highest bit of a byte.
extension UInt8 {
  @inline(__always)
  fileprivate func equals(_ other: UInt8) -> UInt8 {
    let difference = self ^ other
    return (difference &- 1) & ~difference
  }

  /// Whether the highest 2 to 4 bits are ones.
  @inline(__always)
  fileprivate func startsWithOnes(_ count: UInt8) -> UInt8 {
    var result = self & (self &<< 1)
    if count > 2 { result &= self &<< 2 }
    if count > 3 { result &= self &<< 3 }
    return result
  }

  /// Whether the byte is the lead of a sequence of more than 1, 2 or 3 bytes.
  fileprivate func isLead(ofMoreThan count: Int) -> Bool {
    startsWithOnes(UInt8(count) + 1) >= 0x80
  }
}
