import FoundationEssentials
import Testing

@testable import PropertyList

@Suite("OpenStep text is UTF-8, or UTF-16 with a byte-order mark")
struct OpenStepTextTests {
  private static let malformed =
    "the text is not valid in its encoding; expected UTF-8, or a byte-order mark and UTF-16 or "
    + "UTF-32"

  @Test("UTF-16 of either byte order is read like UTF-8", arguments: [true, false])
  func utf16(bigEndian: Bool) throws {
    let data = WideText.encode("\u{FEFF}/* é */\n\"é日😀\" = \"\\U00e9\";\n", 2, bigEndian)
    let document = try Plist.read(data)
    #expect(document.format == .openStep)
    #expect(document.value == ["é日😀": "é"])
  }

  @Test("A UTF-8 byte-order mark is passed over and has no column")
  func utf8Mark() throws {
    #expect(try read("\u{FEFF}{a = b;}", as: .openStep).value == ["a": "b"])
    #expect(readError("\u{FEFF}{é}", as: .openStep) == "line 1 column 2: expected a key or }")
  }

  @Test("Columns of UTF-16 text count characters, not code units", arguments: [true, false])
  func utf16Columns(bigEndian: Bool) {
    let data = WideText.encode("\u{FEFF}\n('😀é' x)", 2, bigEndian)
    #expect(
      readError(data, as: .openStep) == "line 2 column 7: expected , or ) (key path 1)")
  }

  @Test(
    "White space alone is an empty table, with a byte-order mark or without",
    arguments: [
      " ", "\n\t\r\u{0B}\u{0C}", "\u{2028}\u{2029}", "\u{FEFF}", "\u{FEFF} \n", " /* a */ // b",
    ])
  func whiteSpace(text: String) throws {
    let encodings: [String.Encoding] = [
      .utf8, .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian,
    ]
    for encoding in text.hasPrefix("\u{FEFF}") ? encodings : [.utf8] {
      let document = try Plist.read(#require(text.data(using: encoding)), as: .openStep)
      #expect(document == PlistDocument(value: [:], format: .openStep, warnings: []))
    }
  }

  @Test("UTF-32 with a byte-order mark is read, whatever its byte order", arguments: [false, true])
  func utf32(bigEndian: Bool) throws {
    let text = "\u{FEFF}(\"é😀\", b)"
    let encoding = bigEndian ? String.Encoding.utf32BigEndian : .utf32LittleEndian
    let data = try #require(text.data(using: encoding))
    #expect(try Plist.read(data).value == ["é😀", "b"])
    for length in data.count - 3..<data.count {
      #expect(
        readError(data.prefix(length))
          == "line 1 column 9: the text is not valid in its encoding; "
          + "expected UTF-8, or a byte-order mark and UTF-16 or UTF-32")
    }
  }

  @Test(
    "Text in a named encoding is converted, and refused where it is not valid in it",
    arguments: [
      ("MACINTOSH", [0x8E], "é"), ("SHIFT_JIS", [0x93, 0xFA], "日"), ("KOI8-R", [0xC1], "а"),
      ("ISO-8859-15", [0xA4], "€"), ("utf-7", Array("+AOk-".utf8), "é"), ("UTF-8", [], ""),
    ] as [(String, [UInt8], String)])
  func namedEncoding(name: String, bytes: [UInt8], text: String) throws {
    let options = PlistReadOptions.with { $0.encoding = name }
    let long = Array(repeating: bytes, count: 5000).flatMap(\.self)
    let document = try Plist.read(Data("(\"".utf8 + long + "\")".utf8), options: options)
    #expect(document.value == [.string(String(repeating: text, count: 5000))])
  }

  @Test("A byte-order mark decides, and what is not valid in the encoding has its place")
  func namedEncodingErrors() throws {
    var options = PlistReadOptions.with { $0.encoding = "SHIFT_JIS" }
    #expect(try Plist.read(Data("\u{FEFF}(\"é\")".utf8), options: options).value == ["é"])
    let error = #expect(throws: PlistError.self) {
      try Plist.read(Data("(\n\"a".utf8 + [0x93] + "\")".utf8), options: options)
    }
    #expect(error?.kind == .malformedText)
    #expect(error?.location == .line(2, column: 3))
    options.encoding = "KLINGON"
    let unknown = #expect(throws: PlistError.self) {
      try Plist.read(Data("(a)".utf8), options: options)
    }
    #expect(unknown?.description == "the encoding KLINGON is unknown; iconv -l lists all")
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
