import Testing

@testable import PropertyList

@Suite("References in XML")
struct XMLReferenceTests {
  /// Decodes the reference at the start of a text.
  private func decode(
    _ text: String, allowsControlCharacters: Bool = false
  ) -> Result<(scalar: UInt32, end: Int), XMLFailure> {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { bytes in
      Result { () throws(XMLFailure) in
        try XMLReference.decode(
          bytes, at: 0, allowsControlCharacters: allowsControlCharacters)
      }
    }
  }

  @Test(
    "stand for a character",
    arguments: [
      ("&amp;", 0x26), ("&lt;", 0x3C), ("&gt;", 0x3E), ("&apos;", 0x27), ("&quot;", 0x22),
      ("&#65;", 0x41), ("&#x41;", 0x41), ("&#x6a;", 0x6A), ("&#x6A;", 0x6A), ("&#0065;", 0x41),
      ("&#9;", 0x09), ("&#10;", 0x0A), ("&#13;", 0x0D), ("&#xD;", 0x0D), ("&#127;", 0x7F),
      ("&#x80;", 0x80), ("&#xD7FF;", 0xD7FF), ("&#xE000;", 0xE000), ("&#xFFFD;", 0xFFFD),
      ("&#x10000;", 0x10000), ("&#x1FFFE;", 0x1FFFE), ("&#1114111;", 0x10FFFF),
      ("&#x10FFFF;", 0x10FFFF), ("&#00000000000000000000000000000000000065;", 0x41),
    ])
  func valid(text: String, scalar: UInt32) throws {
    let (decoded, end) = try decode(text + ";").get()
    #expect(decoded == scalar)
    #expect(end == text.utf8.count)
  }

  @Test("stand for control characters where they are allowed, and only there")
  func controlCharacters() throws {
    for scalar in (1..<0x20 as Range<UInt32>) where ![0x09, 0x0A, 0x0D].contains(scalar) {
      for text in ["&#\(scalar);", "&#x\(String(scalar, radix: 16));"] {
        #expect(try decode(text, allowsControlCharacters: true).get().scalar == scalar)
        expectDefect(decode(text), .invalidCharacter, at: 0)
      }
    }
  }

  @Test(
    "are refused at the first character that does not belong",
    arguments: [
      ("&#;", 2), ("&#x;", 3), ("&#", 2), ("&#x", 3), ("&#65", 4), ("&#65 ;", 4), ("&#X41;", 2),
      ("&#12a;", 4), ("&#xZZ;", 3), ("&# 65;", 2), ("&#-1;", 2), ("&#+1;", 2), ("&#x41&", 5),
    ])
  func malformed(text: String, offset: Int) {
    expectDefect(decode(text, allowsControlCharacters: true), .malformedReference, at: offset)
  }

  @Test(
    "to characters that XML excludes are refused",
    arguments: [
      "&#0;", "&#x0;", "&#xD800;", "&#xDBFF;", "&#xDFFF;", "&#xFFFE;", "&#xFFFF;", "&#x110000;",
      "&#1114112;", "&#4294967361;", "&#x100000041;", "&#18446744073709551681;",
      "&#99999999999999999999999999999999999999999;",
    ])
  func excluded(text: String) {
    expectDefect(decode(text, allowsControlCharacters: true), .invalidCharacter, at: 0)
  }

  @Test(
    "to other entities are refused",
    arguments: [
      "&", "&;", "& ", "&a;", "&am", "&amp", "&amp ;", "&AMP;", "&nbsp;", "&lt", "&quot", "&&amp;",
      "&apo;", "&amp\u{0};",
    ])
  func undefined(text: String) {
    expectDefect(decode(text, allowsControlCharacters: true), .undefinedEntity, at: 0)
  }

  @Test("end where the text does")
  func end() {
    let bytes = Array("&amp;&#65;".utf8)
    bytes.withUnsafeBytes { bytes in
      for end in 1..<5 {
        for start in [0, 5] {
          #expect(throws: XMLFailure.self) {
            try XMLReference.decode(
              UnsafeRawBufferPointer(rebasing: bytes[..<(start + end)]), at: start,
              allowsControlCharacters: false)
          }
        }
      }
    }
  }

  private func expectDefect(
    _ result: Result<(scalar: UInt32, end: Int), XMLFailure>, _ defect: PlistError.XMLDefect,
    at offset: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    switch result {
    case .success(let reference):
      Issue.record("decoded as \(reference.scalar)", sourceLocation: sourceLocation)
    case .failure(let failure):
      #expect(failure.kind == .notWellFormed(defect), sourceLocation: sourceLocation)
      #expect(failure.offset == offset, sourceLocation: sourceLocation)
    }
  }
}
