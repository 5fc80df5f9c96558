import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("PlistBuddy with commands of standard input")
struct PlistBuddyInputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("{ a = 1; }", to: "f.plist")
  }

  /// Runs commands on `f.plist`, and expects everything that they print, and the value of the file.
  private func expect(
    _ input: String, output: String = "", error: String = "", status: Int32, value: PlistValue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try PlistBuddyProgram.run(["f.plist"], in: folder, input: Data(input.utf8))
    run.expect(output: output, error: error, status: status, sourceLocation: sourceLocation)
    #expect(
      try Plist.read(folder.data("f.plist")).value == value, sourceLocation: sourceLocation)
  }

  private static let lost = "f.plist: the changes since the last Save are not saved\n"

  @Test("only Save writes")
  func save() throws {
    try expect(
      "Set :a 2\nPrint :a\nSave\nAdd :b string x", output: "2\nSaving...\n", error: Self.lost,
      status: 1, value: ["a": "2"])
    try expect("Set :a 3\nExit\nSave\n", error: Self.lost, status: 0, value: ["a": "2"])
    try expect("Set :a 3\nSet :a 2\n", status: 0, value: ["a": "2"])
    try expect("", status: 0, value: ["a": "2"])
    try expect(
      "CD :x\n\nSet :a 4\nSave\nExit\n", output: "Saving...\n",
      error: "CD: Entry, \":x\", Does Not Exist\n", status: 1, value: ["a": "4"])
  }

  @Test("Revert goes back to what was saved last")
  func revert() throws {
    try expect(
      "Add :d dict\nCD :d\nRevert\nPrint\nSet a 2\nSave\nDelete a\nRevert\nPrint a\n",
      output: """
        Reverting to last saved state...
        Dict {
            a = 1
        }
        Saving...
        Reverting to last saved state...
        2

        """, status: 0, value: ["a": "2"])
  }

  @Test("a failed Save leaves the file and the changes")
  func failedSave() throws {
    try expect(
      "Add :n integer 1\nSave\nPrint :n\nDelete :n\nSet :a 2\nSave\n",
      output: "Saving...\n1\nSaving...\n",
      error: "f.plist: OpenStep text cannot hold an integer (key path n)\n", status: 1,
      value: ["a": "2"])
  }

  @Test("Save creates a missing file if there is something to save")
  func missing() throws {
    let none = try PlistBuddyProgram.run(["new.plist"], in: folder, input: Data("Save\n".utf8))
    none.expect(output: "Saving...\n", error: "File Doesn't Exist, Will Create: new.plist\n")
    #expect(try folder.names() == ["f.plist"])
    let run = try PlistBuddyProgram.run(
      ["new.plist"], in: folder, input: Data("Add :x string y\nSave\nSet :x z\nSave\n".utf8))
    #expect(run.text == "Saving...\nSaving...\n")
    #expect(run.status == 0)
    #expect(try folder.data("new.plist") == Plist.write(["x": "z"], as: .xml))
  }

  @Test("a change by another program is not overwritten")
  func conflict() throws {
    let terminal = try PlistBuddyProgram.terminal(["f.plist"], in: folder, type: "dumb")
    try terminal.enter("Set :a 2")
    try terminal.expect("Command: ")
    try folder.write("{ a = theirs; }", to: "f.plist")
    try terminal.send("Save\r")
    try terminal.expect(
      "Saving...\r\nf.plist: another program has changed the file; Revert reads it anew\r\n")
    #expect(try folder.text("f.plist") == "{ a = theirs; }")
    try terminal.enter("Revert")
    try terminal.expect("Reverting to last saved state...\r\nCommand: ")
    try terminal.send("Add :b string mine\r")
    try terminal.enter("Save")
    try terminal.expect("Saving...\r\nCommand: ")
    #expect(
      try Plist.read(folder.data("f.plist")).value == ["a": "theirs", "b": "mine"])
    try FileManager.default.removeItem(atPath: folder.path("f.plist"))
    try terminal.send("Set :b gone\r")
    try terminal.enter("Save")
    try terminal.expect("another program has changed the file")
    #expect(try folder.names() == [])
    try folder.write("<plist>", to: "f.plist")
    try terminal.send("Revert\r")
    try terminal.expect("f.plist: line 1 column 8: the element has no matching end tag")
    try terminal.enter("Print :b")
    try terminal.expect("gone\r\n")
    try terminal.send("Exit\r")
    #expect(try terminal.exitStatus() == 1)
    #expect(try folder.text("f.plist") == "<plist>")
  }

  @Test("malformed lines are rejected one by one")
  func unusableLines() throws {
    let limit = 1 << 20
    let longest = "Set :a " + String(repeating: "x", count: limit - 7)
    var input = Data("Set :a \0\n".utf8) + Data("Set :a ".utf8) + [0xFF, 0x0A]
    input += Data((longest + "y\n").utf8) + Data(repeating: 0x20, count: 3 * limit)
    input += Data(("\n" + longest + "\nSave\n'\nExit").utf8)
    let run = try PlistBuddyProgram.run(["f.plist"], in: folder, input: input)
    run.expect(
      output: "Saving...\n",
      error: """
        Parse Error: The Line Holds A NUL Byte
        Parse Error: The Line Is Not UTF-8
        Parse Error: The Line Is Longer Than 1048576 Bytes
        Parse Error: The Line Is Longer Than 1048576 Bytes
        Parse Error: Unclosed Quotes

        """, status: 1)
    #expect(
      try Plist.read(folder.data("f.plist")).value
        == ["a": .string(String(repeating: "x", count: limit - 7))])
  }

  @Test("a closed standard input ends the session")
  func closedInput() throws {
    let run = try PlistBuddyProgram.shell("$PLISTBUDDY f.plist <&-", in: folder)
    run.expect()
  }
}
