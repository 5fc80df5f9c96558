import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -edit")
struct PlutilEditorTests {
  private let folder: TemporaryFolder

  private static let text = """
    {
        // The size
        size = 12;
        name = old;
    }

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.text, to: "f.plist")
    try folder.write(Plist.write(["size": 12, "name": "old"], as: .binary), to: "b.plist")
  }

  private func edit(_ words: String, _ steps: String...) throws -> Plutil.Run {
    try EditorScript.write(steps, in: folder)
    return try Plutil.shell(EditorScript.running("$PLUTIL -edit \(words)"), in: folder)
  }

  @Test("opens a text as it is, and keeps what the editor makes of it")
  func text() throws {
    try edit("f.plist", #"stat -c %a "$1"; sed -i 's/12/13/; s/The size/Its size/' "$1""#)
      .expect(output: "600\n- size: \"12\"\n+ size: \"13\"\n")
    #expect(try folder.text("seen1") == Self.text)
    #expect(
      try folder.text("f.plist")
        == Self.text.replacing("12", with: "13").replacing("The", with: "Its"))
    #expect(try folder.names("tmp") == [])
  }

  @Test(
    "opens a binary file in a form, and leaves it binary", arguments: ["xml1", "json", "openstep"])
  func binary(form: String) throws {
    try edit("--as \(form) b.plist", #"sed -i 's/12/13/' "$1""#)
      .expect(output: "- size: 12\n+ size: 13\n")
    let data = try folder.data("b.plist")
    #expect(PlistFormat(detecting: data) == .binary)
    #expect(try Plist.read(data).value == ["size": 13, "name": "old"])
  }

  @Test("keeps comments and layout of a text that is edited in another form")
  func otherForm() throws {
    try edit("--as json f.plist", #"sed -i 's/"12"/"13"/' "$1""#)
      .expect(output: "- size: \"12\"\n+ size: \"13\"\n")
    #expect(try folder.text("f.plist") == Self.text.replacing("12", with: "13"))
  }

  @Test("keeps what others have saved, also in a text")
  func merging() throws {
    try edit(
      "f.plist", #"sed -i 's/12/13/' "$1"; $PLUTIL -replace name -string new f.plist"#
    ).expect(output: "- size: \"12\"\n+ size: \"13\"\n")
    #expect(
      try folder.text("f.plist")
        == Self.text.replacing("12", with: "13").replacing("old", with: "new"))
    try edit(
      "b.plist", #"sed -i 's/12/13/' "$1"; $PLUTIL -replace name -string new b.plist"#
    ).expect(output: "- size: 12\n+ size: 13\n")
    #expect(try Plist.read(folder.data("b.plist")).value == ["size": 13, "name": "new"])
  }

  @Test(
    "changes nothing without a changed text",
    arguments: [
      ("true", "f.plist: the text is unchanged; nothing was changed\n", 0),
      (#": > "$1""#, "f.plist: the text is empty; nothing was changed\n", 1),
      ("exit 3", "f.plist: the editor sh ./editor ended with status 3; nothing was changed\n", 1),
      (
        #"echo x > "$1"; kill $$"#,
        "f.plist: the editor sh ./editor ended by signal 15; nothing was changed; "
          + "your text is in TMP/f.plist-XXXXXX.plist\n", 1
      ),
    ] as [(String, String, Int32)])
  func abort(step: String, error: String, status: Int32) throws {
    try edit("f.plist", step).expect(error: error, status: status)
    #expect(try folder.text("f.plist") == Self.text)
    #expect(try folder.names("tmp").count == (error.contains("TMP") ? 1 : 0))
  }

  @Test("keeps a malformed text, and one with conflicts, in a file")
  func failure() throws {
    try edit("f.plist", #"echo '{ size = ; }' > "$1""#).expect(
      error: """
        f.plist: line 1 column 10: expected a value (key path size)
        f.plist: nothing was changed; your text is in TMP/f.plist-XXXXXX.plist

        """, status: 1)
    let kept = try folder.names("tmp")
    #expect(try kept.map { try folder.text("tmp/\($0)") } == ["{ size = ; }\n"])
    #expect(try folder.text("f.plist") == Self.text)

    try edit("b.plist", #"sed -i 's/12/13/' "$1"; $PLUTIL -replace size -integer 14 b.plist"#)
      .expect(
        error: """
          b.plist: conflict at size: another program has changed the same value
          b.plist: nothing was changed; your text is in TMP/b.plist-XXXXXX.plist

