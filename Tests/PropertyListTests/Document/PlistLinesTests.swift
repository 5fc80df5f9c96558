import Foundation
import Testing

@testable import PropertyList

@Suite("Lines of values")
struct PlistLinesTests {
  private func lines(_ text: String) throws -> (PlistLines, PlistValue) {
    let options = PlistReadOptions.with { $0.recordsLines = true }
    let document = try Plist.read(Data(text.utf8), options: options)
    return (try #require(document.lines), document.value)
  }

  static let documents = [
    "<plist>\n<dict>\n<key>a</key>\n\n<array>\n<string>\nx</string>\n<true/></array>\n<key>a\nb</key><dict/>\n</dict></plist>",
    "{\n\"c\": 1,\n\"a\":\n\n[\n\n\"x\",\n\ntrue], \"a\\nb\": {}}",
  ]

  @Test("are those of the keys in dictionaries, and of the values in arrays")
  func lines() throws {
    let (xml, root) = try lines(Self.documents[0])
    #expect(xml.line(at: [], in: root) == 2)
    #expect(xml.line(at: ["a"], in: root) == 3)
    #expect(xml.line(at: ["a", "0"], in: root) == 6)
    #expect(xml.line(at: ["a", "1"], in: root) == 8)
    #expect(xml.line(at: ["a\nb"], in: root) == 9)
    #expect(xml.lastLine == 9)
    let (json, value) = try lines(Self.documents[1])
    #expect(json.line(at: ["a"], in: value) == 3)
    #expect(json.line(at: ["a", "0"], in: value) == 7)
    #expect(json.line(at: ["a", "1"], in: value) == 9)
    #expect(json.line(at: ["a\nb"], in: value) == 9)
  }

  @Test("do not exist where there is no value")
  func missing() throws {
    let (lines, root) = try lines("[1, {}]")
    for path in [["2"], ["1", "a"], ["0", "0"], ["x"]] {
      #expect(lines.line(at: path, in: root) == nil)
    }
  }

  @Test("follow a repeated key to its last value")
  func duplicates() throws {
    let (lines, root) = try lines("{\n\"a\": {\"x\": 1},\n\"b\": 2,\n\"a\": {\n\"y\": 3}}")
    #expect(lines.line(at: ["a"], in: root) == 4)
    #expect(lines.line(at: ["a", "y"], in: root) == 5)
    #expect(lines.line(at: ["b"], in: root) == 3)
  }

  @Test("are only recorded on demand, and by formats that have them")
  func others() throws {
    #expect(try Plist.read(Data("[1]".utf8)).lines == nil)
    let options = PlistReadOptions.with { $0.recordsLines = true }
    #expect(try Plist.read(Plist.write([1], as: .binary), options: options).lines == nil)
    #expect(try Plist.read(Data("/* none */".utf8), options: options).lines == nil)
  }
}
