import Foundation
import Testing

@testable import PropertyList

@Suite("Places of values")
struct DocumentIndexTests {
  /// Describes each entry of a document in a line: its path of positions, key, value and contents.
  private func places(_ text: String, as format: PlistFormat) throws -> [String] {
    let options = PlistReadOptions.with { $0.recordsIndex = true }
    let read = try Plist.readText(Data(text.utf8), as: format, options: options)
    let indexed = try #require(read.indexed)
    #expect(indexed.bytes == Array(text.utf8))
    func slice(_ range: Range<Int>) -> String {
      String(decoding: indexed.bytes[range], as: UTF8.self)
    }
    var open: [DocumentIndex.Entry] = []
    var places: [String] = []
    for (number, entry) in indexed.index.entries.enumerated() {
      while let last = open.last, last.next <= number { open.removeLast() }
      let path = open.dropFirst().map { "\($0.position)." }.joined()
      open.append(entry)
      let key = entry.hasKey ? " \(slice(entry.start..<entry.keyEnd))" : ""
      let contents = entry.contents.map { " [\(slice($0))]" } ?? ""
      places.append("\(path)\(entry.position)\(key) <\(slice(entry.value))>\(contents)")
    }
    return places + indexed.index.comments.map { "comment \(slice($0))" }
  }

  @Test("are those of elements in XML")
  func xml() throws {
    let text = """
      <plist><dict><!-- one --><key>a</key> <string  x="1">b&amp;<![CDATA[c]]></string>
      <key ><![CDATA[</key>]]></key ><array><true/><!--two--><false></false ><dict /></array>
      <key>a</key><data>AQ==</data><?pi?></dict></plist>
      """
    #expect(
      try places(text, as: .xml) == [
        "0 <\(text.dropFirst(7).dropLast(8))> [\(text.dropFirst(13).dropLast(15))]",
        "0 <key>a</key> <<string  x=\"1\">b&amp;<![CDATA[c]]></string>>",
        "1 <key ><![CDATA[</key>]]></key > <<array><true/><!--two--><false></false ><dict /></array>>"
          + " [<true/><!--two--><false></false ><dict />]",
        "1.0 <<true/>>", "1.1 <<false></false >>", "1.2 <<dict />> []",
        "0 <key>a</key> <<data>AQ==</data>>", "comment <!-- one -->", "comment <!--two-->",
      ])
  }

  @Test("are those of values in JSON")
  func json() throws {
    #expect(
      try places(#" {"a" : [1, "x", {}], "b":-2.5e1,"a":null} "#, as: .json) == [
        #"0 <{"a" : [1, "x", {}], "b":-2.5e1,"a":null}> ["a" : [1, "x", {}], "b":-2.5e1,"a":null]"#,
        #"0 "a" <[1, "x", {}]> [1, "x", {}]"#, "0.0 <1>", #"0.1 <"x">"#, "0.2 <{}> []",
        #"1 "b" <-2.5e1>"#, #"0 "a" <null>"#,
      ])
    #expect(try places("5", as: .json) == ["0 <5>"])
  }

  @Test("are those of values in OpenStep text")
  func openStep() throws {
    #expect(
      try places("// one\n{ a = (b, <01 02>, ); /* two */ 'c d' = \"\\\"\"; e; }", as: .openStep)
        == [
          "0 <{ a = (b, <01 02>, ); /* two */ 'c d' = \"\\\"\"; e; }>"
            + " [ a = (b, <01 02>, ); /* two */ 'c d' = \"\\\"\"; e; ]",
          "0 a <(b, <01 02>, )> [b, <01 02>, ]", "0.0 <b>", "0.1 <<01 02>>", "1 'c d' <\"\\\"\">",
          "2 e <>", "comment // one", "comment /* two */",
        ])
    #expect(
      try places("/* c */\n\"a\" = \"b\";\n", as: .openStep) == [
        "0 <\"a\" = \"b\";\n> [/* c */\n\"a\" = \"b\";\n]", "0 \"a\" <\"b\">", "comment /* c */",
      ])
    #expect(try places("word", as: .openStep) == ["0 <word>"])
    #expect(try places("/* none */ ", as: .openStep) == ["comment /* none */"])
  }
}
