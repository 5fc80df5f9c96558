import Foundation
import Testing

@testable import PropertyList

@Suite("What is odd is read with a warning")
struct WarningTests {
  private func warnings(
    _ text: String, options: PlistReadOptions = PlistReadOptions()
  ) throws -> [String] {
    try Plist.read(Data(text.utf8), options: options).warnings.map(\.description)
  }

  // MARK: XML

  @Test(
    "The first control character of an XML document is named with its place",
    arguments: [
      ("<string>a\u{1B}b\u{7}</string>", "line 2 column 10", "U+001B", ""),
      ("<string>a&#7;</string>", "line 2 column 10", "U+0007", ""),
      ("<string>&lt;\u{1}</string>", "line 2 column 10", "U+0001", ""),
      ("<array><true/><string>\u{2}</string></array>", "line 2 column 23", "U+0002", "1"),
      ("<dict><key>k\u{3}</key><true/></dict>", "line 2 column 13", "U+0003", #"k\u{3}"#),
      ("<dict><key>k</key><string>\u{4}</string></dict>", "line 2 column 27", "U+0004", "k"),
    ])
  func controlCharacter(
    element: String, place: String, character: String, path: String
  ) throws {
    let warning = "\(place): XML does not allow the character \(character)"
    #expect(
      try warnings("<plist>\n\(element)</plist>")
        == [warning + (path.isEmpty ? "" : " (key path \(path))")])
  }

