import Foundation
import PropertyList
import TestSupport
import Testing

/// Sessions with the same output and exit status as in Apple's PlistBuddy.
@Suite("PlistBuddy in agreement with Apple's")
struct PlistBuddyReferenceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.xml(Self.dictionary), to: "dict.plist")
    try folder.write(Self.xml(["a", "b"]), to: "array.plist")
    try folder.write(Self.xml(["b": "two", "arr": ["y"]]), to: "merge-dict.plist")
    try folder.write(Self.xml(["m1", "m2"]), to: "merge-array.plist")
    try folder.write(Data("ABC\0DEF".utf8), to: "blob.bin")
  }

  private static func xml(_ value: PlistValue) throws -> Data { try Plist.write(value, as: .xml) }

  private static let dictionary: PlistValue = [
    "plain": "text", "root": ["a": "one", "arr": ["x"]],
  ]

  private static let root = "Dict {\n    a = one\n    arr = Array {\n        x\n    }\n}\n"

  /// The file of a session.
  enum File: String {
    case missing = "missing.plist"
    case dict = "dict.plist"
    case array = "array.plist"

    /// The notice about the file, if any.
    var notice: String {
      self == .missing ? "File Doesn't Exist, Will Create: missing.plist\n" : ""
    }
  }

  /// The value of the file at the end; nil for no change.
  typealias Case = (
    file: File, commands: [String], output: String, error: String, value: PlistValue?
  )

  static let sessions: [Case] = [
    (.missing, ["Print"], "Dict {\n}\n", "", nil),
    (
      .missing, ["Clear array", "Add :0 string x", "Print"],
      "Initializing Plist...\nArray {\n    x\n}\n", "", ["x"]
    ),
    (
      .missing, [#"Add :m string "hello world""#, "Print :m"], "hello world\n", "",
      ["m": "hello world"]
    ),
    (
      .missing, [#"Add :foo\:bar string baz"#, #"Print :foo\:bar"#], "baz\n", "", ["foo:bar": "baz"]
    ),
    (
      .missing, [#"Add :d date "Mon Jan 01 00:00:00 UTC 2024""#, "Print :d"],
      "Mon Jan 01 00:00:00 UTC 2024\n", "",
      ["d": .date(.init(timeIntervalSinceReferenceDate: 725_760_000))]
    ),
    (
      .missing, ["Add :a string x", "Save", "Set :a y", "Revert", "Print :a"],
      "Saving...\nReverting to last saved state...\nx\n", "", ["a": "x"]
    ),
    (.dict, ["cp :root :copy", "Print :copy"], root, "", nil),
    (
      .dict, ["CD :root", "Delete :root", "Print"],
      "Working Container has become Invalid.  Setting to :\nDict {\n    plain = text\n}\n", "",
      ["plain": "text"]
    ),
    (.dict, ["CD :root", "Print a"], "one\n", "", nil),
    (.dict, ["ls :root"], root, "", nil),
    (
      .dict, ["Merge merge-dict.plist :root", "Print :root:b"],
      "Duplicate Entry Was Skipped: arr\ntwo\n", "",
      ["plain": "text", "root": ["a": "one", "arr": ["x"], "b": "two"]]
    ),
    (
      .dict, ["Merge -r merge-dict.plist :root", "Print :root:arr"],
      "Array {\n    x\n    y\n}\n", "",
      ["plain": "text", "root": ["a": "one", "arr": ["x", "y"], "b": "two"]]
    ),
    (
      .array, ["Merge merge-array.plist", "Print"],
      "Array {\n    a\n    b\n    m1\n    m2\n}\n", "", ["a", "b", "m1", "m2"]
    ),
    (
      .dict, ["Import :blob blob.bin", "Print :blob"], "ABC\0DEF\n", "",
      ["plain": "text", "root": ["a": "one", "arr": ["x"]], "blob": .data(Data("ABC\0DEF".utf8))]
    ),
    (.array, ["Add : string c", "Print :2"], "c\n", "", ["a", "b", "c"]),
    (.array, ["Add :99 string c", "Print :2"], "c\n", "", ["a", "b", "c"]),
    (
      .dict, ["Set :plain new", "Exit"], "", "",
      ["plain": "new", "root": ["a": "one", "arr": ["x"]]]
    ),
    (.missing, ["Print :missing"], "", "Print: Entry, \":missing\", Does Not Exist\n", nil),
    (
      .missing, ["Add :a string x", "Add :a string y"], "", "Add: \":a\" Entry Already Exists\n",
      ["a": "x"]
    ),
  ]

  @Test("-c", arguments: sessions)
  func batch(session: Case) throws {
    let name = session.file.rawValue
    let before = try? folder.data(name)
    let run = try PlistBuddyProgram.run(
      [name] + session.commands.flatMap { ["-c", $0] }, in: folder)
    run.expect(
      output: session.file.notice + session.output, error: session.error,
      status: session.error.isEmpty ? 0 : 1)
    if let value = session.value {
      #expect(try folder.data(name) == Self.xml(value))
    } else if !session.commands[0].hasPrefix("cp") {
      #expect((try? folder.data(name)) == before)
    }
  }

  @Test(
    "standard input",
    arguments: [
      ("", "Command: "), ("Quit\n", "Command: "), ("Bye\n", "Command: "),
      ("Print :root\nExit\n", "Command: \(root)Command: "),
    ])
  func interactive(input: String, output: String) throws {
    let run = try PlistBuddyProgram.run(["dict.plist"], in: folder, input: Data(input.utf8))
    run.expect(output: output)
  }

  @Test("-x")
  func printXML() throws {
    let run = try PlistBuddyProgram.run(["dict.plist", "-x", "-c", "Print :root"], in: folder)
    #expect(run.output == (try Self.xml(["a": "one", "arr": ["x"]])))
    #expect(run.error == "")
    #expect(run.status == 0)
  }
}
