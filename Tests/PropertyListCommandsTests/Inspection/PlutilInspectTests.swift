import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -inspect")
struct PlutilInspectTests {
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
  }

  /// The page of a command line, which prints nothing else.
  private func page(
    _ line: String, error: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> InspectedPage {
    let words = ["-inspect"] + line.split(separator: " ").map(String.init)
    let run = try Plutil.run(words, in: fixture.folder)
    #expect(run.error == error, sourceLocation: sourceLocation)
    #expect(run.status == 0, sourceLocation: sourceLocation)
    return InspectedPage(run.output)
  }

  @Test("has the values of a file with their types, keys, texts and lines")
  func file() throws {
    let page = try page("sample.plist")
    #expect(page.html.hasPrefix("<!DOCTYPE html>\n"))
    #expect(page.html.contains("<title>sample.plist</title>"))
    #expect(page.names == ["sample.plist"])
    #expect(page.entries[0]["summary"] as? String == "XML")
    #expect(page.document()["kind"] as? String == "file")
    let facts = try #require(page.document()["facts"] as? [[String]])
    #expect(facts.first == ["format", "XML, UTF-8"])
    #expect(facts.map(\.[0]) == ["format", "size", "values", "keys", "depth", "dates", "largest"])
    let tree = page.tree()
    #expect(tree["types"] as? String == "dixadstrD")
    #expect(tree["keys"] as? [String] == ["count", "data", "list", "a.b", "ratio", "when"])
    #expect(tree["names"] as? [Int] == [-1, 0, 1, 2, -1, 3, -1, 4, 5])
    #expect(tree["counts"] as? [Int] == [5, 2, 1])
    #expect(tree["texts"] as? [String] == ["-5", "AQIDBA==", "deep", "2.5", "725857445.0"])
    #expect(tree["lines"] as? [Int] == [4, 5, 7, 11, 13, 14, 17, 19, 21])
    #expect(page.document()["error"] == nil)
    #expect(page.document()["bytes"] == nil)
  }

  @Test("has the bytes of a binary file, and what nothing refers to")
  func binary() throws {
    let objects: [UInt8] = [0xD1, 1, 2, 0x51, 0x61, 0x51, 0x62, 0xEE, 0xEE, 0x10, 5]
    let trailer: [UInt8] =
      [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 4] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 19]
    let table: [UInt8] = [8, 11, 13, 17]
    let data = Data("bplist00".utf8) + Data(objects + table + trailer)
    try fixture.folder.write(data, to: "binary")
    let page = try page("binary")
    #expect(page.tree()["objects"] as? [Int] == [0, 2])
    #expect(page.tree()["keyObjects"] as? [Int] == [-1, 1])
    let bytes = try #require(page.document()["bytes"] as? [String: Any])
    #expect(bytes["base64"] as? String == data.base64EncodedString())
    #expect(bytes["offsets"] as? [Int] == [8, 11, 13, 17])
    #expect(bytes["ends"] as? [Int] == [11, 13, 15, 19])
    #expect(bytes["markers"] as? [Int] == [0xD1, 0x51, 0x51, 0x10])
    #expect(bytes["unreachable"] as? [Int] == [3])
    #expect(bytes["gaps"] as? [[Int]] == [[15, 17]])
    #expect(bytes["table"] as? Int == 19)
    #expect(bytes["top"] as? Int == 0)
  }

  @Test("has warnings with their places")
  func warnings() throws {
    try fixture.folder.write(
      "<plist><dict><key>a</key><array><dict><key>b</key><true/>\n<key>b</key><true/></dict></array></dict></plist>",
      to: "odd")
    let page = try page("odd")
    #expect(page.entries[0]["warnings"] as? Int == 1)
    let warning = try #require((page.document()["warnings"] as? [[String: Any]])?.first)
    #expect(warning["message"] as? String == "the key appears more than once; the last value wins")
    #expect(warning["path"] as? [String] == ["a", "0", "b"])
    #expect(warning["line"] as? Int == 2)
    #expect(warning["column"] as? Int == 1)
  }

  @Test("shows a file that is not valid as text, with the error at its place")
  func invalidText() throws {
    let text = "<plist>\n<array>\n<integer>five</integer>\n</array></plist>"
    try fixture.folder.write(text, to: "bad.plist")
    let page = try page(
      "bad.plist",
      error:
        "bad.plist: warning: line 3 column 10: not an integer; expected digits, or 0x and hexadecimal digits (key path 0)\n"
    )
    #expect(page.entries[0]["hasError"] as? Bool == true)
    let error = try #require(page.document()["error"] as? [String: Any])
    #expect(error["line"] as? Int == 3)
    #expect(error["column"] as? Int == 10)
    #expect(error["path"] as? [String] == ["0"])
    let source = try #require(page.document()["source"] as? [String: Any])
    #expect(source["isText"] as? Bool == true)
    #expect(source["start"] as? Int == 0)
    #expect(source["line"] as? Int == 1)
    #expect(source["base64"] as? String == Data(text.utf8).base64EncodedString())
    #expect(page.document()["tree"] == nil)
  }

  @Test("shows a part of a large file that is not valid, around the error")
  func invalidLargeText() throws {
    let line = String(repeating: "x", count: 99) + "\n"
    let text =
      "<plist><array><string>\n" + String(repeating: line, count: 30_000)
      + "</string><integer>five</integer></array></plist>"
      + String(repeating: "\n", count: 2_000_000)
    try fixture.folder.write(text, to: "bad.plist")
    let run = try Plutil.run(["-inspect", "bad.plist"], in: fixture.folder)
    #expect(run.status == 0)
    let page = InspectedPage(run.output)
    let source = try #require(page.document()["source"] as? [String: Any])
    let start = try #require(source["start"] as? Int)
    let first = try #require(source["line"] as? Int)
    #expect(start == 23 + (first - 2) * 100)
    let base64 = try #require(source["base64"] as? String)
    let part = try #require(Data(base64Encoded: base64))
    #expect(part.count <= 1 << 20)
    #expect(part.elementsEqual(Data(text.utf8).dropFirst(start).prefix(part.count)))
    #expect(String(decoding: part, as: UTF8.self).contains("<integer>five"))
    #expect(source["size"] as? Int == text.utf8.count)
  }

  @Test("shows a damaged binary file as bytes")
  func invalidBytes() throws {
    let data = Data("bplist00".utf8) + Data(repeating: 0xFF, count: 60)
    try fixture.folder.write(data, to: "bad.plist")
    let run = try Plutil.run(["-inspect", "bad.plist"], in: fixture.folder)
    #expect(run.error.hasPrefix("bad.plist: warning: byte "))
    let page = InspectedPage(run.output)
    let error = try #require(page.document()["error"] as? [String: Any])
    #expect(error["byte"] as? Int == 42)
    let source = try #require(page.document()["source"] as? [String: Any])
    #expect(source["isText"] as? Bool == false)
    #expect(source["base64"] as? String == data.base64EncodedString())
  }

  @Test("has the objects of a keyed archive")
  func archive() throws {
    let archive: PlistValue = [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)],
      "$objects": [
        "$null",
        ["$class": .uid(4), "name": .uid(2), "self": .uid(1), "lost": .uid(9), "url": .uid(5)],
        "Ada", "unused", ["$classname": "Person", "$classes": ["Person", "NSObject"]],
        ["$class": .uid(6), "NS.base": .uid(0), "NS.relative": .uid(7)],
        ["$classname": "NSURL", "$classes": ["NSURL"]], "https://example.org",
      ],
    ]
    try fixture.folder.write(try Plist.write(archive, as: .binary), to: "archive")
    let page = try page("archive")
    #expect(page.entries[0]["summary"] as? String == "archive of class Person")
    let graph = page.tree("graph")
    let types = try #require(graph["types"] as? String)
    #expect(types.hasPrefix("do"))
    #expect(types.sorted() == "doRmsT".sorted())
    let texts = try #require(graph["texts"] as? [String])
    #expect(Set(texts) == ["1 Person", "9", "1 Person", "NSURL https://example.org", "Ada"])
    #expect((page.tree()["types"] as? String)?.hasPrefix("d") == true)
  }

  @Test("reads what is inside of another format, with a note")
  func envelope() throws {
    let list = try Plist.write(["Name": "Profile"], as: .xml)
    try fixture.folder.write(
      EnvelopeFixture.machO(list), to: "program")
    let page = try page("program")
    let facts = try #require(page.document()["facts"] as? [[String]])
    #expect(facts.contains { $0[0] == "note" && $0[1].contains("inside a Mach-O file") })
    #expect(page.tree()["texts"] as? [String] == ["Profile"])
  }

  @Test("has the property lists in folders")
  func folder() throws {
    try fixture.folder.makeFolder("folder/inner")
    for name in ["folder/b.plist", "folder/inner/a.strings", "folder/c.txt"] {
      try fixture.folder.write("key = value;", to: name)
    }
    let page = try page("folder sample.plist")
    #expect(page.names == ["folder/b.plist", "folder/inner/a.strings", "sample.plist"])
    #expect(page.entries[1]["summary"] as? String == "strings table of 1 string")
    #expect(page.html.contains("<title>2 files and folders</title>"))
    #expect(page.tree(ofDocument: 2)["types"] as? String == "dixadstrD")
    try fixture.folder.makeFolder("other")
    try fixture.folder.write("no list", to: "other/file.txt")
    try fixture.expect(
      "-inspect other", error: "other: no property lists found\n", status: 1)
  }

  @Test("has what can be read, and reports the rest")
  func missing() throws {
    let run = try Plutil.run(["-inspect", "missing", "sample.plist"], in: fixture.folder)
    #expect(
      run.error
        == "missing: file does not exist or is not readable or is not a regular file "
        + "(No such file or directory)\n")
    #expect(run.status == 1)
    #expect(InspectedPage(run.output).names == ["sample.plist"])
    try fixture.expect(
      "-inspect -o page.html missing",
      error: "missing: file does not exist or is not readable or is not a regular file "
        + "(No such file or directory)\n", status: 1)
    #expect(try fixture.folder.names() == ["sample.plist"])
  }

  @Test("keeps hostile names and values inside of its JSON")
  func hostile() throws {
    let evil = "</script><script>run()</script><img src=x onerror=run()>"
    let name = "a<img src=x onerror=run()>\u{202E}.plist"
    try fixture.folder.write(try Plist.write([evil: .string(evil)], as: .xml), to: name)
    let run = try Plutil.run(["-inspect", name], in: fixture.folder)
    #expect(run.status == 0)
    let page = InspectedPage(run.output)
    #expect(page.names == [name])
    #expect(page.tree()["texts"] as? [String] == [evil])
    #expect(!page.html.contains("<img"))
    #expect(page.html.components(separatedBy: "<script").count == 4)
    #expect(page.html.components(separatedBy: "</script").count == 4)
  }

  @Test("reads standard input")
  func standardInput() throws {
    let run = try Plutil.run(["-inspect", "-"], in: fixture.folder, input: Data("{a = b;}".utf8))
    #expect(run.status == 0)
    #expect(InspectedPage(run.output).names == ["<stdin>"])
  }
}
