import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("defaults, importing and exporting")
struct DefaultsFileTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
  }

  @Test("import merges a property list of any format")
  func importing() throws {
    try defaults.expect("write", "D", "{ a = 1; b = 2; }")
    try defaults.expect("import", "D", "-", input: "{ b = 3; c = 4; }")
    try defaults.expect("read", "D", output: "{\n    a = 1;\n    b = 3;\n    c = 4;\n}\n")
    try folder.write("<plist><dict><key>d</key><true/></dict></plist>", to: "x.xml")
    try defaults.expect("import", "D", "x.xml")
    try folder.write(Plist.write(["e": .unsignedInteger(.max)], as: .binary), to: "x.bin")
    try defaults.expect("import", "D", "x.bin")
    #expect(
      try defaults.value(of: "user/D.plist") == [
        "a": "1", "b": "3", "c": "4", "d": true, "e": .unsignedInteger(.max),
      ])
  }

  @Test("import rejects anything but a dictionary of preferences")
  func badImports() throws {
    try defaults.expect("write", "D", "{ a = 1; }")
    let before = try folder.data("user/D.plist")
    let notDictionary = "the property list is not a dictionary; leaving defaults unchanged.\n"
    try defaults.expect(
      "import", "D", "-", input: "(1)", error: "<stdin>: \(notDictionary)", status: 1)
    try defaults.expect(
      "import", "D", "-", error: "<stdin>: the document is empty; expected a property list\n",
      status: 1)
    try defaults.expect(
      "import", "D", "none",
      error:
        "none: file does not exist or is not readable or is not a regular file (No such file or directory)\n",
      status: 1)
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

  @Test(
    "export writes through descriptors, and never replaces what they lead to",
    arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func exportToDescriptor(path: String) throws {
    try defaults.expect("write", "D", "k", "-int", "5")
    try folder.write("before\n", to: "log")
    for _ in 0..<2 {
      let run = try defaults.shell("$DEFAULTS export D \(path) json >> log")
      run.expect()
    }
    #expect(try folder.text("log") == "before\n{\"k\":5}{\"k\":5}")
  }

  @Test("export writes a binary file, or XML to standard output")
  func exporting() throws {
    try defaults.expect("export", "D", "x", error: "The domain D does not exist\n", status: 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    try defaults.expect("write", "D", "k", "-int", "5")
    try defaults.expect("export", "D", "x")
    #expect(try PlistFormat(detecting: folder.data("x")) == .binary)
    #expect(try defaults.value(of: "x") == ["k": 5])
    let xml = String(decoding: try Plist.write(["k": 5], as: .xml), as: UTF8.self)
    try defaults.expect("export", "D", "-", output: xml)
    try defaults.expect(
      "export", "D", "none/x", error: "none/x: cannot open: No such file or directory\n", status: 1)
    try defaults.expect("write", "D", "{}")
    try defaults.expect("import", "D", "x")
    try defaults.expect("read", "D", "k", output: "5\n")
  }

  @Test(
    "export writes any format, to a file or to standard output",
    arguments: [("xml1", PlistFormat.xml), ("json", .json), ("openstep", .openStep)])
  func exportedFormat(name: String, format: PlistFormat) throws {
    try defaults.expect("write", "D", "{ a = (x, {}); }")
    try defaults.expect("export", "D", "x", name)
    #expect(try PlistFormat(detecting: folder.data("x")) == format)
    #expect(try defaults.value(of: "x") == ["a": ["x", [:]]])
    try defaults.expect(
      "export", "D", "-", name, output: String(decoding: folder.data("x"), as: UTF8.self))
    try defaults.expect("import", "E", "x")
    try defaults.expect("export", "E", "x2", name)
    #expect(try folder.data("x2") == folder.data("x"))
  }

  @Test("export ends JSON without a newline")
  func exportedJSON() throws {
    try defaults.expect("write", "D", "{ a = (x, {}); }")
    try defaults.expect("export", "D", "-", "json", output: #"{"a":["x",{}]}"#)
  }

  @Test("export rejects unknown formats, and formats that cannot hold the values")
  func failedExport() throws {
    try defaults.expect("write", "D", "k", "-date", "2024-01-31")
    try folder.write("before", to: "x")
    try defaults.expect(
      "export", "D", "x", "json",
      error: "x: JSON cannot represent dates (key path k); expected types of JSON, or use "
        + "defaults export D - | plutil -convert json --typed -o - -\n", status: 1)
    try defaults.expect(
      "export", "D", "x", "jsno",
      error: "defaults: unknown format: jsno; expected xml1, binary1, json or openstep; "
        + "did you mean json? (see defaults help)\n",
      status: 1)
    try defaults.expect(
      "export", "D", "x", "json", "more",
      error:
        "defaults: too many arguments; usage: export domain file [format] (see defaults help)\n",
      status: 1)
    #expect(try folder.text("x") == "before")
  }
}
