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
    ([], "No file specified."), (["-x"], "No file specified."),
    (["a", "b"], "unexpected argument b; PlistBuddy takes 1 file"), (["-c"], "-c needs a command"),
    (["-z", "a"], "unrecognized option: -z"),
    (["-xz", "a"], "unrecognized option: -xz"),
    (
      ["-c", "Print", "-"],
      "- is not a file; use /dev/stdin to print standard input, or ./- for a file of that name"
    ),
  ]

  @Test("a malformed command line is rejected", arguments: lines)
  func refusedLine(words: [String], error: String) throws {
    let run = try PlistBuddyProgram.run(words, in: folder)
    run.expect(error: "PlistBuddy: \(error) (see PlistBuddy -help)\n", status: 1)
    #expect(try folder.names() == ["f.plist"])
  }

  @Test("the help begins with the options and has the guide that Help prints")
  func help() throws {
    let help = try PlistBuddyProgram.run(["-h"], in: folder)
    #expect(help.status == 0)
    #expect(help.error == "")
    #expect(
      help.text.hasPrefix(
        """
        PlistBuddy: print and edit property lists with commands

        Usage: PlistBuddy [-c command]... [-x] [-l] [--lenient] [--encoding name] file

        Options:
          -c command              Run a command instead of prompting for commands; may
                                  be repeated
          -x                      Print values as XML property lists
          -l                      Fail if the path of the file contains a symbolic link

        """))
    let guide = try PlistBuddyProgram.run(["-c", "Help", "f.plist"], in: folder).text
    #expect(
      guide.hasPrefix(
        """
        Commands:
          The names of commands and types are not case-sensitive.
          Print [entry]           Print the value of an entry, or of the working
                                  container (also: ls)
                                  Example: Print :CFBundleVersion
          Set entry [value]       Change the value of an existing entry, which keeps its
                                  type; the values of an array or a dict are set one by
                                  one. Without a value, a string or data becomes empty
                                  (also: =)
                                  Example: Set :CFBundleVersion 1.2

        """))
    #expect(help.text.hasSuffix(guide))
    #expect(
      guide.split(separator: "\n").filter { $0.wholeMatch(of: /[A-Z][a-z ]+:/) != nil } == [
        "Commands:", "Entries:", "Types:", "Words and values:", "Output:",
      ])
    #expect(
      try PlistBuddyProgram.run(["--version"], in: folder).text == "PlistBuddy (Larder) 0.1.0\n")
  }

  @Test("every example of the guide is a command that runs")
  func examples() throws {
    try folder.write("bytes", to: "icon.png")
    try folder.write("{ Color = red; }", to: "defaults.plist")
    let guide = try PlistBuddyProgram.run(["-c", "Help", "f.plist"], in: folder).text
    let examples = guide.matches(of: /Example: (.+)/).map { String($0.output.1) }
    #expect(examples.count == 16)
    for example in examples {
      try folder.write(
        "{ CFBundleVersion = 1; Tags = ( a, b ); Settings = { Size = 1; }; }", to: "f.plist")
      let preparation = example.hasPrefix("Add :Tags array") ? ["-c", "Delete :Tags"] : []
      let run = try PlistBuddyProgram.run(
        preparation + ["-c", example, "-c", "Clear", "f.plist"], in: folder)
      #expect(run.error == "", "\(example)")
      #expect(run.status == 0, "\(example)")
    }
  }

  @Test("the manual page explains every command, and every difference from Apple's")
  func manual() throws {
    let manual = try PlistBuddyProgram.run(["--manual"], in: folder).text
      .replacing("\\-", with: "-").replacing("\\(aq", with: "'")
    let guide = try PlistBuddyProgram.run(["-c", "Help", "f.plist"], in: folder).text
    let terms = guide.matches(of: /(?m)^  ([^ ].{0,22}?)  +[^ ]/).map(\.output.1)
    #expect(terms.count == 19)
    for term in terms { #expect(manual.contains("\n.TP\n\\fB\(term)\\fR\n"), "\(term)") }
    #expect(manual.contains("\n.SH DIFFERENCES FROM APPLE'S PLISTBUDDY\n"))
    #expect(try !PlistBuddyProgram.run(["-h"], in: folder).text.contains("Differences"))
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

  @Test("of several commands, a failure names the command and the entry, but no value")
  func named() throws {
    let fixture = try PlistBuddyFixture(
      "<plist><dict><key>a</key><string>1</string></dict></plist>")
    try fixture.expect(
      "Add :d dict", "Set :d secret", "Add :n integer 1", "Set :n secret", "Delete :missing",
      output: "Unrecognized Integer Format\n",
      error: """
        Set: Cannot Perform Set On Containers
        PlistBuddy: command 2 of 5 (Set :d) failed
        PlistBuddy: not an integer; expected digits, or 0x and hexadecimal digits
        PlistBuddy: command 4 of 5 (Set :n) failed
        Delete: Entry, ":missing", Does Not Exist

        """, value: ["a": "1", "d": [:], "n": 1])
  }

  @Test("if one command does not parse, none runs, and nothing is saved")
  func parsedFirst() throws {
    try fixture.expect(
      "Set :a 42", "Save", "Sett :b 1",
      output: "Unrecognized Command\n",
      error: """
        PlistBuddy: no command was run, because command 3 of 3 (Sett :b) is malformed: unrecognized \
        command: Sett; did you mean Set?

        """)
    try fixture.expect(
      "Delete :a", "Add :n bogus", output: "Unrecognized Type: bogus\n",
      error: """
        PlistBuddy: no command was run, because command 2 of 2 (Add :n) is malformed: expected string, array, \
        dict, bool, real, integer, date or data

        """)
    try fixture.expect(
      "Print", "Add :n integer x", "Sett",
      output: "Unrecognized Integer Format\n",
      error: """
        PlistBuddy: no command was run, because command 2 of 3 (Add :n) is malformed: not an integer; \
        expected digits, or 0x and hexadecimal digits

        """)
    let run = try PlistBuddyProgram.run(["-c", "Add :a string 'x", "new.plist"], in: folder)
    run.expect(
      output: "Parse Error: Unclosed Quotes\n",
      error: #"""
        PlistBuddy: a single quote is never closed; type \' for the character itself

        """#, status: 1)
    #expect(try folder.names() == ["f.plist"])
  }

  @Test("Revert goes back to the last Save of a batch, and Exit has no effect")
  func states() throws {
    try fixture.expect(
      "Set :a 2", "Save", "Set :a 3", "Revert", "Print :a",
      output: "Saving...\nReverting to last saved state...\n2\n", value: ["a": "2"])
    try fixture.expect("Set :a 9", "Revert", output: "Reverting to last saved state...\n")
    try fixture.expect(
      "Set :a 4", "save", "Set :a 5", "EXIT", "Add :b string 6", output: "Saving...\n",
      value: ["a": "5", "b": "6"])
  }

  @Test("options of one letter may be one word", arguments: ["-xc", "-cx", "-lxc"])
  func combinedOptions(word: String) throws {
    let run = try PlistBuddyProgram.run([word, "Print :a", "f.plist"], in: folder)
    #expect(run.output == (try Plist.write("1", as: .xml)))
    #expect(run.status == 0)
  }
}