          """, status: 1)
    #expect(try Plist.read(folder.data("b.plist")).value == ["size": 14, "name": "old"])
  }

  @Test(
    "says so if only white space is changed",
    arguments: [
      ("f.plist", #"echo >> "$1""#, "the values are unchanged; the text was saved"),
      ("b.plist", #"echo >> "$1""#, "the values are unchanged; nothing was changed"),
    ])
  func whiteSpace(file: String, step: String, message: String) throws {
    try edit(file, step).expect(error: "\(file): \(message)\n")
    #expect(try folder.text("f.plist") == Self.text + (file == "f.plist" ? "\n" : ""))
  }

  @Test("takes an editor with variables and options")
  func variables() throws {
    try Plutil.shell(
      #"EDITOR='A=1 B="2 3" sh -c '\''echo "$A $B"; sed -i s/12/13/ "$1"'\'' sh' VISUAL= $PLUTIL -edit f.plist"#,
      in: folder
    ).expect(output: "1 2 3\n- size: \"12\"\n+ size: \"13\"\n")
  }

  @Test("opens a strings table under its extension")
  func stringsTable() throws {
    try folder.write("\"a\" = \"b\";\n", to: "Main.strings")
    try edit("Main.strings", #"case $1 in *.strings) sed -i 's/"b"/"c"/' "$1" ;; esac"#)
      .expect(output: "- a: \"b\"\n+ a: \"c\"\n")
  }

  @Test("needs an editor, and a file")
  func nothingToEdit() throws {
    try Plutil.shell("PATH=/none EDITOR= VISUAL= $PLUTIL -edit f.plist", in: folder).expect(
      error: "f.plist: no editor found; set VISUAL or EDITOR to its command\n", status: 1)
    try edit("-").expect(error: "<stdin>: not a regular file\n", status: 1)
    try edit("--as binary1 f.plist").expect(
      error: "plutil: unknown form: binary1; expected xml1, json or openstep (see plutil -help)\n",
      status: 1)
  }

  // MARK: At a terminal

  private func terminal(_ file: String, _ steps: String...) throws -> PseudoTerminal {
    try EditorScript.write(steps, in: folder)
    return try PseudoTerminal(
      Plutil.program.path, ["-edit", file], in: folder,
      environment: [
        "TERM": "dumb", "EDITOR": EditorScript.command, "VISUAL": "", "TMPDIR": folder.path,
        "PLUTIL": Plutil.program.path,
      ])
  }

  @Test("opens the editor again on a malformed text, with the error above it")
  func again() throws {
    let terminal = try terminal(
      "f.plist", #"sed -i 's/12;/13/' "$1""#, #"sed -i 's/13/13;/' "$1""#)
    try terminal.expect("Edit again? [y/n] ")
    try terminal.send("perhaps\r")
    try terminal.expect("Edit again? [y/n] ")
    try terminal.send("y\r")
    try terminal.expect("- size: \"12\"\r\n+ size: \"13\"\r\n")
    #expect(try terminal.exitStatus() == 0)
    #expect(
      try folder.text("seen2") == """
        //# line 5 column 14: expected ;
        //# These lines are removed when the text is read.

        """ + Self.text.replacing("12;", with: "13"))
    #expect(try folder.text("f.plist") == Self.text.replacing("12", with: "13"))
    #expect(try folder.names().filter { $0.hasPrefix("f.plist-") } == [])
  }

  @Test("keeps the earlier text if a later one is empty")
  func emptied() throws {
    let terminal = try terminal("f.plist", #"echo '{' > "$1""#, #": > "$1""#)
    try terminal.expect("Edit again? [y/n] ")
    try terminal.send("y\r")
    try terminal.expect("f.plist: the text is empty; nothing was changed; your text is in ")
    #expect(try terminal.exitStatus() == 1)
    #expect(try folder.text("f.plist") == Self.text)
    let kept = try folder.names().filter { $0.hasPrefix("f.plist-") }
    #expect(try kept.map(folder.text) == ["{\n"])
  }

  @Test("gives up, and keeps the text, at the person's wish", arguments: ["n\r", "\u{4}"])
  func givingUp(answer: String) throws {
    let terminal = try terminal("f.plist", #"echo '{' > "$1""#)
    try terminal.expect("Edit again? [y/n] ")
    try terminal.send(answer)
    #expect(try terminal.exitStatus() == 1)
    #expect(try folder.text("f.plist") == Self.text)
    let kept = try folder.names().filter { $0.hasPrefix("f.plist-") }
    #expect(try kept.map(folder.text) == ["{\n"])
  }

  @Test("opens the editor again on a conflict, until the person decides")
  func conflict() throws {
    let terminal = try terminal(
      "f.plist",
      #"sed -i 's/12/13/' "$1"; $PLUTIL -replace size -string 14 -replace name -string new f.plist"#,
      "true", #"sed -i '/^..#/d' "$1""#)
    for _ in 0..<2 {
      try terminal.expect(
        "f.plist: conflict at size: another program has changed the same value\r\n")
      try terminal.expect("Edit again? [y/n] ")
      #expect(try folder.text("f.plist").contains("size = 14;"))
      try terminal.send("y\r")
    }
    try terminal.expect("- size: \"14\"\r\n+ size: \"13\"\r\n")
    #expect(try terminal.exitStatus() == 0)
    let merged = Self.text.replacing("12", with: "13").replacing("old", with: "new")
    #expect(
      try folder.text("seen3") == """
        //# conflict at size: was 12, is now 14, your text has 13
        //# Change the text, or remove these lines, to decide.

        """ + merged)
    #expect(try folder.text("f.plist") == merged)
  }

  @Test("leaves an interrupt to the editor")
  func interrupt() throws {
    let terminal = try terminal(
      "f.plist",
      #"trap 'sed -i s/12/13/ "$1"; exit 0' INT; echo ready; while :; do sleep 0.1; done"#)
    try terminal.expect("ready")
    try terminal.send("\u{3}")
    try terminal.expect("+ size: \"13\"\r\n")
    #expect(try terminal.exitStatus() == 0)
  }
}
