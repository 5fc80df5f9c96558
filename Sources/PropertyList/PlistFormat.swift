public import FoundationEssentials

/// The ways in which a property list is stored.
public enum PlistFormat: String, Sendable, Hashable, CaseIterable {
  /// Apple's XML property list, version 1.0.
  case xml
  /// Apple's binary property list, `bplist00`.
  case binary
  /// The old-style text of OpenStep and GNUstep, `.strings` tables included. It can be read only.
  case openStep

  /// The format that a document's leading bytes speak of.
  ///
  /// `bplist` is binary; a `<` that does not open OpenStep data (`<0fbd77>`, whole bytes) or a GNUstep
  /// typed value (`<*I5>`) is XML, after a byte-order mark and white space; the rest is OpenStep, the
  /// one format without a signature.
  public init(detecting data: Data) {
    self = data.withUnsafeBytes { Self.detect($0) }
  }

  static func detect(_ bytes: UnsafeRawBufferPointer) -> PlistFormat {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    // UTF-16 of either order shows the same characters once its zero bytes are passed over.
    let utf16 =
      bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.starts(with: [0x00, 0x3C]) || bytes.starts(with: [0x3C, 0x00])
    let start = utf16 && bytes[0] >= 0xFE ? 2 : bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var characters = bytes[start...].lazy.filter { !(utf16 && $0 == 0) }.makeIterator()

    var character = characters.next()
    while let space = character, space.isXMLSpace { character = characters.next() }
    guard character == UInt8(ascii: "<") else { return .openStep }
    character = characters.next()
    if character == UInt8(ascii: "*") { return .openStep }
    var digits = 0
    while let digit = character, digit.hexadecimalDigit != nil || digit.isXMLSpace {
      if !digit.isXMLSpace { digits += 1 }
      character = characters.next()
    }
    return character == UInt8(ascii: ">") && digits.isMultiple(of: 2) ? .openStep : .xml
  }
}
