import Foundation
import Testing

@testable import PropertyList

/// Documents that versions of libxml2 treat differently, or did when they read the text
/// of elements themselves.
@Suite("What must not depend on the version of libxml2")
struct XMLLibraryTests {
  /// More errors than libxml2 has reported since version 2.11.
  private static let many = 1000

  /// Strings of control characters, raw and as references, and as XML.
  private static let controlCharacters: (values: [PlistValue], elements: String) = {
    let numbers = (0..<many).map { [7, 1, 2, 8, 11, 12, 14, 27, 31][$0 % 9] }
    return (
      numbers.map { number in
        let character = String(UnicodeScalar(UInt8(number)))
        return .string("a\(character)\(character)b")
      },
      numbers.map { number in
        "<string>a\(UnicodeScalar(UInt8(number)))&#\(number);b</string>\n"
      }.joined()
    )
  }()

  @Test("hundreds of control characters keep their value")
  func manyControlCharacters() throws {
    let document = try read("<plist><array>\(Self.controlCharacters.elements)</array></plist>")
    #expect(document.value == .array(Self.controlCharacters.values))
    #expect(
      document.warnings.map(\.description)
        == ["line 1 column 24: XML does not allow the character U+0007 (key path 0)"])
  }

  @Test("a string of hundreds of control characters keeps them all")
  func longControlCharacters() throws {
    let raw = String(repeating: "\u{7}", count: Self.many)
    let references = String(repeating: "&#7;", count: Self.many)
    #expect(
      try read("<plist><dict><key>\(raw)</key><string>\(references)</string></dict></plist>").value
        == .dictionary([raw: .string(raw)]))
  }

  @Test(
    "what is malformed after hundreds of control characters is refused",
    arguments: [
      ("</dict></plist>", "line 1001 column 1: expected </array>, found </dict>"),
      ("<string>&nbsp;</string></array></plist>", "line 1001 column 9: the entity is not defined"),
      ("<string>]]></string></array></plist>", "line 1001 column 9: ]]> is not allowed in text"),
      ("<string a/></array></plist>", "line 1001 column 10: the attribute is malformed"),
      ("</array></plist>x", "line 1001 column 17: unexpected content after the root element"),
    ] as [(String, String)])
  func malformedAfterControlCharacters(rest: String, error: String) throws {
    let text = "<plist><array>\(Self.controlCharacters.elements)\(rest)"
    #expect(try #require(readError(text)).hasPrefix(error))
  }

  @Test("a document that is cut off after hundreds of control characters is an error, not a trap")
  func truncatedAfterControlCharacters() {
    let text = "<plist><array>\(Self.controlCharacters.elements)"
    #expect(
      readError(text)
        == "line 1001 column 1: expected </array>, found the end of the document (key path 1000)")
    for length in 1...40 {
      #expect(readError(Data(text.utf8.dropLast(length))) != nil)
    }
  }

  @Test("NULs may follow the document, with white space between, and nothing else may")
  func trailingNULs() throws {
    let long = String(repeating: "\0", count: 9000)
    for rest in ["\0", "\0\0\0\0\0", "\n\0", "\0\n", " \0 \n\0\r\n", long] {
      #expect(try read("<plist><true/></plist>" + rest).value == true)
    }
    for rest in ["\0x", "\0<!-- -->", "\0\0<plist/>", "\n\0<?a?>", "\0&#32;"] {
      #expect(
        readError("<plist><true/></plist>" + rest)?.hasSuffix(
          "unexpected content after the root element") == true, "\(rest)")
    }
    #expect(
      readError("<plist><string>a\0\0")
        == "line 1 column 17: expected </string>, found the end of the document")
    #expect(readError("\0\0", as: .xml) == "the document is empty; expected a property list")
  }

  @Test("NUL is refused everywhere else")
  func otherNULs() {
    for (text, column) in [
      ("<plist>\0<true/></plist>", 8), ("<plist><string>a\0b</string></plist>", 17),
      ("<plist><true a='\0'/></plist>", 17), ("<plist><!-- \0 --><true/></plist>", 13),
      ("<plist><?a \0?><true/></plist>", 12), ("<pl\0ist><true/></plist>", 4),
      ("<plist><string><![CDATA[\0]]></string></plist>", 25), ("\0<plist><true/></plist>", 1),
    ] {
      #expect(
        readError(text, as: .xml)
          == "line 1 column \(column): the character is not allowed in XML here", "\(text)")
    }
  }

  @Test(
    "bytes that windows-1252 does not define are refused",
    arguments: [0x81, 0x8D, 0x8F, 0x90, 0x9D] as [UInt8])
  func undefinedBytes(byte: UInt8) {
    let declaration = "<?xml version=\"1.0\" encoding=\"windows-1252\"?>\n<plist><string>a"
    #expect(
      readError(Data(declaration.utf8) + [byte] + Data("</string></plist>".utf8))
        == "line 2 column 17: the bytes are not valid in the document's encoding")
  }

  @Test("all bytes that windows-1252 and ISO-8859-1 define are read")
  func definedBytes() throws {
    for encoding in [String.Encoding.windowsCP1252, .isoLatin1] {
      let name = encoding == .isoLatin1 ? "ISO-8859-1" : "Windows-1252"
      for byte in 0x80...0xFF as ClosedRange<UInt8> {
        guard ![0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte) || encoding == .isoLatin1 else {
          continue
        }
        let declaration = "<?xml version=\"1.0\" encoding=\"\(name)\"?><plist><string>"
        let data = Data(declaration.utf8) + [byte] + Data("</string></plist>".utf8)
        #expect(
          try Plist.read(data).value == .string(#require(String(bytes: [byte], encoding: encoding)))
        )
      }
    }
  }

  @Test("CR and CR LF are kept in keys and strings, and keys that differ in them are two")
  func carriageReturns() throws {
    let text =
      "<plist>\r<dict>\r\n<key>a\rb</key><string>\r</string><key>a\nb</key><string>\r\n</string>"
      + "<key>a\r\nb</key><string><![CDATA[\r\n\r]]>&#13;\r</string></dict>\r</plist>\r\n"
    let document = try read(text)
    #expect(document.value == ["a\rb": "\r", "a\nb": "\r\n", "a\r\nb": "\r\n\r\r\r"])
    #expect(document.warnings == [])
    #expect(try Plist.read(Plist.write(document.value, as: .xml)).value == document.value)
  }

  @Test("lines end with CR, LF or CR LF, as in the other text formats")
  func lines() {
    for lineEnd in ["\n", "\r", "\r\n"] {
      let text = ["<plist>", "<array>", "  <integer>x</integer>", "</array></plist>"]
      #expect(
        readError(text.joined(separator: lineEnd))
          == "line 3 column 12: not an integer; "
          + "expected digits, or 0x and hexadecimal digits (key path 0)")
    }
  }

  @Test("carriage returns within tags are white space")
  func carriageReturnsInTags() throws {
    #expect(
      try read("<plist\rversion='1.0'\r\n><string\r/\u{3E}</plist\r>").value == "")
    #expect(try read("<plist><string\r>\r</string\r\n></plist>").value == "\r")
  }

  @Test("an empty CDATA section is nothing in a string and refused elsewhere")
  func emptySections() throws {
    #expect(try read("<plist><string>a<![CDATA[]]>b<![CDATA[]]></string></plist>").value == "ab")
    for element in ["<integer>1<![CDATA[]]></integer>", "<true><![CDATA[]]></true>"] {
      #expect(readError("<plist>\(element)</plist>")?.contains("CDATA section") == true)
    }
  }

  @Test("XML is read to the depth that every version allows, whatever the limit")
  func depth() {
    let options = PlistReadOptions.with { $0.limits.maximumDepth = 5000 }
    #expect(
      readError(HostileInputTests.nestedXML(2047), options: options)?.hasPrefix(
        "line 1 column 14330: containers are nested deeper than 2046 levels") == true)
  }

  @Test("markup of the greatest length is read wherever it stands, and no longer markup")
  func longMarkup() throws {
    let options = PlistReadOptions.with { $0.limits.maximumMarkupLength = 6000 }
    func markup(_ length: Int) -> [String] {
      let (before, after) = ("<!--", "-->")
      return [
        before + String(repeating: "c", count: length - 7) + after,
        "<?a " + String(repeating: "c", count: length - 6) + "?>",
      ]
    }
    for before in stride(from: 0, through: 8200, by: 41) {
      let filling = "<string>\(String(repeating: "x", count: before))</string>"
      for comment in markup(6000) {
        let text = "<plist><array>\(filling)\(comment)<true/></array></plist>"
        #expect(readError(text, options: options) == nil)
      }
      for comment in markup(6001) {
        let text = "<plist><array>\(filling)\(comment)<true/></array></plist>"
        #expect(
          readError(text, options: options)
            == "line 1 column \(32 + before): "
            + "a tag, comment or CDATA section is longer than 6000 bytes (key path 1)")
      }
    }
  }

  @Test("text of any length is no markup, whatever stands beside it")
  func longTextBesideMarkup() throws {
    let text = String(repeating: "é]]&gt;\r\n", count: 50_000)
    let comment = "<!--\(String(repeating: "-c", count: 20_000)) -->"
    let document = try read(
      "<plist><array>\(comment)<string>\(text)</string>\(comment)<data>\n</data></array></plist>")
    #expect(
      document.value
        == [.string(text.replacingOccurrences(of: "&gt;", with: ">")), .data(Data())])
  }
}
