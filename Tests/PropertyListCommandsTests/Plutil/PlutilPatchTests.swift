import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -diff --json and -patch")
struct PlutilPatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Compares two documents with `--json`, expects these lines, and makes the changes in the first.
  private func expect(
    _ first: String, _ second: String, _ lines: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try folder.write(first, to: "a")
    try folder.write(second, to: "b")
    let run = try Plutil.run(["-diff", "--json", "a", "b"], in: folder)
    run.expect(
      output: lines + "\n", status: lines.isEmpty ? 0 : 1, sourceLocation: sourceLocation)
    try Plutil.run(["-patch", "-", "a"], in: folder, input: Data(run.text.utf8))
      .expect(sourceLocation: sourceLocation)
    try Plutil.run(["-diff", "a", "b"], in: folder).expect(sourceLocation: sourceLocation)
  }

  /// Makes changes in a document, and expects the result.
  private func expectPatch(
    _ changes: String, _ document: String, _ result: String? = nil, error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.expect(
      "-patch", changes, in: "changes", on: document, makes: result, error: error, status: status,
      in: folder, sourceLocation: sourceLocation)
  }

  @Test("prints each change with the value before and after, whole containers included")
  func dictionaries() throws {
    try expect(
      #"{"same": 1, "name": "old", "gone": {"k": "v"}, "a.b": {"c": true}, "kind": [1]}"#,
      #"{"same": 1, "name": "new", "come": [[], 1.0], "a.b": {"c": false}, "kind": {"0": 1}}"#,
      #"""
      {"keyPath":"a\\.b.c","old":true,"new":false}
      {"keyPath":"come","new":[[],{"$real":"1.0"}]}
      {"keyPath":"gone","old":{"k":"v"}}
      {"keyPath":"kind","old":[1],"new":{"0":1}}
      {"keyPath":"name","old":"old","new":"new"}
      """#)
  }

  @Test("numbers elements as they are after the changes before")
  func arrays() throws {
    try expect("[1, 2, 3]", "[0, 1, 2, 3]", #"{"keyPath":"0","new":0,"count":3}"#)
    try expect("[1, 2, 3]", "[1, 3]", #"{"keyPath":"1","old":2}"#)
    try expect(
      "[1, 2, 3, 4, 5]", "[9, 3, 5, 6, 7]",
      """
      {"keyPath":"0","old":1,"new":9}
      {"keyPath":"1","old":2}
      {"keyPath":"2","old":4}
      {"keyPath":"3","new":6,"count":3}
      {"keyPath":"4","new":7,"count":4}
      """)
    try expect(
      #"{"l": [{"n": 1}, 2]}"#, #"{"l": [{"n": 3}, 2]}"#, #"{"keyPath":"l.0.n","old":1,"new":3}"#)
    try expect("[[]]", "[[1]]", #"{"keyPath":"0.0","new":1,"count":0}"#)
    try expect("[]", "{}", #"{"keyPath":"","old":[],"new":{}}"#)
  }

  @Test("makes the changes of one pair of files in a third, and keeps its text")
  func thirdFile() throws {
    try folder.write("{ version = 1; name = x; }", to: "old")
    try folder.write("{ version = 2; name = x; tags = (a); }", to: "new")
    try folder.write(
      "<plist>\n<dict>\n<!-- kept -->\n<key>version</key> <string>1</string>\n</dict>\n</plist>\n",
      to: "third")
    try Plutil.shell("$PLUTIL -diff --json old new | $PLUTIL -patch - third", in: folder).expect()
    #expect(
      try folder.text("third") == """
        <plist>
        <dict>
        <key>tags</key> <array>
        \t<string>a</string>
        </array>
        <!-- kept -->
        <key>version</key> <string>2</string>
        </dict>
        </plist>

        """)
  }

  @Test("skips what the file has already, and names each conflict")
  func conflicts() throws {
    let changes = """
      {"keyPath": "a", "old": 1, "new": 2}
      {"keyPath": "b.c", "old": "x"}
      {"keyPath": "n", "new": 5}
      {"keyPath": "l.0", "new": 0, "count": 1}
      {"keyPath": "l.1", "new": 1, "count": 2}
      """
    try expectPatch(
      changes, #"{"a": 2, "b": {}, "n": 5, "l": [9]}"#,
      #"{"a": 2, "b": {}, "n": 5, "l": [0,1,9]}"#)
    try expectPatch(
      changes, #"{"a": 3, "b": {"c": "y"}, "n": 6, "l": [8, 9]}"#,
      error: """
        f: conflict at a: the value differs from the one to change
        f: conflict at b.c: the value differs from the one to change
        f: conflict at n: a value already exists
        f: conflict at l.0: the array has 2 elements, not 1
        f: nothing was changed because of 4 conflicts

        """, status: 1)
    try expectPatch(
      changes, "{}",
      error: """
        f: conflict at a: there is no value
        f: conflict at l.0: there is no dictionary at l
        f: conflict at l.1: there is no dictionary at l
        f: nothing was changed because of 3 conflicts

        """, status: 1)
    try expectPatch(
      #"{"keyPath": "1", "old": 2}"#, "[2]",
      error: "f: conflict at 1: there is no value\nf: nothing was changed because of 1 conflict\n",
      status: 1)
    try expectPatch(
      #"{"keyPath": "", "old": [1]}"#, "[1]",
      error: """
        f: conflict at the root: the root cannot be removed
        f: nothing was changed because of 1 conflict

        """, status: 1)
  }

  @Test("exits with 2 if it cannot read the changes or the file")
  func failures() throws {
    let expected = "expected an object with keyPath and old, new or both, as -diff --json prints"
    for (line, message) in [
      ("{}", expected), (#"{"keyPath": "a"}"#, expected), ("[1]", "expected a JSON object"),
      ("+ a: 1", "expected a JSON object: expected a value"),
      (
        #"{"file": "x", "onlyIn": "y"}"#,
        "only the differences of two files can be applied"
      ),
      (
        #"{"keyPath": "a", "new": {"$date": "x"}}"#,
        "the value of $date is malformed; expected what -convert json --typed writes"
      ),
    ] {
      try expectPatch(
        "\n" + line, "{}", error: "changes: line 2: \(message)\n", status: 2)
    }
    try folder.write("[", to: "bad")
    try Plutil.run(["-patch", "changes", "bad"], in: folder).expect(
      error:
        "changes: line 2: the value of $date is malformed; expected what -convert json --typed writes\n",
      status: 2)
    try folder.write("", to: "changes")
    try Plutil.run(["-patch", "changes", "bad"], in: folder).expect(
      error: "bad: line 1 column 1: the array is not closed (key path 0)\n", status: 2)
    try Plutil.run(["-patch", "-", "-"], in: folder).expect(
      error: "plutil: standard input can only be read once (see plutil -help)\n", status: 2)
  }

  @Test("of folders, each object names its file")
  func folders() throws {
    try folder.makeFolder("x", "y")
    try folder.write("[1]", to: "x/a.plist")
    try folder.write("[2]", to: "y/a.plist")
    try folder.write("[2]", to: "y/b.plist")
    try Plutil.run(["-diff", "--json", "x", "y"], in: folder).expect(
      output: """
        {"file":"a.plist","keyPath":"0","old":1,"new":2}
        {"file":"b.plist","onlyIn":"y"}

        """, status: 1)
    try Plutil.run(["-diff", "--json", "--label", "l", "x", "y"], in: folder).expect(
      error: "plutil: --label and --json cannot be used together (see plutil -help)\n", status: 2)
  }

  @Test("random changes of a document lead from one to the other", arguments: 0..<20)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func value(_ depth: Int) -> PlistValue {
      switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
      case 0: .integer(.random(in: 0..<4, using: &random))
      case 1: .string("s\(Int.random(in: 0..<3, using: &random))")
      case 2: .boolean(.random(using: &random))
      case 3:
        .dictionary(
          PlistDictionary(
            (0..<Int.random(in: 0..<4, using: &random)).map { ("k.\($0)", value(depth - 1)) }))
      default: .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in value(depth - 1) })
      }
    }
    for _ in 0..<5 {
      try folder.write(Plist.write([value(4), value(4)], as: .binary), to: "a")
      try folder.write(Plist.write([value(4), value(4)], as: .binary), to: "b")
      try Plutil.shell(
        "$PLUTIL -diff --json a b | $PLUTIL -patch - -o c a && $PLUTIL -diff c b", in: folder
      ).expect()
    }
  }
}
