import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -find")
struct PlutilFindTests {
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
  }

  @Test("finds keys and values with their lines and key paths")
  func hits() throws {
    try fixture.expect(
      "-find a sample.plist",
      output: #"""
        sample.plist:7: data: {length = 4, bytes = 0x01020304}
        sample.plist:14: list.0.a\.b: "deep"
        sample.plist:19: ratio: 2.5

        """#)
    try fixture.expect(
      "-find ^de sample.plist", output: "sample.plist:14: list.0.a\\.b: \"deep\"\n")
    try fixture.expect("-find deep --keys sample.plist", status: 1)
    try fixture.expect("-find count --values sample.plist", status: 1)
    try fixture.expect("-find li --keys sample.plist", output: "sample.plist:11: list: […]\n")
  }

  @Test("finds numbers, dates, and bytes in hexadecimal digits and as text")
  func kinds() throws {
    try fixture.expect("-find ^-5$ sample.plist", output: "sample.plist:5: count: -5\n")
    for pattern in ["2024-01-02T03", "2024-01-02.03"] {
      try fixture.expect(
        words: ["-find", pattern, "sample.plist"],
        output: "sample.plist:21: when: 2024-01-02 03:04:05 +0000\n")
    }
    try fixture.expect(
      "-find 0203 sample.plist",
      output: "sample.plist:7: data: {length = 4, bytes = 0x01020304}\n")
    let value: PlistValue = ["d": .data(Data("Grüße".utf8)), "u": .uid(77), "s": .set([5])]
    try fixture.folder.write(Plist.write(value, as: .binary), to: "b.plist")
    try fixture.expect(
      "-find Grüße b.plist", output: "b.plist: d: {length = 7, bytes = 0x4772c3bcc39f65}\n")
    try fixture.expect(
      "-find ^77$ b.plist", output: "b.plist: u: <CFKeyedArchiverUID>{value = 77}\n")
  }

  @Test("finds values of a type only")
  func types() throws {
    try fixture.expect(
      words: ["-find", "", "--type", "bool", "sample.plist"],
      output: "sample.plist:17: list.1: true\n")
    try fixture.expect(
      words: ["-find", "", "--type", "array", "--type", "array", "sample.plist"],
      error: "plutil: --type was given twice (see plutil -help)\n", status: 2)
    try fixture.expect(
      words: ["-find", "", "--type", "text", "sample.plist"],
      error: """
        plutil: unknown type: text; expected dictionary, array, string, integer, float, bool, date, data, \
        uid, set or null (see plutil -help)

        """, status: 2)
  }

  @Test("knows the lines of all text formats, also where a key is repeated")
  func lines() throws {
    try fixture.folder.write("{\n  \"a\" : [\n    1,\n    {\"x\": 2}\n]\n}", to: "j")
    try fixture.expect("-find [12] j", output: "j:3: a.0: 1\nj:4: a.1.x: 2\n")
    try fixture.folder.write("/* one */\n\"k\" = \"v\";\nl =\n ( v, w\n);", to: "o.strings")
    try fixture.expect(
      "-find . --values o.strings",
      output: "o.strings:2: k: \"v\"\no.strings:4: l.0: \"v\"\no.strings:4: l.1: \"w\"\n")
    try fixture.folder.write("{ a = { b = 1; };\nc = 2;\na =\n { b = 3; }; }", to: "t")
    try fixture.expect(
      "-find . --keys t", output: "t:3: a: {…}\nt:4: a.b: \"3\"\nt:2: c: \"2\"\n")
    try fixture.folder.write(
      Data(
        "\u{FEFF}<plist><array>\n<true/>\n</array></plist>".utf16.flatMap {
          [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }), to: "w.plist")
    try fixture.expect("-find true w.plist", output: "w.plist:2: 0: true\n")
  }

  @Test("prints JSON")
  func json() throws {
    let run = try Plutil.run(
      ["-find", "^(a.b|data|when|list)$", "--json", "sample.plist"], in: fixture.folder)
    let objects = try run.text.split(separator: "\n").map {
      try Plist.read(Data($0.utf8), as: .json).value
    }
    #expect(
      objects == [
        [
          "file": "sample.plist", "line": 7, "keyPath": "data", "type": "data", "value": "AQIDBA==",
        ],
        ["file": "sample.plist", "line": 11, "keyPath": "list", "type": "array"],
        [
          "file": "sample.plist", "line": 14, "keyPath": #"list.0.a\.b"#, "type": "string",
          "value": "deep",
        ],
        [
          "file": "sample.plist", "line": 21, "keyPath": "when", "type": "date",
          "value": "2024-01-02T03:04:05Z",
        ],
      ])
  }

  @Test("reports malformed patterns and files, with 2")
  func failures() throws {
    for (pattern, defect) in [
      ("(a", "( is never closed"), ("[a", "[ is never closed"), ("[", "[ is never closed"),
      ("*", "quantifier '*' must appear after expression"),
    ] {
      try fixture.expect(
        words: ["-find", pattern, "sample.plist"],
        error: "plutil: invalid regular expression \(pattern): \(defect) (see plutil -help)\n",
        status: 2)
    }
    try fixture.expect(
      "-find a --keys --values sample.plist",
      error: "plutil: --keys and --values cannot be used together (see plutil -help)\n", status: 2)
    try fixture.folder.write("[", to: "bad")
    try fixture.expect(
      "-find -5 bad sample.plist", output: "sample.plist:5: count: -5\n",
      error: "bad: line 1 column 1: the array is not closed (key path 0)\n", status: 2)
  }

  @Test("takes the pattern first")
  func order() throws {
    try fixture.expect(
      "-find --keys a sample.plist",
      error:
        "plutil: -find takes the pattern first, as in -find text --keys (see plutil -help)\n",
      status: 2)
  }

  @Test("shows hits in color on a terminal")
  func colors() throws {
    let terminal = try PseudoTerminal(
      Plutil.program.path, ["-find", "count", "sample.plist"], in: fixture.folder,
      environment: ["TERM": "xterm", "NO_COLOR": ""])
    try terminal.expect("\u{1B}[1msample.plist\u{1B}[0m:5: \u{1B}[34mcount\u{1B}[0m: \u{1B}[36m-5")
    _ = try terminal.exitStatus()
  }
}
