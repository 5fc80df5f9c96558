import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("OpenStep text is UTF-8, or UTF-16 with a byte-order mark")
struct OpenStepTextTests {
  private static let malformed =
    "the text is malformed; expected UTF-8, or UTF-16 with a byte-order mark"

  /// The UTF-16 of a text behind a byte-order mark.
  private static func utf16(_ text: String, bigEndian: Bool) -> Data {
    Data(
      ("\u{FEFF}" + text).utf16.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return bigEndian ? bytes : bytes.reversed()
      })
  }

  @Test("UTF-16 of either byte order is read like UTF-8", arguments: [true, false])
  func utf16(bigEndian: Bool) throws {
    let data = Self.utf16("/* é */\n\"é日😀\" = \"\\U00e9\";\n", bigEndian: bigEndian)
    let document = try Plist.read(data)
    #expect(document.format == .openStep)
    #expect(document.value == ["é日😀": "é"])
  }

  @Test("A UTF-8 byte-order mark is passed over and has no column")
  func utf8Mark() throws {
    #expect(try read("\u{FEFF}{a = b;}", as: .openStep).value == ["a": "b"])
    #expect(
      readError(Data("\u{FEFF}{é}".utf8), as: .openStep) == "line 1 column 2: expected a key or }")
  }

  @Test("Columns of UTF-16 text count characters, not code units", arguments: [true, false])
  func utf16Columns(bigEndian: Bool) {
    let data = Self.utf16("\n('😀é' x)", bigEndian: bigEndian)
    #expect(
      readError(data, as: .openStep) == "line 2 column 7: expected , or ) (key path 1)")
  }

  @Test(
    "A document that is only a byte-order mark is empty",
    arguments: [[0xFE, 0xFF], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF]] as [[UInt8]])
  func markOnly(bytes: [UInt8]) {
    #expect(
      readError(Data(bytes), as: .openStep) == "the document is empty; expected a property list")
  }

  @Test(
    "Bytes that are not UTF-8 are refused at their place, comments and strings included",
    arguments: [
      (Array("{\n é = '".utf8) + [0xFF] + Array("';}".utf8), "line 2 column 7"),
      (Array("/* ".utf8) + [0xC0, 0x80] + Array("*/ {}".utf8), "line 1 column 4"),
      ([0xED, 0xA0, 0x80], "line 1 column 1"),
      (Array("a = b; // ".utf8) + [0xC3], "line 1 column 11"),
      ([0xEF, 0xBB, 0xBF, 0x61, 0x80], "line 1 column 2"),
      (Array("é\r\n".utf8) + [0xF4, 0x90, 0x80, 0x80], "line 2 column 1"),
    ] as [([UInt8], String)])
  func malformedUTF8(bytes: [UInt8], place: String) {
    #expect(readError(Data(bytes), as: .openStep) == "\(place): \(Self.malformed)")
  }

  @Test(
    "Half of a surrogate pair and half of a code unit are refused at their place",
    arguments: [
      ([0xFE, 0xFF, 0x00, 0x0A, 0x00, 0x27, 0xD8, 0x3D, 0x00, 0x27], "line 2 column 2"),
      ([0xFF, 0xFE, 0x27, 0x00, 0x00, 0xDE], "line 1 column 2"),
      ([0xFF, 0xFE, 0x3D, 0xD8], "line 1 column 1"),
      ([0xFE, 0xFF, 0x00, 0x61, 0x00], "line 1 column 2"),
      ([0xFE, 0xFF, 0x00], "line 1 column 1"),
    ] as [([UInt8], String)])
  func malformedUTF16(bytes: [UInt8], place: String) {
    #expect(readError(Data(bytes), as: .openStep) == "\(place): \(Self.malformed)")
  }
}
