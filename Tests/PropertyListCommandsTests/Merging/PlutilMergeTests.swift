import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -merge")
struct PlutilMergeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(
    _ base: PlistValue, _ ours: PlistValue, _ theirs: PlistValue, as format: PlistFormat
  ) throws {
    for (name, value) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      var options = PlistWriteOptions()
      options.isPrettyPrinted = true
      try folder.write(Plist.write(value, as: format, options: options), to: name)
    }
  }

  @Test("--label names our file, as %P does in a merge driver")
  func label() throws {
    try write(["a": 1], ["a": 2], ["a": 3], as: .json)
    try merge("--label", "app/Info.plist").expect(
      error: "app/Info.plist: conflict at a\n", status: 1)
    try folder.write("{", to: "ours")
    let run = try merge("--label", "app/Info.plist")
    #expect(run.error.hasPrefix("app/Info.plist: line 1 column 1: "), "\(run.error)")
    #expect(run.status == 2)
  }

  private func merge(_ options: String...) throws -> BuiltProgram.Run {
    try Plutil.run(["-merge"] + options + ["base", "ours", "theirs"], in: folder)
  }

  /// Merges three documents in JSON, and expects a clean result.
  private func expect(
    _ base: String, _ ours: String, _ theirs: String, _ merged: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      try folder.write(text, to: name)
    }
    try merge().expect(sourceLocation: sourceLocation)
    #expect(
      try Plist.read(folder.data("ours"), as: .json).value
        == Plist.read(Data(merged.utf8), as: .json).value, sourceLocation: sourceLocation)
    #expect(try folder.text("base") == base, sourceLocation: sourceLocation)
    #expect(try folder.text("theirs") == theirs, sourceLocation: sourceLocation)
  }

  /// Expects that no reader takes the merged file for a property list.
  private func expectUnreadable(
    _ name: String = "ours", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let data = try folder.data(name)
    var lenient = PlistReadOptions()
    lenient.allowsTypedValues = true
    lenient.allowsMalformedBase64 = true
    lenient.allowsLenientDates = true
    for format in [nil] + PlistFormat.allCases {
      for options in [PlistReadOptions(), lenient] {
        #expect(
          (try? Plist.read(data, as: format, options: options)) == nil,
          sourceLocation: sourceLocation)
      }
    }
    #expect(
      (try? PropertyListSerialization.propertyList(from: data, format: nil)) == nil,
      sourceLocation: sourceLocation)
    let lint = try Plutil.run(["-lint", name], in: folder)
    #expect(lint.status == 1, sourceLocation: sourceLocation)
    #expect(lint.text.contains("found a conflict marker"), sourceLocation: sourceLocation)
  }

  // MARK: Clean merges

  @Test("takes what each side has changed in dictionaries")
  func dictionaries() throws {
    try expect(
      #"{"a": 1, "b": 2, "c": {"d": 3, "e": 4}, "gone": 5}"#,
      #"{"a": 9, "b": 2, "c": {"d": 8, "e": 4}, "new": {"x": 1}}"#,
      #"{"a": 1, "b": 7, "c": {"d": 3, "e": 6}, "gone": 5, "other": 1, "new": {"y": 2}}"#,
      #"{"a": 9, "b": 7, "c": {"d": 8, "e": 6}, "new": {"x": 1, "y": 2}, "other": 1}"#)
  }

  @Test("takes what each side has changed in arrays")
  func arrays() throws {
    try expect(
      "[1, 2, 3, 4, 5]", "[0, 1, 2, 3, 4, 5]", "[1, 2, 3, 9, 5, 6]", "[0, 1, 2, 3, 9, 5, 6]")
    try expect("[1, 2, 3, 4]", "[1, 3, 4]", "[1, 2, 3]", "[1, 3]")
    try expect(
      #"[{"n": 1, "m": 1}, {"n": 2, "m": 2}]"#, #"[{"n": 5, "m": 1}, {"n": 2, "m": 2}]"#,
      #"[{"n": 1, "m": 6}, {"n": 2, "m": 7}]"#, #"[{"n": 5, "m": 6}, {"n": 2, "m": 7}]"#)
    try expect("[1, 2]", "[1, 2, 3]", "[1, 2, 3]", "[1, 2, 3]")
    try expect("[[1], 2]", "[[1, 3], 2]", "[[1], 2, 4]", "[[1, 3], 2, 4]")
  }

  @Test("merges files that both sides have added")
  func noBase() throws {
    try expect("", #"{"a": 1}"#, #"{"b": 2}"#, #"{"a": 1, "b": 2}"#)
  }

  @Test("merges sets in binary files by their elements")
  func sets() throws {
    try write([.set([1, 2, 3])], [.set([2, 3, 4])], [.set([1, 2, 5])], as: .binary)
    try merge().expect()
    #expect(try Plist.read(folder.data("ours")).value == [.set([2, 4, 5])])
  }

  @Test("keeps the format and layout", arguments: PlistFormat.allCases)
  func formats(format: PlistFormat) throws {
    try write(["a": "1", "b": "2"], ["a": "3", "b": "2"], ["a": "1", "b": "4"], as: format)
    try merge().expect()
    let document = try Plist.read(folder.data("ours"), as: format)
    #expect(document.value == ["a": "3", "b": "4"])
    #expect(PlistFormat(detecting: try folder.data("ours")) == format)
  }

  @Test("a side that has changed the format has it its way")
  func layout() throws {
    let value: PlistValue = ["a": "1", "b": "2"]
    try folder.write(Plist.write(value, as: .binary), to: "base")
    try folder.write(Plist.write(["a": "9", "b": "2"], as: .binary), to: "ours")
    try folder.write(Plist.write(["a": "1", "b": "8"], as: .xml), to: "theirs")
    try merge().expect()
    let merged = try folder.data("ours")
    #expect(PlistFormat(detecting: merged) == .xml)
    #expect(try Plist.read(merged).value == ["a": "9", "b": "8"])

  }

  private func write(_ base: String, _ ours: String, _ theirs: String) throws {
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      try folder.write(text, to: name)
    }
  }

  /// Three versions of a text, and the merged one.
  static let mergedTexts: [(base: String, ours: String, theirs: String, merged: String)] = [
    // Each side has changed its own lines, and comments.
    (
      "<plist>\n<dict>\n  <!-- a -->\n  <key>a</key> <string>1</string>\n  <!-- b -->\n  <key>b</key> <string>1</string>\n</dict>\n</plist>\n",
      "<plist>\n<dict>\n  <!-- our a -->\n  <key>a</key> <string>2</string>\n  <!-- b -->\n  <key>b</key> <string>1</string>\n</dict>\n</plist>\n",
      "<plist>\n<dict>\n  <!-- a -->\n  <key>a</key> <string>1</string>\n  <!-- their b -->\n  <key>b</key> <string>3</string>\n</dict>\n</plist>\n",
      "<plist>\n<dict>\n  <!-- our a -->\n  <key>a</key> <string>2</string>\n  <!-- their b -->\n  <key>b</key> <string>3</string>\n</dict>\n</plist>\n"
    ),
    // Both have added an entry at the end.
    (
      "/* a */\n\"a\" = \"1\";\n", "/* a */\n\"a\" = \"1\";\n\n/* our */\n\"o\" = \"1\"; // o\n",
      "/* a */\n\"a\" = \"1\";\n\n/* their */\n\"t\" = \"1\"; // t\n",
      "/* a */\n\"a\" = \"1\";\n\n/* our */\n\"o\" = \"1\"; // o\n\n/* their */\n\"t\" = \"1\"; // t\n"
    ),
    // Lines alone would miss a comma.
    (
      "{\n  \"b\": 1\n}\n", "{\n  \"b\": 1,\n  \"o\": [1,\n    2]\n}\n",
      "{\n  \"b\": 1,\n  \"t\": [3,\n    4]\n}\n",
      "{\n  \"b\": 1,\n  \"o\": [1,\n    2],\n  \"t\": [3,\n    4]\n}\n"
    ),
    // The same line; each side has changed a part of it.
    (
      "{ a = {x = 1; y = 1; }; /* a */ }", "{ a = {x = 2; y = 1; }; /* a */ }",
      "{ a = {x = 1; y = \"3\"; }; /* a */ }", "{ a = {x = 2; y = \"3\"; }; /* a */ }"
    ),
    // One side has changed only comments.
    (
      "{\n a = 1;\n}", "{\n a = 1; /* ours */\n}", "{ // theirs\n a = 2;\n}",
      "{ // theirs\n a = 2; /* ours */\n}"
    ),
    ("{\n a = 1;\n}", "{\n a = 3; // ours\n}", "{\n a = 3;\n}", "{\n a = 3; // ours\n}"),
    // Windows line ends.
    (
      "(\r\n  a,\r\n  b\r\n)\r\n", "(\r\n  a, // a\r\n  b\r\n)\r\n", "(\r\n  b\r\n)\r\n",
      "(\r\n  b\r\n)\r\n"
    ),
  ]

  @Test("keeps the comments and the layout of both sides", arguments: mergedTexts.dropLast())
  func textMerge(base: String, ours: String, theirs: String, merged: String) throws {
    try write(base, ours, theirs)
    try merge().expect()
    #expect(try folder.text("ours") == merged)
  }

  @Test("names comments that cannot be merged")
  func lostComments() throws {
    try write("{ a = 1; }", "{ a = 1; /* ours */ }", "{ /* theirs */ a = 2; }")
    try merge().expect(error: "ours: warning: their comment is lost: /* theirs */\n")
    #expect(try folder.text("ours") == "{ a = 2; /* ours */ }")
    let (base, ours, theirs, merged) = Self.mergedTexts[Self.mergedTexts.count - 1]
    try write(base, ours, theirs)
    try merge().expect(error: "ours: warning: our comment is lost: // a\n")
    #expect(try folder.text("ours") == merged)
  }

  @Test("keeps UTF-16, and writes anew with --reformat")
  func utf16() throws {
    for (name, text) in [
      ("base", "/* é */\n\"a\" = \"1\";\n\n\"b\" = \"1\";\n"),
      ("ours", "/* é */\n\"a\" = \"ü\";\n\n\"b\" = \"1\";\n"),
      ("theirs", "/* é */\n\"a\" = \"1\";\n\n\"b\" = \"日\"; // new\n"),
    ] {
      try folder.write(#require(text.data(using: .utf16)), to: name)
    }
    let before = try folder.data("ours")
    try merge().expect()
    #expect(
      String(data: try folder.data("ours"), encoding: .utf16)
        == "/* é */\n\"a\" = \"ü\";\n\n\"b\" = \"日\"; // new\n")
    try folder.write(before, to: "ours")
    try merge("--reformat").expect()
    #expect(try folder.text("ours") == "\"a\" = \"ü\";\n\"b\" = \"日\";\n")
  }

  @Test("leaves conflicts in the text of both sides")
  func textConflict() throws {
    try write(
      "/* a */\n\"a\" = \"1\";\n/* b */\n\"b\" = \"1\";\n",
      "/* a */\n\"a\" = \"2\";\n/* b */\n\"b\" = \"1\";\n",
      "/* a */\n\"a\" = \"3\";\n/* new b */\n\"b\" = \"4\";\n")
    try merge().expect(error: "ours: conflict at a\n", status: 1)
    #expect(
      try folder.text("ours") == """
        /* a */
        <<<<<<< ours
        "a" = "2";
        =======
        "a" = "3";
        >>>>>>> theirs
        /* new b */
        "b" = "4";

        """)
    try expectUnreadable()
  }

  @Test("writes elsewhere with -o")
  func output() throws {
    try write(["a": 1, "b": 1], ["a": 2, "b": 1], ["a": 1, "b": 2], as: .xml)
    let ours = try folder.data("ours")
    try merge("-o", "merged").expect()
    #expect(try Plist.read(folder.data("merged")).value == ["a": 2, "b": 2])
    #expect(try merge("-o", "-").output == folder.data("merged"))
    #expect(try folder.data("ours") == ours)
  }

  // MARK: Conflicts

  @Test("leaves the lines of both sides in XML")
  func xmlConflict() throws {
    try write(
      ["a": 1, "gone": "x", "same": 1], ["a": 2, "gone": "y", "same": 3], ["a": 4, "same": 1],
      as: .xml)
    try merge().expect(
      error: "ours: conflict at key path a\nours: conflict at key path gone\n"
        .replacing("key path ", with: ""), status: 1)
    #expect(
      try folder.text("ours").split(separator: "\n").dropFirst(3).joined(separator: "\n") == """
        <dict>
        \t<key>a</key>
        <<<<<<< ours
        \t<integer>2</integer>
        \t<key>gone</key>
        \t<string>y</string>
        =======
        \t<integer>4</integer>
        >>>>>>> theirs
        \t<key>same</key>
        \t<integer>3</integer>
        </dict>
        </plist>
        """)
    try expectUnreadable()
  }

  @Test("leaves something that cannot be read in every format", arguments: PlistFormat.allCases)
  func unreadable(format: PlistFormat) throws {
    let conflicts: [(PlistValue, PlistValue, PlistValue)] = [
      (["a": "1"], ["a": "2"], ["a": "3"]),
      (["a": ["1", "2"]], ["a": ["1", "2", "3"]], ["a": ["1", "2", "4"]]),
      // Strings of several lines; one line differs.
      (
        ["a": "one\ntwo\nthree\n"], ["a": "one\nour\nthree\n"], ["a": "one\ntheir\nthree\n"]
      ),
      (["a": "1"], ["a": "2"], [:]),
      (["a": "1"], ["b": "<<<<<<< ours"], ["a": "======="]),
      (["1"], ["2"], ["a": "1"]),
    ]
    for (base, ours, theirs) in conflicts {
      try write(base, ours, theirs, as: format)
      let run = try merge()
      #expect(run.status == 1, "\(run.error)")
      #expect(run.error.contains("conflict at "))
      try expectUnreadable()
      // The conflicts can be resolved in favor of either side.
      for (side, value) in [("--ours", ours), ("--theirs", theirs)] {
        try write(base, ours, theirs, as: format)
        try merge(side).expect()
        let merged = try Plist.read(folder.data("ours"), as: format).value
        // Changes by only one side are in both results.
        #expect(merged == value || ours[PlistKeyPath("b")] != nil)
      }
    }
  }

  @Test("leaves strings of several lines whole in OpenStep text")
  func multilineString() throws {
    for (name, text) in [("base", "b"), ("ours", "o"), ("theirs", "t")] {
      try folder.write("{\n  k = \"one\n\(text)\nthree\";\n}\n", to: name)
    }
    #expect(try merge().status == 1)
    try expectUnreadable()
  }

  @Test("lists the conflicts before a binary file with our values")
  func binaryConflict() throws {
    try write(
      ["a": 1, "b": 1, "c": ["x": 1]], ["a": 2, "b": 1, "c": ["x": 2]], ["a": 3, "b": 5],
      as: .binary)
    try merge().expect(error: "ours: conflict at a\nours: conflict at c\n", status: 1)
    let data = try folder.data("ours")
    let list = """
      <<<<<<< ours
      - a: 2
      - c.x: 2
      =======
      + a: 3
      + c (removed)
      >>>>>>> theirs

      """
    #expect(String(decoding: data.prefix(list.utf8.count), as: UTF8.self) == list)
    #expect(
      try Plist.read(data.dropFirst(list.utf8.count)).value
        == ["a": 2, "b": 5, "c": ["x": 2]])
    try expectUnreadable()
  }

  @Test("does not mix keyed archives")
  func archives() throws {
    func archive(_ first: PlistValue, _ second: PlistValue) -> PlistValue {
      [
        "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
        "$objects": ["$null", first, second],
      ]
    }
    try write(archive(1, 2), archive(3, 2), archive(1, 4), as: .binary)
    try merge().expect(error: "ours: conflict at the root\n", status: 1)
    try expectUnreadable()
  }

  @Test("values that look alike are different")
  func kinds() throws {
    for (ours, theirs) in [("1", "1.0"), ("true", "1"), (#""1""#, "1"), ("[]", "{}")] {
      try folder.write(#"{"a": null}"#, to: "base")
      try folder.write(#"{"a": \#(ours)}"#, to: "ours")
      try folder.write(#"{"a": \#(theirs)}"#, to: "theirs")
      #expect(try merge("-s").status == 1)
      try expectUnreadable()
    }
  }

  // MARK: Failures

  static let damagedFiles: [(String, String, String, String)] = [
    ("[1]", "[2", "[3]", "ours: line 1 column 1: the array is not closed (key path 1)\n"),
    ("[1]", "[2]", "[3", "theirs: line 1 column 1: the array is not closed (key path 1)\n"),
    ("[1", "[2]", "[3]", "base: line 1 column 1: the array is not closed (key path 1)\n"),
    ("{}", #"{"a": 1, "a": 2}"#, #"{"b": 1}"#, "ours: a appears more than once; cannot merge\n"),
    (
      "one", "two", "three",
      """
      base: the file is a single word, which may not be a property list
      ours: the file is a single word, which may not be a property list
      theirs: the file is a single word, which may not be a property list

      """
    ),
    ("[1]", "", "[3]", "ours: the document is empty; expected a property list\n"),
  ]

  @Test("leaves both versions of files that cannot be merged", arguments: damagedFiles)
  func damaged(base: String, ours: String, theirs: String, error: String) throws {
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      try folder.write(text, to: name)
    }
    try merge().expect(error: error, status: 2)
    let lines = [ours].filter { !$0.isEmpty }
    #expect(
      try folder.text("ours") == """
        <<<<<<< ours
        \(lines.first ?? "")
        =======
        \(theirs)
        >>>>>>> theirs

        """)
    try expectUnreadable()
  }

  @Test("changes nothing if a file is missing, or the command line is wrong")
  func missing() throws {
    try folder.write("[1]", to: "ours")
    let error =
      ": file does not exist or is not readable or is not a regular file (No such file or directory)\n"
    try merge().expect(error: "base" + error, status: 2)
    try folder.write("[1]", to: "base")
    try merge().expect(error: "theirs" + error, status: 2)
    try folder.write("[3]", to: "theirs")
    try merge("--ours", "--theirs").expect(
      error: "plutil: --ours and --theirs cannot be used together (see plutil -help)\n", status: 2)
    let short = try Plutil.run(["-merge", "base", "ours"], in: folder)
    short.expect(
      error: "plutil: -merge takes 3 files, not 2 (see plutil -help)\n", status: 2)
    let stream = try Plutil.run(["-merge", "base", "-", "theirs"], in: folder)
    stream.expect(
      error: """
        plutil: the second file must be a regular one, unless -o is given (see plutil -help)

        """, status: 2)
    #expect(try folder.text("ours") == "[1]")
    #expect(try folder.names() == ["base", "ours", "theirs"])
  }
}
