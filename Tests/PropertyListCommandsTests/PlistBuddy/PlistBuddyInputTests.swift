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

  private static let lost = "f.plist: unsaved changes were discarded\n"

  @Test("only Save writes, and every line is asked for with a prompt on standard output")
  func save() throws {
    try expect(
      "Set :a 2\nPrint :a\nSave\nAdd :b string x",
      output: "Command: Command: 2\nCommand: Saving...\nCommand: Command: ", error: Self.lost,
      status: 1, value: ["a": "2"])
    try expect(
      "Set :a 3\nExit\nSave\n", output: "Command: Command: ", error: Self.lost, status: 0,
      value: ["a": "2"])
    try expect(
      "Set :a 3\nSet :a 2\n", output: "Command: Command: Command: ", status: 0, value: ["a": "2"])
    try expect("", output: "Command: ", status: 0, value: ["a": "2"])
    try expect(
      "CD :x\n\n \t\nSet :a 4\nSave\nExit\n",
      output: "Command: Command: Command: Command: Command: Saving...\nCommand: ",
      error: "CD: Entry, \":x\", Does Not Exist\n", status: 1, value: ["a": "4"])
  }

  @Test("a line that does not parse stops neither those before nor those after it")
  func malformed() throws {
    try expect(
      "Set :a 2\nSett :a 3\nSave\n",
      output: "Command: Command: Unrecognized Command\nCommand: Saving...\nCommand: ",
      error: "PlistBuddy: unrecognized command: Sett; did you mean Set?\n", status: 1,
      value: ["a": "2"])
  }

  @Test("commands that end the session, and their aliases", arguments: ["Exit", "Quit", "BYE"])
  func exit(command: String) throws {
    try expect("\(command)\nSet :a 2\nSave\n", output: "Command: ", status: 0, value: ["a": "1"])
  }

  @Test("? prints the guide")
  func questionMark() throws {
    let guide = try PlistBuddyProgram.run(["-c", "Help", "f.plist"], in: folder).text
    try expect("?\n", output: "Command: \(guide)Command: ", status: 0, value: ["a": "1"])
  }

  @Test("Revert goes back to what was saved last")
  func revert() throws {
    try expect(
      "Add :d dict\nCD :d\nRevert\nPrint\nSet a 2\nSave\nDelete a\nRevert\nPrint a\n",
      output: """
        Command: Command: Command: Reverting to last saved state...
        Command: Dict {
            a = 1
        }
        Command: Command: Saving...
        Command: Command: Reverting to last saved state...
        Command: 2
        Command:\u{20}
        """, status: 0, value: ["a": "2"])
  }

  @Test("a failed Save leaves the file and the changes")
  func failedSave() throws {
    try expect(
      "Add :n integer 1\nSave\nPrint :n\nDelete :n\nSet :a 2\nSave\n",
      output:
        "Command: Command: Saving...\nCommand: 1\nCommand: Command: Command: Saving...\nCommand: ",
      error: "f.plist: OpenStep text cannot represent integers (key path n)\n", status: 1,
      value: ["a": "2"])
  }

  @Test("Save creates a missing file, empty or not; Clear alone does not")
  func missing() throws {
    let created = "File Doesn't Exist, Will Create: new.plist\n"
    let lost = try PlistBuddyProgram.run(["new.plist"], in: folder, input: Data("Clear\n".utf8))
    lost.expect(
      output: "\(created)Command: Initializing Plist...\nCommand: ",
      error: "new.plist: unsaved changes were discarded\n", status: 1)
    #expect(try folder.names() == ["f.plist"])
    let empty = try PlistBuddyProgram.run(
      ["new.plist"], in: folder, input: Data("Revert\nSave\n".utf8))
    empty.expect(
      output: """
        \(created)Command: Reverting to last saved state...
        \(created)Command: Saving...
        Command:\u{20}
        """)
    #expect(try folder.data("new.plist") == Plist.write([:], as: .xml))
    try PlistBuddyProgram.run(
      ["new.plist"], in: folder, input: Data("Add :x string y\nSave\nSet :x z\nSave\n".utf8)
    ).expect(
      output: "Command: Command: Saving...\nCommand: Command: Saving...\nCommand: ")
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
      "Saving...\r\nf.plist: another program has changed the file; Revert discards your changes\r\n"
    )
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
    try terminal.expect(
      "f.plist: line 1 column 8: expected </plist>, found the end of the document")
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
      output: """
        Command: Parse Error: Invalid Text
        Command: Parse Error: Invalid Text
        Command: Parse Error: Line Too Long
        Command: Parse Error: Line Too Long
        Command: Command: Saving...
        Command: Parse Error: Unclosed Quotes
        Command:\u{20}
        """,
      error: #"""
        PlistBuddy: the line contains a NUL byte
        PlistBuddy: the line is not UTF-8
        PlistBuddy: a line may be at most 1048576 bytes long
        PlistBuddy: a line may be at most 1048576 bytes long
        PlistBuddy: a single quote is never closed; type \' for the character itself

        """#, status: 1)
    #expect(
      try Plist.read(folder.data("f.plist")).value
        == ["a": .string(String(repeating: "x", count: limit - 7))])
  }

  @Test("a closed standard input ends the session")
  func closedInput() throws {
    let run = try PlistBuddyProgram.shell("$PLISTBUDDY f.plist <&-", in: folder)
    run.expect(output: "Command: ")
  }
}
