/// The characters of a text in UTF-8, UTF-16 or UTF-32, of which only those of ASCII are told apart,
/// as they tell one format from another. Any other is one or more bytes of FF.
struct LeadingCharacters: IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// Bytes of a code unit.
  private let width: Int
  /// Where in a code unit its lowest byte stands.
  private let lowest: Int

  /// - Parameter bytes: The text, with or without a byte-order mark, which is no character.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    (width, lowest) =
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

  /// The next character; nil at the end.
  mutating func next() -> UInt8? {
    guard bytes.count - offset >= width else { return nil }
    defer { offset += width }
    return unit(at: offset)
  }

  /// The next character that is not white space; nil at the end.
  mutating func nextBehindSpace() -> UInt8? {
    var character = next()
    while let space = character, space.isXMLSpace { character = next() }
    return character
  }

  private func unit(at offset: Int) -> UInt8 {
    for byte in 0..<width where byte != lowest && bytes[offset + byte] != 0 { return 0xFF }
    let character = bytes[offset + lowest]
    return character < 0x80 ? character : 0xFF
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a text is in UTF-16 or UTF-32: it has a byte-order mark of that, or begins with a
  /// character of ASCII that takes more than one byte.
  var isWideText: Bool {
    count >= 2
      && (self[0] == 0 || self[1] == 0 || starts(with: [0xFE, 0xFF]) || starts(with: [0xFF, 0xFE]))
  }
}
