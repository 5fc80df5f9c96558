import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("PlistBuddy's command line")
struct PlistBuddyBatchTests {
  private let fixture: PlistBuddyFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlistBuddyFixture("{ a = 1; }")
  }

  // MARK: The command line

  static let lines: [([String], String)] = [
    ([], "no files specified"), (["-x"], "no files specified"),
    (["a", "b"], "unexpected b; PlistBuddy takes 1 file"), (["-c"], "-c needs command"),
    (["-z", "a"], "unrecognized option: -z"),
    (["-c", "Print", "-"], "- is no file that can be edited; ./- is the one of that name"),
  ]

  @Test("a malformed command line is rejected", arguments: lines)
  func refusedLine(words: [String], error: String) throws {
    let run = try PlistBuddyProgram.run(words, in: folder)
    run.expect(error: "PlistBuddy: \(error) (see PlistBuddy -help)\n", status: 1)
    #expect(try folder.names() == ["f.plist"])
  }

  @Test("the help has every option and command, and so has the manual page")
  func help() throws {
    let help = try PlistBuddyProgram.run(["-h"], in: folder)
    #expect(help.status == 0)
    #expect(help.error == "")
    #expect(
      help.text.hasPrefix(
        """
        PlistBuddy: edit a property list by commands

        Usage: PlistBuddy [-c command]... [-x] file

        Options:
          -c command              Do this command, and those of further -c, instead of
                                  asking for commands
          -x                      Print values as XML property lists
          --                      Take everything that follows as a file

        """))
    let commands = try PlistBuddyProgram.run(["-c", "Help", "f.plist"], in: folder)
    #expect(
      commands.text.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
        "Print [entry]", "Set entry value", "Add entry type [value]", "Delete entry",
        "Copy entry new-entry", "Merge file [entry]", "Import entry file", "Clear [type]",
        "CD [entry]", "Save", "Revert", "Exit", "Help",
      ])
    let manual = try PlistBuddyProgram.run(["--manual"], in: folder).text
    for line in commands.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      #expect(help.text.split { $0 == " " || $0 == "\n" }.contains(words))
      #expect(manual.replacing("\\-", with: "-").contains("\n.PP\n\(line)\n"))
    }
    #expect(
      try PlistBuddyProgram.run(["--version"], in: folder).text == "PlistBuddy (Larder) 0.1.0\n")
  }

  @Test("-- precedes a file name that begins with a dash, and ./- is the file -")
  func dashes() throws {
    try folder.write("{ a = 2; }", to: "-c")
    try folder.write("{ a = 3; }", to: "-")
    let dash = try PlistBuddyProgram.run(["-c", "Print :a", "--", "-c"], in: folder)
    #expect(dash.text == "2\n")
    #expect(try PlistBuddyProgram.run(["-c", "Print :a", "./-"], in: folder).text == "3\n")
  }

  // MARK: Batches

  @Test("if a command fails, the others run, and the exit status is 1")
  func idiom() throws {
    try fixture.expect(
      "Delete :k", "Add :k string v",
      error: "Delete: Entry, \":k\", Does Not Exist\n", value: ["a": "1", "k": "v"])
    try fixture.expect(
      "Delete :k", "Add :k string w", "Print :k", output: "w\n", value: ["a": "1", "k": "w"])
  }

  @Test("Save, Revert and Exit determine which changes of a batch are kept")
  func states() throws {
    try fixture.expect(
      "Set :a 2", "Save", "Set :a 3", "Revert", "Print :a",
      output: "Saving...\nReverting to last saved state...\n2\n", value: ["a": "2"])
    try fixture.expect("Set :a 9", "Revert", output: "Reverting to last saved state...\n")
    let exit = try PlistBuddyProgram.run(
      [
        "-c", "Set :a 4", "-c", "save", "-c", "Set :a 5", "-c", "EXIT", "-c", "Set :a 6", "f.plist",
      ],
      in: folder)
    exit.expect(
      output: "Saving...\n", error: "f.plist: the changes since the last Save are not saved\n")
    #expect(try Plist.read(folder.data("f.plist")).value == ["a": "4"])
  }
}
