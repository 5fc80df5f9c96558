internal import FoundationEssentials

/// Finds the contents of a signed message: the type SignedData of the Cryptographic Message Syntax
/// (RFC 5652), in DER or in BER with its indefinite lengths and strings in parts. Only the part
/// before the contents is parsed, without certificates and signatures.
struct SignedMessage {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  /// The end of the innermost element of a definite length.
  private var end: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    end = bytes.count
  }

  /// The first bytes of an element.
  private struct Header {
    let tag: UInt8
    /// The number of bytes of the contents; nil if an end-of-contents element ends them.
    let length: Int?

    /// Whether the element ends one of indefinite length.
    var isEnd: Bool { tag == 0 && length == 0 }
  }

  /// The tags of the elements on the way to the contents.
  private enum Tag {
    static let integer: UInt8 = 0x02
    static let octetString: UInt8 = 0x04
    static let octetStringInParts: UInt8 = 0x24
    static let identifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    static let explicit: UInt8 = 0xA0
  }

  /// The maximum nesting of strings in parts.
  private static let maximumDepth = 16

  /// Returns the signed contents.
  ///
  /// - Throws: An error for a damaged message, or for a detached signature.
  mutating func contents() throws(PlistError) -> Data {
    try enter(Tag.sequence)
    try skip(Tag.identifier)
    try enter(Tag.explicit)
    try enter(Tag.sequence)
    try skip(Tag.integer)
    try skip(Tag.set)
    try enter(Tag.sequence)
    try skip(Tag.identifier)
    guard position < end, bytes[position] == Tag.explicit else {
      throw PlistError(.emptyEnvelope(.signedMessage))
    }
    try enter(Tag.explicit)
    return try octetString()
  }

  private func malformed() -> PlistError {
    PlistError(.malformedEnvelope(.signedMessage), at: .byte(min(position, bytes.count)))
  }

  private mutating func nextByte() throws(PlistError) -> UInt8 {
    guard position < end else { throw malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func header() throws(PlistError) -> Header {
    let tag = try nextByte()
    // Tags of more than one byte do not occur.
    guard tag & 0x1F != 0x1F else { throw malformed() }
    let first = try nextByte()
    if first < 0x80 { return try checked(tag, Int(first)) }
    if first == 0x80 {
      guard tag & 0x20 != 0 else { throw malformed() }
      return Header(tag: tag, length: nil)
    }
    var length = 0
    for _ in 0..<(first & 0x7F) {
      let byte = try nextByte()
      guard length <= Int.max >> 8 else { throw malformed() }
      length = length << 8 | Int(byte)
    }
    return try checked(tag, length)
  }

  private func checked(_ tag: UInt8, _ length: Int) throws(PlistError) -> Header {
    guard length <= end - position else { throw malformed() }
    return Header(tag: tag, length: length)
  }

  /// Moves to the contents of the next element, which must have a tag.
  private mutating func enter(_ tag: UInt8) throws(PlistError) {
    let header = try header()
    guard header.tag == tag else { throw malformed() }
    if let length = header.length { end = position + length }
  }

  /// Moves past the next element, which must have a tag.
  private mutating func skip(_ tag: UInt8) throws(PlistError) {
    let header = try header()
    guard header.tag == tag else { throw malformed() }
    if let length = header.length {
      position += length
      return
    }
    // The number of open elements of indefinite length.
    var depth = 1
    while depth > 0 {
      let header = try self.header()
      if header.isEnd {
        depth -= 1
      } else if let length = header.length {
        position += length
      } else {
        depth += 1
      }
    }
  }

  /// Reads a string of bytes, which may be in parts.
  private mutating func octetString() throws(PlistError) -> Data {
    let header = try header()
    if header.tag == Tag.octetString, let length = header.length {
      return Data(bytes[position..<position + length])
    }
    guard header.tag == Tag.octetStringInParts else { throw malformed() }
    var contents = Data()
    // The ends of the open strings in parts; nil for a string of indefinite length.
    var ends = [header.length.map { position + $0 }]
    while let innermost = ends.last {
      if position == innermost {
        ends.removeLast()
        continue
      }
      let part = try self.header()
      guard innermost.map({ position <= $0 && part.length ?? 0 <= $0 - position }) ?? true else {
        throw malformed()
      }
      switch part.tag {
      case 0 where part.isEnd && innermost == nil: ends.removeLast()
      case Tag.octetString:
        let length = part.length ?? 0
        contents.append(contentsOf: bytes[position..<position + length])
        position += length
      case Tag.octetStringInParts where ends.count < Self.maximumDepth:
        ends.append(part.length.map { position + $0 })
      default: throw malformed()
      }
    }
    return contents
  }
}
