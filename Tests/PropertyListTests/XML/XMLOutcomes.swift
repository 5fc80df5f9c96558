import Foundation
import Glibc
import PropertyList
import TestSupport
import Testing

/// Writes the outcomes of documents, for a comparison between versions of libxml2: the value, or
/// the kind and the line of the error, and the warnings.
@Suite("Outcomes of reading XML")
struct XMLOutcomes {
  /// The file that they are written to.
  static let path = ProcessInfo.processInfo.environment["LARDER_XML_OUTCOMES"]

  @Test(
    "are written",
    .enabled(
      if: XMLOutcomes.path != nil, "make test-libxml2 compares them between versions of libxml2"))
  func write() throws {
    var lines = ["libxml2 \(Self.libraryVersion ?? "unknown")"]
    for fixture in FixtureIndex.fixtures where fixture.format == .xml {
      let data = try fixture.data()
      lines.append("\(fixture.testDescription)\t\(Self.outcome(of: data))")
      for (index, document) in Self.damaged(data).enumerated() {
        lines.append("\(fixture.testDescription) \(index)\t\(Self.outcome(of: document))")
      }
    }
    for (index, document) in Self.madeUp.enumerated() {
      lines.append("made up \(index)\t\(Self.outcome(of: document))")
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(
      to: URL(fileURLWithPath: try #require(Self.path)))
  }

  /// The version of the libxml2 that is used, such as `20914`.
  private static var libraryVersion: String? {
    guard let symbol = dlsym(nil, "xmlParserVersion") else { return nil }
    return symbol.load(as: UnsafePointer<CChar>?.self).map { String(cString: $0) }
  }

  // MARK: Documents

  /// A fixture cut off and with bits flipped in many places, and with markup inserted in some.
  private static func damaged(_ data: Data) -> [Data] {
    // Of a long fixture, only some places are damaged.
    let step = max(1, data.count / 400)
    var generator = SeededGenerator(seed: UInt64(data.count))
    var documents: [Data] = []
    for position in stride(from: 0, to: data.count, by: step) {
      documents.append(data.prefix(position))
      var flipped = data
      flipped[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      documents.append(flipped)
      var inserted = data
      let piece = pieces.randomElement(using: &generator) ?? ""
      inserted.insert(contentsOf: piece.utf8, at: position)
      documents.append(inserted)
    }
    return documents
  }

  /// Pieces of markup, references and characters that readers treat specially.
  private static let pieces = [
    "<", ">", "&", "/", "\"", "'", "=", "\0", "\u{1}", "\u{7F}", "\r", "\r\n", "\n", "\t", " ", "é",
    "\u{FFFF}", "\u{FEFF}", "😀", "]]>", "<![CDATA[", "<![CDATA[]]>", "<![CDATA[a]]>", "<!--",
    "<!-- a -->", "<!---->", "<!--->", "-->", "--", "<?a?>", "<?a b?>", "<?", "?>", "<?xml?>",
    "<?xml version='1.0'?>", "<!DOCTYPE plist>", "<!DOCTYPE", "[", "<!ENTITY a 'b'>", "&amp;",
    "&lt;",
    "&nbsp;", "&a", "&#7;", "&#0;", "&#32;", "&#xD;", "&#", "&#x110000;", "&#xD800;", "<true/>",
    "<plist>", "</plist>", "<dict>", "</dict>", "<key>", "</key>", "<key/>", "<string>",
    "</string>",
    "<string/>", "<a:b/>", "<a xmlns='b'/>", "<true a='b'/>", "<true a='b' a='c'/>", "<true a/>",
    "<true a=b/>", "<true a='<'/>", "<true a='&b;'/>", "<true é='' ö=''/>", "<true a='", "<é/>",
  ]

  /// Documents of pieces and of pieces between tags.
  private static let madeUp: [Data] = {
    var generator = SeededGenerator(seed: 42)
    var documents = hostile
    for count in 0..<4000 {
      let text = (0...count % 8).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let places = [
        text, "<plist>\(text)</plist>", "<plist><string>\(text)</string></plist>",
        "<plist><dict><key>\(text)</key><true/></dict></plist>",
        "<plist>\n<array><integer>1\(text)</integer></array></plist>",
        "<plist><true/></plist>\(text)", "<?xml version='1.0'\(text)?><plist><true/></plist>",
        "<!DOCTYPE plist\(text)><plist><true/></plist>", "<plist\(text)><true/></plist>",
        "<!DOCTYPE\(text)><plist><true/></plist>",
        "<!DOCTYPE plist PUBLIC \(text) 'a' 'b'><plist><true/></plist>",
        "<!DOCTYPE plist PUBLIC 'a'\(text)'b'><plist><true/></plist>",
        "<!DOCTYPE plist>\(text)<plist><true/></plist>",
        "<plist><true \(text)/></plist>", "<plist><!--\(text)--><true/></plist>",
      ]
      documents.append(Data((places.randomElement(using: &generator) ?? text).utf8))
    }
    return documents
  }()

  /// Documents that are deep, long, or strange in their encoding.
  private static let hostile: [Data] = {
    var documents: [Data] = []
    for depth in [255, 256, 257, 511, 512, 513, 2047, 2048, 2049, 5000] {
      documents.append(HostileInputTests.nestedXML(depth))
      documents.append(Data(String(repeating: "<plist>", count: depth).utf8))
    }
    for length in [
      249, 251, 3999, 4000, 4001, 32_000, 65_000, 65_535, 65_536, 65_537, 70_000, 200_000,
    ] {
      let long = String(repeating: "x", count: length)
      for text in [
        "<!--\(long)-->", "<?a \(long)?>", "<string><![CDATA[\(long)]]></string>",
        "<string>\(long)</string>", "<string a='\(long)'/>", "<\(long)/>", "<string \(long)='a'/>",
        "<true></true\(long.replacing("x", with: " "))>", long.replacing("x", with: "\n"),
        "<string>\(long.replacing("x", with: "\u{7}"))</string>",
        "<string>\(long.replacing("x", with: "&#7;"))</string>",
        "<string>\(long.replacing("x", with: "&amp;"))", "<!--\(long)", "<string>\(long)",
        "<string \(long.replacing("x", with: "a='b' "))/>",
      ] {
        documents.append(Data("<plist><array>\(text)<true/></array></plist>".utf8))
      }
    }
    let text = "<plist><string>é\u{7}&#13;\r\n</string></plist>"
    for name in [
      "UTF-8", "utf8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "US-ASCII", "ISO-8859-1",
      "windows-1252", "Shift_JIS", "x", "", " UTF-8", "UTF-8 ",
    ] {
      let declared = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n" + text
      for encoding in [
        String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian,
        .utf32BigEndian, .isoLatin1, .windowsCP1252,
      ] {
        guard let data = declared.data(using: encoding) else { continue }
        documents.append(data)
        guard let mark = "\u{FEFF}".data(using: encoding) else { continue }
        documents += [mark + data, data + data.suffix(1), mark + data.dropLast(1)]
      }
      for byte in 0x80...0xFF as ClosedRange<UInt8> {
        let data = Data("<?xml version='1.0' encoding='\(name)'?><plist><string>".utf8)
        documents.append(data + [byte] + Data("</string></plist>".utf8))
      }
    }
    return documents
  }()

  // MARK: Outcomes

  private static func outcome(of data: Data) -> String {
    do throws(PlistError) {
      let document = try Plist.read(data, as: .xml)
      // Binary holds whatever XML does.
      let value = try Plist.write(document.value, as: .binary)
      let warnings = document.warnings.map { "\($0.kind) \(line($0.location))" }
      return (["value \(digest(value))"] + warnings).joined(separator: ", ")
    } catch {
      return "\(error.kind) \(line(error.location))".onOneLine
    }
  }

  private static func line(_ location: PlistError.Location?) -> String {
    guard case .line(let line, _) = location else { return "without a line" }
    return "in line \(line)"
  }

  /// A number of 64 bits by the bytes (FNV-1a).
  private static func digest(_ data: Data) -> String {
    String(
      data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 },
      radix: 16)
  }
}
