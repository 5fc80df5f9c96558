import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("defaults, writing")
struct DefaultsWritingTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
  }

  /// Runs defaults and expects all of what it prints.
  private func expect(
    _ words: String..., input: String = "", output: String = "", error: String = "",
    status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try defaults.expect(
      words, input: input, output: output, error: error, status: status,
      sourceLocation: sourceLocation)
  }

  private func value(of name: String) throws -> PlistValue { try defaults.value(of: name) }

  // MARK: Writing

  @Test("write reads values by their types")
  func types() throws {
    let values: [([String], PlistValue)] = [
      (["5"], "5"), ([""], ""), (["-5"], "-5"), (["it's"], "it's"),
      (["(1, \"b c\")"], ["1", "b c"]),
      (["{a=b;}"], ["a": "b"]), (["<0a0B>"], .data(Data([10, 11]))), (["\"q\""], "q"),
      (["<true/>"], true), (["<integer>7</integer>"], 7),
      (["-string", "-g"], "-g"), (["-string", "(1"], "(1"), (["-string", ""], ""),
      (["-data", "00fF"], .data(Data([0, 255]))), (["-data", ""], .data(Data())),
      (["-int", "-5"], -5), (["-integer", "0x10"], 16),
      (["-int", "18446744073709551615"], .unsignedInteger(.max)),
      (["-int", "-9223372036854775808"], .integer(.min)),
      (["-float", "-1.5e3"], -1500.0), (["-float", "7"], 7.0),
      (["-float", "-inf"], .real(-.infinity)),
      (["-bool", "YES"], true), (["-boolean", "false"], false), (["-bool", "No"], false),
      (["-bool", "true"], true),
      (["-date", "2001-01-02T00:00:01Z"], .date(Date(timeIntervalSinceReferenceDate: 86401))),
      (["-date", "2001-01-01 01:00:00 +0100"], .date(Date(timeIntervalSinceReferenceDate: 0))),
      (["-date", "2001-01-01T00:00:00.5Z"], .date(Date(timeIntervalSinceReferenceDate: 0.5))),
      (["-date", "2001-01-01"], .date(Date(timeIntervalSinceReferenceDate: 0))),
      (["-array"], []),
      (["-array", "a", "-int", "-1", "-string", "-int", "(x)"], ["a", -1, "-int", ["x"]]),
      (["-dict"], [:]),
      (["-dict", "-int", "1", "b", "-int", "1"], ["-int": "1", "b": 1]),
      (["-array-add", "a"], ["a"]), (["-dict-add", "a", "b"], ["a": "b"]),
    ]
    for (number, (words, value)) in values.enumerated() {
      let run = try defaults.run(["write", "D", "k\(number)"] + words)
      #expect(run.error == "", "\(words)")
      #expect(run.status == 0, "\(words)")
      guard case .dictionary(let domain) = try self.value(of: "user/D.plist") else {
        Issue.record("not a dictionary")
        return
      }
      #expect(domain["k\(number)"] == value, "\(words)")
    }
  }

  @Test("write leaves a domain unchanged where a value cannot be one")
  func badValues() throws {
    try expect("write", "D", "{ k = (a); }")
    let before = try folder.data("user/D.plist")
    let unchanged = "; leaving defaults unchanged."
    let integer = "the integer is malformed; expected decimal digits, or 0x and hexadecimal digits"
    let failures: [([String], String)] = [
      (["a", "b"], "Unexpected argument b; leaving defaults unchanged."),
      (["-int", "1", "2"], "Unexpected argument 2; leaving defaults unchanged."),
      (["-string", "a", "-int", "1"], "Unexpected argument -int; leaving defaults unchanged."),
      (["(1"], "Could not parse: (1.  Try single-quoting it."),
      (["<plist>"], "Could not parse: <plist>.  Try single-quoting it."),
      (["-int"], "-int needs a value\(unchanged)"),
      (["-int", "five"], "-int five: \(integer)\(unchanged)"),
      (["-int", "1.5"], "-int 1.5: \(integer)\(unchanged)"),
      (["-int", ""], "-int : \(integer)\(unchanged)"),
      (
        ["-int", "18446744073709551616"],
        "-int 18446744073709551616: the integer is out of range; expected -2^63 to 2^64-1"
          + unchanged
      ),
      (
        ["-float", "1,5"],
        "-float 1,5: the real is malformed; expected a decimal number, nan, infinity or -infinity"
          + unchanged
      ),
      (["-float", "1e999"], "-float 1e999: the real is out of range for a double\(unchanged)"),
      (
        ["-array", "-array", "1"], "Cannot nest composite types (arrays and dictionaries); exiting"
      ),
      (["-dict", "a", "-dict"], "Cannot nest composite types (arrays and dictionaries); exiting"),
      (
        ["-array-add", "-dict-add"],
        "Cannot nest composite types (arrays and dictionaries); exiting"
      ),
      (["-dict", "a", "b", "c"], "Key c lacks a corresponding value"),
      (["-dict-add", "c"], "Key c lacks a corresponding value"),
      (
        ["-dict-add", "c", "d"],
        "Value for key k is not a dictionary; cannot append.  Leaving defaults unchanged."
      ),
    ]
    for (words, error) in failures {
      let run = try defaults.run(["write", "D", "k"] + words)
      #expect(run.error == error + "\n")
      #expect(run.text == "")
      #expect(run.status == 1)
    }
    for words in [["-bool", "maybe"], ["-data", "0"], ["-data", "0x00"], ["-date", "today"]] {
      let run = try defaults.run(["write", "D", "k"] + words)
      #expect(run.error.hasPrefix("\(words[0]) \(words[1]): "))
      #expect(run.error.hasSuffix("; leaving defaults unchanged.\n"))
      #expect(run.status == 1)
    }
    try expect("write", "D", "s", "text")
    try expect(
      "write", "D", "s", "-array-add", "a",
      error: "Value for key s is not an array; cannot append.  Leaving defaults unchanged.\n",
      status: 1)
    try expect("delete", "D", "s")
    #expect(try folder.data("user/D.plist") == before)
  }

  @Test("-array-add and -dict-add add to what is there")
  func adding() throws {
    try expect("write", "D", "a", "-array", "1", "2")
    try expect("write", "D", "a", "-array-add", "-int", "3", "4")
    try expect("read", "D", "a", output: "(\n    1,\n    2,\n    3,\n    4\n)\n")
    try expect("write", "D", "d", "-dict", "a", "1", "b", "2")
    try expect("write", "D", "d", "-dict-add", "b", "3", "c", "4")
    try expect("read", "D", "d", output: "{\n    a = 1;\n    b = 3;\n    c = 4;\n}\n")
  }

  @Test("write with a dictionary replaces the domain")
  func replacing() throws {
    try expect("write", "D", "a", "1")
    try expect("write", "D", "{ b = 2; }")
    try expect("read", "D", output: "{\n    b = 2;\n}\n")
    let error = "Rep argument is not a dictionary\nDefaults have not been changed.\n"
    try expect("write", "D", "(1)", error: error, status: 1)
    try expect("write", "D", "text", error: error, status: 1)
    try expect(
      "write", "D", "{ b = ", error: "Could not parse: { b = .  Try single-quoting it.\n", status: 1
    )
    try expect("read", "D", output: "{\n    b = 2;\n}\n")
  }

  @Test("a domain that cannot be written is reported with the reason")
  func unwritable() throws {
    for words in [
      ["write", "./none/D", "k", "v"], ["write", "./none/D", "{ k = v; }"],
      ["import", "./none/D", "-"],
    ] {
      let run = try defaults.run(words, input: "{ k = v; }")
      #expect(
        run.error == """
          Could not write domain ./none/D; exiting
          ./none/D.plist: cannot open: No such file or directory

          """)
      #expect(run.status == 1)
    }
    try FileManager.default.removeItem(atPath: folder.path("user"))
    try folder.write("", to: "user")
    let run = try defaults.run(["write", "D", "k", "v"])
    #expect(run.error.hasPrefix("Could not write domain D; exiting\n\(folder.path)/user/D.plist: "))
    #expect(run.error.hasSuffix(": Not a directory\n"))
    #expect(run.status == 1)
    #expect(try folder.names() == ["system", "user"])
  }

  @Test("rename moves a value")
  func rename() throws {
    try expect("write", "D", "a", "-int", "5")
    try expect("rename", "D", "a", "b")
    try expect("read", "D", output: "{\n    b = 5;\n}\n")
    try expect("rename", "D", "b", "b")
    try expect("read-type", "D", "b", output: "Type is integer\n")
    try expect(
      "rename", "D", "a", "c",
      error: "Key a does not exist in domain D; leaving defaults unchanged\n", status: 1)
    try expect(
      "rename", "E", "a", "c",
      error: "Key a does not exist in domain E; leaving defaults unchanged\n", status: 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("user/.E.plist.lock")))
  }

  @Test("delete removes a value or a domain")
  func delete() throws {
    let missing = "Domain (D) not found.\nDefaults have not been changed.\n"
    try expect("delete", "D", error: missing, status: 1)
    try expect("write", "D", "{ a = 1; b = 2; }")
    try expect("delete", "D", "c", error: missing, status: 1)
    try expect("delete", "D", "a")
    try expect("read", "D", output: "{\n    b = 2;\n}\n")
    try expect("remove", "D")
    try expect("read", "D", error: "Domain D does not exist\n", status: 1)
    try expect("delete", "D", error: missing, status: 1)
    try expect("domains", output: "\n")
  }

  @Test("delete-all removes from this machine's preferences as well")
  func deleteAll() throws {
    let missing = "Domain (D) not found.\nDefaults have not been changed.\n"
    try expect("delete-all", "D", error: missing, status: 1)
    try expect("write", "D", "{ a = 1; b = 2; }")
    try expect("-currentHost", "write", "D", "{ a = 1; c = 3; }")
    try expect("-host", "other", "write", "D", "a", "1")
    try folder.write("{ a = 5; }", to: "user/ByHost/D..plist")
    try expect("delete-all", "D", "a")
    try expect("read", "D", output: "{\n    b = 2;\n}\n")
    try expect("-currentHost", "read", "D", output: "{\n    c = 3;\n}\n")
    try expect("-host", "other", "read", "D", output: "{\n    a = 1;\n}\n")
    #expect(try value(of: "user/ByHost/D..plist") == [:])
    try expect("delete-all", "D", "a", error: missing, status: 1)
    try expect("delete-all", "D")
    try expect("-currentHost", "read", "D", error: "Domain D does not exist\n", status: 1)
    try expect("delete-all", "D", error: missing, status: 1)
  }

  // MARK: Files

  @Test("import merges a property list of any format")
  func importing() throws {
    try expect("write", "D", "{ a = 1; b = 2; }")
    try expect("import", "D", "-", input: "{ b = 3; c = 4; }")
    try expect("read", "D", output: "{\n    a = 1;\n    b = 3;\n    c = 4;\n}\n")
    try folder.write("<plist><dict><key>d</key><true/></dict></plist>", to: "x.xml")
    try expect("import", "D", "x.xml")
    try folder.write(Plist.write(["e": .unsignedInteger(.max)], as: .binary), to: "x.bin")
    try expect("import", "D", "x.bin")
    #expect(
      try value(of: "user/D.plist") == [
        "a": "1", "b": "3", "c": "4", "d": true, "e": .unsignedInteger(.max),
      ])
  }

  @Test("import refuses what is no dictionary of preferences")
  func badImports() throws {
    try expect("write", "D", "{ a = 1; }")
    let before = try folder.data("user/D.plist")
    let notDictionary = "the property list is not a dictionary; leaving defaults unchanged.\n"
    try expect("import", "D", "-", input: "(1)", error: "<stdin>: \(notDictionary)", status: 1)
    try expect(
      "import", "D", "-", error: "<stdin>: the document is empty; expected a property list\n",
      status: 1)
    try expect(
      "import", "D", "none", error: "none: cannot open: No such file or directory\n", status: 1)
    try folder.write("<plist><dict>", to: "bad")
    let bad = try defaults.run(["import", "D", "bad"])
    #expect(bad.error.hasPrefix("bad: line 1 column "))
    #expect(bad.status == 1)
    try folder.write(Plist.write(["n": .null], as: .binary), to: "null")
    let null = try defaults.run(["import", "D", "null"])
    #expect(null.error.hasPrefix("Could not write domain D; exiting\n"))
    #expect(null.status == 1)
    #expect(try folder.data("user/D.plist") == before)
  }

  @Test("export writes a binary file, or XML to standard output")
  func exporting() throws {
    try expect("export", "D", "x", error: "The domain D does not exist\n", status: 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    try expect("write", "D", "k", "-int", "5")
    try expect("export", "D", "x")
    #expect(try PlistFormat(detecting: folder.data("x")) == .binary)
    #expect(try value(of: "x") == ["k": 5])
    let xml = String(decoding: try Plist.write(["k": 5], as: .xml), as: UTF8.self)
    try expect("export", "D", "-", output: xml)
    try expect(
      "export", "D", "none/x", error: "none/x: cannot open: No such file or directory\n", status: 1)
    try expect("write", "D", "{}")
    try expect("import", "D", "x")
    try expect("read", "D", "k", output: "5\n")
  }

  @Test("export writes any format, to a file or to standard output")
  func exportedFormats() throws {
    try expect("write", "D", "{ a = (x, {}); }")
    try expect("export", "D", "-", "json", output: #"{"a":["x",{}]}"#)
    for (name, format) in [
      ("xml1", PlistFormat.xml), ("json", .json), ("openstep", .openStep),
    ] {
      try expect("export", "D", "x", name)
      #expect(try PlistFormat(detecting: folder.data("x")) == format)
      #expect(try value(of: "x") == ["a": ["x", [:]]])
      try expect(
        "export", "D", "-", name, output: String(decoding: folder.data("x"), as: UTF8.self))
      try expect("import", "E", "x")
      try expect("export", "E", "x2", name)
      #expect(try folder.data("x2") == folder.data("x"))
    }
  }

  @Test("export refuses formats that it does not know or that cannot hold the values")
  func failedExport() throws {
    try expect("write", "D", "k", "-date", "2024-01-31")
    try folder.write("before", to: "x")
    try expect(
      "export", "D", "x", "json",
      error: "x: JSON cannot hold a date (key path k)\n", status: 1)
    try expect(
      "export", "D", "x", "jsno",
      error: "defaults: unknown format: jsno; expected xml1, binary1, json or openstep; "
        + "did you mean json? (see defaults help)\n",
      status: 1)
    try expect(
      "export", "D", "x", "json", "more",
      error:
        "defaults: too many arguments; expected export domain file [format] (see defaults help)\n",
      status: 1)
    #expect(try folder.text("x") == "before")
  }

  // MARK: Processes

  @Test("no write of many at once is lost")
  func concurrency() throws {
    let run = try defaults.shell(
      """
      for i in {1..24}; do $DEFAULTS write D k$i -int $i & done
      for i in {1..24}; do $DEFAULTS write D list -array-add -int $i & done
      wait
      """)
    #expect(run.error == "")
    guard case .dictionary(let domain) = try value(of: "user/D.plist"),
      case .array(let list)? = domain["list"]
    else {
      Issue.record("no list")
      return
    }
    #expect(domain.count == 25)
    for number in 1...24 { #expect(domain["k\(number)"] == .integer(Int64(number))) }
    #expect(Set(list) == Set((1...24).map { .integer($0) }))
    #expect(list.count == 24)
  }
}