  @Test(
    "What Apple's readers accept before the root element is accepted",
    arguments: [
      (
        "<!-- a -->\n<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist><true/></plist>",
        ["line 2 column 1: the XML declaration is not at the start of the document"]
      ),
      (
        "<?pi x?> <!-- é -->\n<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- é --><plist><true/></plist>",
        ["line 2 column 1: the XML declaration is not at the start of the document"]
      ),
      (
        "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd>\n<plist><true/></plist>",
        ["line 2 column 1: the DOCTYPE lacks a quote, and is ignored"]
      ),
      (
        "<!-- a --><?xml version=\"1.0\"?><!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN><plist><true/></plist>",
        [
          "line 1 column 11: the XML declaration is not at the start of the document",
          "line 1 column 32: the DOCTYPE lacks a quote, and is ignored",
        ]
      ),
      ("<!-- a --><!DOCTYPE plist SYSTEM \"a>b\"><plist><true/></plist>", []),
    ])
  func prolog(text: String, expected: [String]) throws {
    #expect(try warnings(text) == expected)
    var document = try EditedPlistDocument(Data(text.utf8))
    try document.replace(at: PlistKeyPath(), with: false)
    #expect(
      String(decoding: document.data, as: UTF8.self) == text.replacing("<true/>", with: "<false/>"))
  }

  @Test("White space and characters that XML allows are no reason for a warning")
  func allowedCharacters() throws {
    #expect(try warnings("<plist><string>\t\r\n&#13;&#9;\u{7F}\u{85}</string></plist>") == [])
  }

  @Test("Control characters can be written to XML, and read back")
  func controlCharactersAreWritten() throws {
    let value: PlistValue = ["a\u{1}": "b\u{1F}\u{7}<\u{B}", "c": "\t\n"]
    var options = PlistWriteOptions()
    #expect(
      writeError(value, as: .xml, options: options)
        == #"XML cannot represent the character U+0001 (key path a\u{1})"#)
    options.allowsControlCharacters = true
    let data = try Plist.write(value, as: .xml, options: options)
    #expect(data.contains(0x1F) && data.contains(1))
    #expect(try Plist.read(data).value == value)
    for character in ["\0", "\u{FFFE}", "\u{FFFF}"] {
      #expect(writeError(.string(character), as: .xml, options: options) != nil)
    }
  }

  @Test(
    "A real that is too small for a double is zero with a warning",
    arguments: [
      ("<plist><array><real>1e-999</real><real>0e-999</real></array></plist>", "column 21", "0"),
      ("[0.0, -1e-400]", "column 7", "1"),
      ("(<*R0.5>, <*R1e-999>)", "column 11", "1"),
    ])
  func underflow(text: String, column: String, path: String) throws {
    let options = PlistReadOptions.with { $0.allowsTypedValues = true }
    #expect(
      try warnings(text, options: options) == [
        "line 1 \(column): the real is too small for a double and is read as 0 (key path \(path))"
      ])
  }

  // MARK: Data

  @Test(
    "Data that is not quite base64 is refused at its place, or read without what is wrong in it",
    arguments: [
      ("TGFy*ZGVy", 12, "Larder"), ("TGFyZGV\n -y", 4, "Larder"), ("TGFyZGU", 15, "Larde"),
      ("TGFyZA=", 15, "Lard"), ("TGFyZA==TGFy", 16, "LardLar"), ("=TGFy", 8, "Lar"),
      ("TGFyZ", 13, "Lar"), ("é", 8, ""), ("*", 8, ""), ("TGFy====", 12, "Lar"),
    ])
  func base64(text: String, column: Int, data: String) throws {
    let document = "<plist><array>\n <data>\(text)</data></array></plist>"
    let line = text.contains("\n") ? 3 : 2
    let column = line == 3 ? 2 : column
    let place = "line \(line) column \(column): "
    #expect(
      readError(document)
        == place + "the data is malformed; expected base64 with padding (key path 0)")
    let options = PlistReadOptions.with { $0.allowsMalformedBase64 = true }
    let read = try Plist.read(Data(document.utf8), options: options)
    #expect(
      read.warnings.map(\.description) == [
        place + "the data is not valid base64; other characters are ignored, and missing padding "
          + "is added (key path 0)"
      ])
    #expect(read.value["0"] == .data(Data(data.utf8)))
  }

  @Test("References in lenient base64 are what they stand for")
  func base64References() throws {
    let options = PlistReadOptions.with { $0.allowsMalformedBase64 = true }
    let document = try Plist.read(
      Data("<plist><data>TGF&#121;&#10;ZGVy</data></plist>".utf8), options: options)
    #expect(
      document == PlistDocument(value: .data(Data("Larder".utf8)), format: .xml, warnings: []))
  }

  // MARK: Binary

  @Test(
    "A key that is wrongly marked as ASCII is read as what it is",
    arguments: ["marked-ascii.iso-8859-1", "marked-ascii.utf-8"])
  func markedASCII(name: String) throws {
    let fixture = try #require(
      FixtureIndex.wellFormed.first { $0.name == name + ".plist" })
    let data = try fixture.data()
    #expect(
      try PlistDecoder().decode([String: PlistValue].self, from: data)
        == ["café": "naïv", "plain": true])
  }

  // MARK: Other documents

  @Test(
    "What is no property list is named",
    arguments: [
      ([0x30, 0x82, 1, 0, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0xD, 1, 7, 2], .signedMessage),
      ([0x30, 0x80, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0xD, 1, 7, 2], .signedMessage),
      ([0x30, 0x20, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0xD, 1, 7, 2], .signedMessage),
      (Array("\u{4}\u{b}streamtyped\u{81}".utf8), .typedstream),
      (Array("\u{4}\u{b}typedstream\u{81}".utf8), .typedstream),
      (Array("icns\0\0\u{1}\0".utf8), .icon), (Array("PK\u{3}\u{4}\u{14}".utf8), .zip),
      ([0x1F, 0x8B, 8, 0], .gzip), ([0x89, 0x50, 0x4E, 0x47, 0xD, 0xA], .png),
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), (Array("%PDF-1.7\n".utf8), .pdf),
      (Array("SQLite format 3\0".utf8), .sqlite), ([0x7F, 0x45, 0x4C, 0x46, 2], .elf),
      ([0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1], .machO),
      ([0xFE, 0xED, 0xFA, 0xCE, 0, 0, 0, 7], .machO),
      ([0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 2], .machO),
    ] as [([UInt8], PlistError.ForeignFormat)])
  func foreignFormat(bytes: [UInt8], format: PlistError.ForeignFormat) {
    #expect(readError(Data(bytes)) == "this is \(format), not a property list")
    #expect(readError(Data(bytes), as: .xml) == "this is \(format), not a property list")
  }

  @Test("A Java class, and what only begins like another format, have an ordinary error")
  func notForeign() throws {
    let java: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 0x41]
    #expect(readError(Data(java))?.contains("not valid in its encoding") == true)
    #expect(try Plist.read(Data("icns".utf8)).value == "icns")
  }

  @Test(
    "The conflict of a version control system is named with its line",
    arguments: [
      ("<plist><dict>\n<<<<<<< HEAD\n<key>a</key>\n=======\n>>>>>>> b\n</dict></plist>", 2),
      ("{\n  a = b;\n<<<<<<< HEAD\n  c = d;\n=======\n  c = e;\n>>>>>>> b\n}\n", 3),
      ("<<<<<<< HEAD\n[1]\n=======\n[2]\n>>>>>>> b\n", 1),
    ])
  func conflict(text: String, line: Int) {
    #expect(
      readError(text)
        == "line \(line) column 1: found a conflict marker; resolve the merge conflict first")
  }

  @Test("Text that only looks like a conflict is no conflict")
  func noConflict() {
    #expect(readError("{ a = \"\n<<<<<<< b\n\" }") == "line 3 column 3: expected ;")
  }
}
