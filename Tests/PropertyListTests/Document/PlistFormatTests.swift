import Foundation
import PropertyList
import Testing

@Suite("The format of a document")
struct PlistFormatTests {
  static let documents: [(String, PlistFormat)] = [
    ("bplist00", .binary), ("bplist16", .binary), ("<?xml", .xml), ("<plist>", .xml),
    ("<dict/>", .xml),
    ("<!DOCTYPE", .xml), ("<!-- -->", .xml), (" \n\t<date>", .xml), ("\u{FEFF}<plist>", .xml),
    ("\u{FEFF} <plist>", .xml), ("<html>", .xml), ("<", .xml), ("<data>", .xml),
    ("<0fbd77 1c>", .openStep), ("<>", .openStep), ("< da d0 >", .openStep), ("<dad>", .xml),
    ("<a>", .xml), ("<*I5>", .openStep),
    ("{a=b;}", .openStep), ("(1)", .openStep), ("\"a\"=\"b\";", .openStep), ("hi", .openStep),
    ("// <plist>", .openStep), ("", .openStep), ("bplis", .openStep),
  ]

  @Test("shows in the leading bytes", arguments: documents)
  func detection(text: String, format: PlistFormat) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == format)
  }

  @Test("has a name on the command line that no other has", arguments: PlistFormat.allCases)
  func commandLineName(format: PlistFormat) {
    #expect(PlistFormat(commandLineName: format.commandLineName) == format)
    #expect(PlistFormat(commandLineName: format.commandLineName.uppercased()) == nil)
  }

  @Test("shows in UTF-16 too", arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian])
  func utf16(encoding: String.Encoding) {
    for (text, format) in Self.documents where format != .binary && text.count > 3 {
      let marked = "\u{FEFF}" + text.filter { $0 != "\u{FEFF}" }
      #expect(PlistFormat(detecting: marked.data(using: encoding)!) == format, "\(text)")
    }
    #expect(PlistFormat(detecting: "<?xml?>".data(using: encoding)!) == .xml)
  }

  @Test(
    "is JSON where it could not be OpenStep text",
    arguments: [
      "[", "[1]", " \r\n\t[", "{\"a\":", "{\"a\": 1}", "{ \"a\" \n: x", "{\"\":{}}", "{}",
      " { \n} ",
      "{\"a\\\"b\\\\\":1}", "{\"= \\\" ;\" : 1}", "\u{FEFF}[]", "\u{FEFF}{\"é\":1}",
    ])
  func json(text: String) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == .json)
  }

  @Test(
    "is OpenStep text where it could be",
    arguments: [
      "", "{", "{\"a", "{\"a\"", "{\"a\" = 1;}", "{\"a\";}", "{\"a\" /* : */ = b;}", "{a:b=1;}",
      "{a = \":\";}", "{'a': b}", "{/* a */}", "{} // a", "{};", "(", "()", "(\"a\":", "\"a\"",
      "\"a\":1", "\"a\" = b;", "1", "-1.5", "true", "null", "a", "/* [ */", "// {\"a\":1}",
      "{\u{B}}",
      "{\"\\\":\" = 1;}", "<0f>", "< 0f bd >", "<>", "<*I5>",
    ])
  func openStep(text: String) {
    #expect(PlistFormat(detecting: Data(text.utf8)) == .openStep)
  }

  @Test(
    "shows in text of two or four bytes a character", arguments: [2, 4], [true, false])
  func unsupportedUnicodeEncoding(width: Int, bigEndian: Bool) {
    for mark in ["", "\u{FEFF}"] {
      for (text, format) in [
        ("<plist>", .xml), ("<0f>", .openStep), ("[1]", .json), ("{\"∀\":1}", .json),
        ("{\"∀\" = \":\";}", .openStep), ("{\"a∀: = 1;}", .openStep), ("{∢a∢:1}", .openStep),
      ] as [(String, PlistFormat)] {
        let data = WideText.encode(mark + text, width, bigEndian)
        #expect(PlistFormat(detecting: data) == format, "\(text)")
      }
    }
  }

  @Test("is detected from any few bytes without reading past them")
  func noise() {
    let bytes = [
      0x00, 0x20, 0x22, 0x2A, 0x3A, 0x3C, 0x5B, 0x5C, 0x7B, 0x7D, 0xBB, 0xBF, 0xEF, 0xFE,
    ]
    .map { UInt8($0) }
    var counts: [PlistFormat: Int] = [:]
    for first in bytes {
      for second in bytes {
        for third in bytes {
          for length in 0...6 {
            let data = Data([first, second, third, third, second, first].prefix(length))
            counts[PlistFormat(detecting: data), default: 0] += 1
          }
        }
      }
    }
    #expect(counts.keys.map(\.rawValue).sorted() == ["json", "openStep", "xml"])
  }
}
