import Foundation
import TestSupport
import Testing

@Suite("plutil -diff")
struct PlutilDiffTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Compares two documents, and expects these lines after the heading.
  private func expect(
    _ first: String, _ second: String, _ lines: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try folder.write(first, to: "a")
    try folder.write(second, to: "b")
    let run = try Plutil.run(["-diff", "a", "b"], in: folder)
    run.expect(
      output: lines.isEmpty ? "" : "--- a\n+++ b\n" + lines + "\n",
      status: lines.isEmpty ? 0 : 1, sourceLocation: sourceLocation)
  }

  @Test("--label names the files")
  func labels() throws {
    try folder.write("[1]", to: "a")
    try folder.write("[2]", to: "b")
    try Plutil.run(["-diff", "--label", "old", "a", "b"], in: folder)
      .expect(output: "--- old\n+++ b\n- 0: 1\n+ 0: 2\n", status: 1)
    try Plutil.run(["-diff", "--label", "old", "a", "--label", "new", "b"], in: folder)
      .expect(output: "--- old\n+++ new\n- 0: 1\n+ 0: 2\n", status: 1)
    try Plutil.run(["-diff", "--label=x", "--label", "y", "a", "b"], in: folder)
      .expect(error: "plutil: unrecognized option: --label=x (see plutil -help)\n", status: 2)
  }

  @Test("prints nothing for the same values in other formats and orders")
  func same() throws {
    try expect(#"{"a": ["1", {}], "b": "x"}"#, "{ b = x; a = (1, {}); }", "")
    try expect("<plist><real>1.5</real></plist>", "<plist><real>15e-1</real></plist>", "")
  }

  @Test("prints changed, removed and added values by key path")
  func dictionaries() throws {
    try expect(
      #"{"same": 1, "name": "old", "gone": {"k": "v", "e": {}}, "a.b": {"c": true}}"#,
      #"{"same": 1, "name": "new", "come": [[], null], "a.b": {"c": false}}"#,
      #"""
      - a\.b.c: true
      + a\.b.c: false
      + come.0: []
      + come.1: null
      - gone.e: {}
      - gone.k: "v"
      - name: "old"
      + name: "new"
      """#)
  }

  @Test("distinguishes kinds of values that look alike")
  func kinds() throws {
    try expect(
      #"[1, "1", true, 1.5, {}, "{}", 0]"#, #"["1", "true", 1, 1.5, [], {}, 0.0]"#,
      """
      - 0: 1
      - 2: true
      + 1: "true"
      + 2: 1
      + 4: []
      - 5: "{}"
      + 6: 0.0
      - 6: 0
      """)
  }

  @Test("shows empty containers, and containers of another kind")
  func containers() throws {
    try expect(#"{"r": {"z": 1}}"#, #"{"r": {}}"#, "- r.z: 1\n+ r: {}")
    try expect(#"{"r": {"z": 1}}"#, "{}", "- r.z: 1\n+ : {}")
    try expect(#"{"r": {"z": 1}, "s": 1}"#, #"{"s": 1}"#, "- r.z: 1")
    try expect("[[1], 2]", "[[], 2]", "- 0.0: 1\n+ 0: []")
    try expect("[[], 2]", "[[1], 2]", "- 0: []\n+ 0.0: 1")
    try expect(
      #"{"r": {"0": 1}}"#, #"{"r": [1]}"#, "- r: {…}\n- r.0: 1\n+ r: […]\n+ r.0: 1")
  }

  @Test("matches common elements of arrays")
  func arrays() throws {
    try expect("[1, 2, 3]", "[0, 1, 2, 3]", "+ 0: 0")
    try expect("[1, 2, 3]", "[1, 3]", "- 1: 2")
    try expect("[1, 2, 3]", "[1, 4, 3]", "- 1: 2\n+ 1: 4")
    try expect("[1, 1, 1]", "[1, 1]", "- 2: 1")
    try expect("[]", "[1]", "- : []\n+ 0: 1")
    try expect(
      #"[{"n": 1, "m": 1}, 2, 3, 4, {"n": 5}]"#, #"[2, {"n": 9}, 3, 4, {"n": 6}]"#,
      """
      - 0.m: 1
      - 0.n: 1
      + 1.n: 9
      - 4.n: 5
      + 4.n: 6
      """)
  }

  @Test("matches elements by index if too many differ")
  func longArrays() throws {
    let first = (0..<4000).map { "\($0)" }
    var second = first.map { "-" + $0 + ".5" }
    second[7] = "7"
    try folder.write("[" + first.joined(separator: ",") + "]", to: "a")
    try folder.write("[" + second.joined(separator: ",") + "]", to: "b")
    let run = try Plutil.run(["-diff", "a", "b"], in: folder)
    let lines = run.text.split(separator: "\n")
    #expect(lines.count == 2 + 2 * 3999)
    #expect(lines[2...5] == ["- 0: 0", "+ 0: -0.5", "- 1: 1", "+ 1: -1.5"])
    #expect(!lines.contains { $0.hasPrefix("- 7:") })
  }

  @Test("compares scalars, and at the root too")
  func roots() throws {
    try expect("<plist><true/></plist>", "<plist><false/></plist>", "- : true\n+ : false")
    try expect(
      "<plist><date>2024-01-02T03:04:05Z</date></plist>", "<plist><data>AQI=</data></plist>",
      "- : 2024-01-02 03:04:05 +0000\n+ : {length = 2, bytes = 0x0102}")
  }

  @Test("shows differences of dates and data that -p leaves out")
  func precision() throws {
    let bytes = Array(repeating: UInt8(0), count: 40)
    var others = bytes
    others[20] = 1
    let dates = [700_000_000.25, 700_000_000.5]
    for (name, date, data) in [("a", dates[0], bytes), ("b", dates[1], others)] {
      let value: [String: Any] = [
        "date": Date(timeIntervalSinceReferenceDate: date), "data": Data(data),
      ]
      try folder.write(
        PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0),
        to: name)
    }
    let run = try Plutil.run(["-diff", "a", "b"], in: folder)
    let zeros = "00000000 00000000 00000000 00000000 ... 00000000 00000000"
    #expect(
      run.text == """
        --- a
        +++ b
        - data: {length = 40, bytes = 0x\(zeros) } (base64 \(Data(bytes).base64EncodedString()))
        + data: {length = 40, bytes = 0x\(zeros) } (base64 \(Data(others).base64EncodedString()))
        - date: 2023-03-08 20:26:40 +0000 (700000000.25 s since 2001)
        + date: 2023-03-08 20:26:40 +0000 (700000000.5 s since 2001)

        """)
  }

  @Test("compares with standard input, and prints nothing with -s")
  func streams() throws {
    try folder.write("[1]", to: "a")
    let run = try Plutil.run(["-diff", "-", "a"], in: folder, input: Data("[2]".utf8))
    #expect(run.text == "--- <stdin>\n+++ a\n- 0: 2\n+ 0: 1\n")
    #expect(run.status == 1)
    try Plutil.run(["-diff", "-s", "-", "a"], in: folder, input: Data("[2]".utf8)).expect(status: 1)
  }

  static let failures: [(String, String)] = [
    ("-diff a", "plutil: -diff takes 2 files, not 1 (see plutil -help)\n"),
    ("-diff a b c", "plutil: unexpected argument c; -diff takes 2 files (see plutil -help)\n"),
    ("-diff -o x a b", "plutil: -o cannot be used with -diff (see plutil -help)\n"),
    ("-diff --color a b", "plutil: unrecognized option: --color (see plutil -help)\n"),
    (
      "-diff - -",
      "plutil: standard input can only be read once (see plutil -help)\n"
    ),
    (
      "-diff a missing",
      "missing: file does not exist or is not readable or is not a regular file (No such file or directory)\n"
    ),
    (
      "-diff bad a",
      "bad: line 1 column 1: the array is not closed (key path 0)\n"
    ),
  ]

  @Test("exits with 2 if it cannot compare", arguments: failures)
  func failing(line: String, error: String) throws {
    try folder.write("[1]", to: "a")
    try folder.write("[", to: "bad")
    let run = try Plutil.run(line.split(separator: " ").map(String.init), in: folder)
    run.expect(error: error, status: 2)
    #expect(try folder.text("a") == "[1]")
  }

  @Test("documents cannot break a line of output")
  func control() throws {
    try expect(
      #"{"a\n+ b: 1": "x\u001b[31m", "c": 1}"#, #"{"c": 1}"#, #"- a\u{a}+ b: 1: "x\u{1b}[31m""#)
  }
}
