import Foundation
import Testing

@testable import PropertyList

/// The parser is fed in pieces of 4000 bytes and passes on text in pieces that end there; the value
/// of an element must not depend on it.
@Suite("Text in pieces")
struct XMLTextPiecesTests {
  /// Elements of all kinds, some with references, and their values.
  static let leaves: [(String, PlistValue)] = [
    ("<string>some text</string>", "some text"),
    ("<string>grüße, 日本語 and 😀</string>", "grüße, 日本語 and 😀"),
    ("<string>&lt;a&#x62;&#233;&amp;&#128512;</string>", "<abé&😀"),
    ("<string>a<![CDATA[<b> é]]>c</string>", "a<b> éc"),
    ("<string>a\u{1}é&#2;b</string>", "a\u{1}é\u{2}b"),
    ("<string>a\r\nb\rc</string>", "a\r\nb\rc"),
    ("<integer>-1234567890123</integer>", -1_234_567_890_123),
    ("<integer>&#x31;2&#51;</integer>", 123),
    ("<real>-0.10000000000000001</real>", -0.1),
    ("<real>1&#46;5e&#45;3</real>", 0.0015),
    ("<date>2001-01-01T00:00:07Z</date>", .time(7)),
    ("<date>2001&#45;01-01T00:00:07&#x5A;</date>", .time(7)),
    ("<data>\n\tAAECAw\n\tQFBgc=\n</data>", .data(Data(0..<8))),
    ("<data>AAEC&#65;w&#81;F&#x0A;Bgc&#61;</data>", .data(Data(0..<8))),
    ("<true/>", true), ("<false> </false>", false),
    ("<dict><key>kéy &amp; k</key><array>\n</array></dict>", ["kéy & k": []]),
  ]

  @Test("an element means the same wherever a piece ends within it", arguments: leaves)
  func border(element: String, value: PlistValue) throws {
    let start = "<plist><array><string>"
    for encoding in [String.Encoding.utf8, .utf16LittleEndian] {
      let mark = encoding == .utf8 ? [] : [0xFF, 0xFE] as [UInt8]
      let width = encoding == .utf8 ? 1 : 2
      let length = element.data(using: encoding)!.count / width
      for before in 0...length + 2 {
        let filling = String(repeating: "x", count: 4000 / width - start.utf8.count - before)
        let text = "\(start)\(filling)</string>\(element)<true/></array></plist>"
        let document = try Plist.read(Data(mark) + text.data(using: encoding)!, as: .xml)
        try #require(document.value == [.string(filling), value, true])
        try #require(document.warnings.count == (element.contains("\u{1}") ? 1 : 0))
      }
    }
  }

  @Test(
    "text longer than many pieces is whole",
    arguments: ["x", "é", "日", "😀", "&amp;", "a&#233;"])
  func longText(unit: String) throws {
    let text = String(repeating: unit, count: 30_000)
    let string = text.replacing("&amp;", with: "&").replacing("&#233;", with: "é")
    #expect(
      try read("<plist><array><string>.\(text)</string></array></plist>").value
        == [.string("." + string)])
  }

  @Test("data longer than many pieces is whole")
  func longData() throws {
    let bytes = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let lines = bytes.base64EncodedString(options: .lineLength64Characters)
    #expect(try read("<plist><data>\n\(lines)\n</data></plist>").value == .data(bytes))
  }

  @Test("containers beside each other, of very different sizes, keep what is theirs")
  func sizes() throws {
    let counts = [0, 1, 300, 2, 0, 17, 18, 16, 300, 1]
    let arrays = counts.map { count in PlistValue.array((0..<count).map { .integer(Int64($0)) }) }
    let dictionaries = counts.map { count in
      PlistValue.dictionary(
        PlistDictionary((0..<count).reversed().map { ("key \($0)", .integer(Int64($0))) }))
    }
    let value = PlistValue.array(zip(arrays, dictionaries).map { .array([$0, $1, $0]) })
    let options = PlistWriteOptions.with { $0.keyOrder = .document }
    let data = try Plist.write(value, as: .xml, options: options)
    #expect(try Plist.read(data).value == value)
  }
}
