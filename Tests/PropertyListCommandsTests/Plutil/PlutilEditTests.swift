import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -insert, -replace and -remove")
struct PlutilEditTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
  }

  private func value(of name: String = "sample.plist") throws -> PlistValue {
    try Plist.read(folder.data(name)).value
  }

  // MARK: Types

  @Test("several edits are made together or not at all")
  func several() throws {
    let folder = try TemporaryFolder()
    let text = "{ /* a */ a = 1; b = (x); /* c */ c = 3; }"
    try folder.write(text, to: "f")
    func run(_ line: String) throws -> BuiltProgram.Run {
      try Plutil.run(line.split(separator: " ").map(String.init), in: folder)
    }
    try run("-replace a -string 2 -remove nope -insert d -string 4 f")
      .expect(error: "f: No value to remove at key path nope\n", status: 1)
    #expect(try folder.text("f") == text)
    try run("-replace a -string 2 -remove c -insert b -string y -append -insert b.0 -array f")
      .expect()
    #expect(try folder.text("f") == "{ /* a */ a = 2; b = ((),x,y); }")
    try run("-replace a -string 2 -convert xml1 f").expect(
      error:
        "plutil: -convert cannot be combined with -replace; use one command at a time (see plutil -help)\n",
      status: 1)
    try run("-remove a -string x -remove b f").expect(
      error: "plutil: -string cannot be used with -remove (see plutil -help)\n", status: 1)
    try run("-replace a -remove b f").expect(
      error:
        "plutil: -replace needs a type and a value, such as -string text or -bool yes (see plutil -help)\n",
      status: 1)
    #expect(try folder.text("f") == "{ /* a */ a = 2; b = ((),x,y); }")
  }

  @Test("take a value of every type", arguments: types)
  func type(words: [String], value expected: PlistValue) throws {
    try fixture.expect(words: ["-insert", "new"] + words + ["sample.plist"])
    #expect(try value()[PlistKeyPath("new")] == expected)
    try fixture.expect(words: ["-replace", "count", "sample.plist"] + words)
    #expect(try value()[PlistKeyPath("count")] == expected)
  }

  @Test("reject a malformed value", arguments: malformedValues)
  func malformed(words: [String], message: String) throws {
    try fixture.expect(
      words: ["-insert", "new", "sample.plist"] + words,
      error: "plutil: \(message) (see plutil -help)\n", status: 1)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
  }

  // MARK: Places

  @Test("-insert puts a new key into a dictionary, and moves up the rest of an array")
  func insert() throws {
    try fixture.expect("-insert list.0.new -string x sample.plist")
    try fixture.expect("-insert list.1 -integer 1 sample.plist")
    try fixture.expect("-insert list.3 -integer 3 sample.plist")
    try fixture.expect("-insert list -integer 4 -append sample.plist")
    try fixture.expect(#"-insert a\.b -string dot sample.plist"#)
    let list: PlistValue = [["a.b": "deep", "new": "x"], 1, true, 3, 4]
    #expect(try value()[PlistKeyPath("list")] == list)
    #expect(try value()[PlistKeyPath(components: ["a.b"])] == "dot")
  }

  @Test("-replace changes a value, and -remove takes it away")
  func replaceAndRemove() throws {
    try fixture.expect("-replace list.1 -string x sample.plist")
    try fixture.expect("-replace count -integer 6 sample.plist")
    try fixture.expect("-replace new -integer 7 sample.plist")
    #expect(try value()[PlistKeyPath("list")] == [["a.b": "deep"], "x"])
    #expect(try value()[PlistKeyPath("count")] == 6)
    #expect(try value()[PlistKeyPath("new")] == 7)
    try fixture.expect("-remove list.0 sample.plist")
    try fixture.expect("-remove count sample.plist")
    #expect(try value()[PlistKeyPath("list")] == ["x"])
    #expect(try value()[PlistKeyPath("count")] == nil)
    try fixture.expect(words: ["-replace", "", "-array", "sample.plist"])
    #expect(try value() == [])
    try fixture.expect(words: ["-insert", "", "-append", "-string", "x", "sample.plist"])
    #expect(try value() == ["x"])
  }

  @Test(
    "report a key path at which nothing can be changed", arguments: misplaced, ["xml1", "binary1"])
  func place(row: (line: String, message: String), format: String) throws {
    try fixture.expect("-convert \(format) sample.plist")
    let before = try folder.data("sample.plist")
    try fixture.expect(
      "\(row.line) sample.plist", error: "sample.plist: \(row.message)\n", status: 1)
    #expect(try folder.data("sample.plist") == before)
  }

  @Test("replace the root only by a container")
  func root() throws {
    try fixture.expect(
      words: ["-replace", "", "-string", "x", "sample.plist"],
      error: "plutil: the root can only be replaced with a dictionary or an array "
        + "(see plutil -help)\n", status: 1)
    try fixture.expect(
      words: ["-insert", "", "-dictionary", "sample.plist"],
      error: "sample.plist: there is already a value\n", status: 1)
    try fixture.expect(
      words: ["-remove", "", "sample.plist"],
      error: "sample.plist: the root cannot be removed\n", status: 1)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
  }

  // MARK: Files

  @Test("keep the format of the file", arguments: formats)
  func format(before: String, after: String) throws {
    try folder.write(before, to: "file")
    try fixture.expect("-insert b -string x file")
    #expect(try folder.text("file") == after)
  }

  @Test("write the whole file with --reformat, and JSON with -r")
  func reformat() throws {
    try folder.write("{ /* c */ b = \"1\"; }", to: "old")
    try fixture.expect("-insert a -string x --reformat old")
    #expect(try folder.text("old") == "{\n\ta = x;\n\tb = 1;\n}\n")
    try folder.write("{\"b\":1}", to: "json")
    try fixture.expect("-insert a -string x -r json")
    #expect(try folder.text("json") == "{\n  \"a\" : \"x\",\n  \"b\" : 1\n}")
    try folder.write("{\"b\":1}\n", to: "json")
    try fixture.expect("-remove b -n json")
    #expect(try folder.text("json") == "{}")
  }

  @Test("warn if comments and layout are lost")
  func rewritten() throws {
    try folder.write("/* c */\n\"a\" = \"b\";\n", to: "t.strings")
    try fixture.expect(
      words: ["-replace", "", "-array", "t.strings"],
      error:
        "t.strings: warning: comments and layout are lost: a strings table cannot be an array\n")
    #expect(try folder.text("t.strings") == "()\n")
  }

  @Test("keep a binary file binary, and change many files in one go")
  func files() throws {
    try folder.write(try Plist.write(["a": 1], as: .binary), to: "binary")
    try folder.write(#"{"a":{}}"#, to: "json")
    try fixture.expect(
      "-insert b -string x binary missing json -- sample.plist",
      error:
        "missing: file does not exist or is not readable or is not a regular file (No such file or directory)\n",
      status: 1)
    #expect(PlistFormat(detecting: try folder.data("binary")) == .binary)
    #expect(try value(of: "binary") == ["a": 1, "b": "x"])
    #expect(try folder.text("json") == #"{"a":{},"b":"x"}"#)
    #expect(try value()[PlistKeyPath("b")] == "x")
    #expect(try folder.names() == ["binary", "json", "sample.plist"])
  }

  @Test("reject values that the format of the file cannot hold")
  func unrepresentable() throws {
    try folder.write(#"{"a":1}"#, to: "json")
    try fixture.expect(
      "-insert d -date 2024-01-01 json",
      error:
        "json: invalid object in plist for destination format: JSON cannot represent dates (key path d)\n",
      status: 1)
    try fixture.expect(
      "-insert d -float nan json",
      error:
        "json: invalid object in plist for destination format: JSON cannot represent infinity or NaN (key path d)\n",
      status: 1)
    #expect(try folder.text("json") == #"{"a":1}"#)
    try fixture.expect("-insert d -date 2024-01-01 --lossy -n json")
    #expect(try folder.text("json") == #"{"a":1,"d":"2024-01-01T00:00:00Z"}"#)
    try folder.write("{ a = 1; }", to: "old")
    try fixture.expect(
      "-insert i -integer 1 old",
      error:
        "old: invalid object in plist for destination format: OpenStep text cannot represent integers (key path i)\n",
      status: 1)
    #expect(try folder.text("old") == "{ a = 1; }")
  }

  @Test("write the result to the destination of -o, -e and -, and leave the input alone")
  func destinations() throws {
    let changed = try fixture.xml(["b": "x"])
    let empty = try fixture.xml([:])
    try folder.write(empty, to: "empty.plist")
    try fixture.expect("-insert b -string x -o - empty.plist", output: changed)
    try fixture.expect("-insert b -string x -", input: empty, output: changed)
    try fixture.expect("-insert b -string x -o new.plist empty.plist")
    #expect(try folder.text("new.plist") == changed)
    try fixture.expect("-insert b -string x -e xml empty.plist")
    #expect(try folder.text("empty.xml") == changed)
    #expect(try folder.text("empty.plist") == empty)
  }

  @Test("warn about keys that are lost in a value, and in the file")
  func warnings() throws {
    try folder.write("{ a = 1; a = 2; }", to: "twice")
    let words = ["-insert", "b", "-json", #"{"k":1,"k":2}"#, "twice"]
    try fixture.expect(
      words: words,
      error: """
        the value: warning: line 1 column 8: the key appears more than once; the last value wins (key path k)
        twice: warning: line 1 column 10: the key appears more than once; the last value wins (key path a)
        twice: invalid object in plist for destination format: OpenStep text cannot represent integers (key path b.k)

        """, status: 1)
    try fixture.expect(
      words: words + ["-s"],
      error:
        "twice: invalid object in plist for destination format: OpenStep text cannot represent integers (key path b.k)\n",
      status: 1)
  }

  @Test("warn about a file only in messages about that file")
  func warningsOfOneFile() throws {
    try folder.write("{ a = 1; a = 2; }", to: "twice")
    try fixture.expect(
      "-insert b -string x twice missing",
      error: """
        twice: warning: line 1 column 10: the key appears more than once; the last value wins (key path a)
        missing: file does not exist or is not readable or is not a regular file (No such file or directory)

        """, status: 1)
  }
}
