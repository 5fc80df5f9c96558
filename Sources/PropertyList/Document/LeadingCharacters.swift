/// The characters of a text in UTF-8, UTF-16 or UTF-32, for the detection of its format.
///
/// ASCII characters are returned as they are, any other as one or more bytes FF.
struct LeadingCharacters: IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// The bytes of a code unit.
  private let width: Int
  /// The position of the least significant byte in a code unit.
  private let lowByte: Int

  /// - Parameter bytes: The text. A byte-order mark is skipped.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    (width, lowByte) =
      if !bytes.isWideText {
        (1, 0)
      } else if bytes.starts(with: [0, 0]) {
        (4, 3)
      } else if bytes[0] == 0 || bytes[0] == 0xFE {
        (2, 1)
      } else {
        (bytes.dropFirst(2).starts(with: [0, 0]) ? 4 : 2, 0)
      }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
    } else if width > 1, next() != 0xFF {
      offset = 0
    }
  }

  /// Returns the next character; nil at the end.
  mutating func next() -> UInt8? {
    guard bytes.count - offset >= width else { return nil }
    defer { offset += width }
    return unit(at: offset)
  }

  /// Returns the next character that is not white space; nil at the end.
  mutating func nextNonspace() -> UInt8? {
    var character = next()
    while let space = character, space.isXMLSpace { character = next() }
    return character
  }

  private func unit(at offset: Int) -> UInt8 {
    for byte in 0..<width where byte != lowByte && bytes[offset + byte] != 0 { return 0xFF }
    let character = bytes[offset + lowByte]
    return character < 0x80 ? character : 0xFF
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a text is in UTF-16 or UTF-32: it begins with their byte-order mark, or with an ASCII
  /// character of more than one byte.
  var isWideText: Bool {
    count >= 2
      && (self[0] == 0 || self[1] == 0 || starts(with: [0xFE, 0xFF]) || starts(with: [0xFF, 0xFE]))
  }
}
