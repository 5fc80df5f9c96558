import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -set")
struct PlutilSetTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let value: PlistValue = [
    "text": "a \"b\" \\ c\n\u{1b} \u{e9}: 5", "empty": "", "a.b": ["c\\d": 1, "": "x"],
    "k: \"v": "w",
    "k: 1": 2, "line\nbreak": true, "integer": -5, "large": .unsignedInteger(.max), "real": 1.0,
    "small": 1e-10, "infinite": .real(.infinity), "no": false,
    "date": .date(Date(timeIntervalSinceReferenceDate: 700_000_000)),
    "data": .data(Data([0, 1, 0xFE])), "none": .data(Data()), "uid": .uid(7),
    "list": [[], [:], ["x", 0.5], 1], "sub": ["d": [:], "a": []],
  ]

  @Test("makes the same property list of the lines of all values", arguments: ["", "--json"])
  func roundTrip(option: String) throws {
    for value in [Self.value, [1, [2]], ["$null": .null, "s": .set([])]] {
      try folder.write(Plist.write(value, as: .binary), to: "a: 1: b.plist")
      try folder.write(Plist.write(value.kind == .array ? [] : [:], as: .binary), to: "new")
      try Plutil.shell(
        "$PLUTIL -find '' \(option) 'a: 1: b.plist' > lines", in: folder
      ).expect()
      let lines = try folder.text("lines").replacing("a: 1: b.plist: ", with: "a.plist: ")
      try folder.write(lines, to: "lines")
      try Plutil.run(["-set", "lines", "new"], in: folder).expect()
      #expect(try Plist.read(folder.data("new")).value == value)
    }
  }

  @Test("changes what lines say, and nothing else")
  func edits() throws {
    let text = """
      <plist>
      <dict>
      <!-- comment -->
      <key>url</key> <string>http://example.org</string>
      <key>other</key> <string>http</string>
      </dict>
      </plist>

      """
    try folder.write(text, to: "f.plist")
    try Plutil.shell(
      "$PLUTIL -find '' f.plist | sed s/http:/https:/ | $PLUTIL -set - f.plist", in: folder
    ).expect()
    #expect(try folder.text("f.plist") == text.replacing("http:", with: "https:"))
  }

  /// Sets lines in a document, and expects the result.
  private func expect(
    _ lines: String, _ document: String, _ result: String? = nil, error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.expect(
      "-set", lines, in: "lines", on: document, makes: result, error: error, status: status,
      in: folder, sourceLocation: sourceLocation)
  }

  @Test("creates containers, appends elements, and leaves filled containers")
  func containers() throws {
    try expect("x:3: a.0.b: 1", "{}", #"{"a":[{"b":1}]}"#)
    try expect("x: l.1: 2\nx: l.2: 3", #"{"l":[1]}"#, #"{"l":[1,2,3]}"#)
    try expect("x: l: […]\nx: d: {…}", #"{"l": [1], "d": {"a": 1}}"#)
    try expect("x: l: […]", #"{"l": {"a": 1}}"#, #"{"l": []}"#)
    try expect("x: […]\nx: 0: 1", #"{"a": 1}"#, "[1]")
    // The same letters in another normal form are another string.
    try expect("x: a: \"\u{E9}\"", "{\"a\":\"e\u{301}\"}", "{\"a\":\"\u{E9}\"}")
    try expect(
      #"{"file":"x","keyPath":"a","type":"integer","value":5}"#, #"{"a": 1}"#, #"{"a": 5}"#)
  }

  @Test("changes nothing if a line is wrong")
  func failures() throws {
    try expect(
      "x: a: 1\nwrong", "{}", error: "lines: line 2: expected a line that -find prints\n", status: 1
    )
    try expect(
      "x: a: b", "{}", error: "lines: line 1: expected a line that -find prints\n", status: 1)
    try expect(
      "x: a: 1\ny: b: 2", "{}",
      error: "lines: line 2: the line is about another file than line 1\n",
      status: 1)
    try expect(
      "x: a: 1\nx: l.3: 2", #"{"l":[1]}"#,
      error: "f: index 3 is out of range: l has 1 element (line 2 of lines)\n", status: 1)
    try expect(
      "x: l.3: 2", "{}",
      error: "f: there is no l that could have an element 3 (line 1 of lines)\n", status: 1)
    try expect(
      #"{"file":"x","keyPath":"a","type":"date","value":5}"#, "{}",
      error: "lines: line 1: the value is not of the type date\n", status: 1)
    try expect(
      #"{"keyPath":"a"}"#, "{}",
      error: "lines: line 1: expected an object with file, keyPath, type and value\n", status: 1)
  }

  @Test("abbreviated data can stay, and not be set")
  func longData() throws {
    let value: PlistValue = ["d": .data(Data(repeating: 7, count: 40)), "s": "x"]
    try folder.write(Plist.write(value, as: .binary), to: "f")
    try Plutil.shell(#"$PLUTIL -find '' f | sed 's/"x"/"y"/' | $PLUTIL -set - f"#, in: folder)
      .expect()
    #expect(
      try Plist.read(folder.data("f")).value
        == ["d": .data(Data(repeating: 7, count: 40)), "s": "y"])
    try folder.write("{}", to: "g")
    try Plutil.shell("$PLUTIL -find '' f | $PLUTIL -set - g", in: folder).expect(
      error: "g: d is printed without some of its bytes; use -find --json (line 2 of <stdin>)\n",
      status: 1)
  }
}
