import FileStorage
import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("PlistBuddy's files")
struct PlistBuddyFileTests {
  private let fixture: PlistBuddyFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlistBuddyFixture("{ a = 1; }")
  }

  @Test("a profile is printed with a note, and not changed")
  func profile() throws {
    let fixture = try PlistBuddyFixture()
    try fixture.folder.write(EnvelopeFixture.signedMessage, to: "f.plist")
    let note = "the property list is inside a signed message (CMS), whose signature was not checked"
    try fixture.expect(
      "Print :Entitlements:get-task-allow", output: "true\n",
      error: "f.plist: note: \(note)\n", status: 0)
    try fixture.expect(
      "Set :Name x",
      error: "f.plist: note: \(note)\nf.plist: \(note); it cannot be changed there\n")
  }

  @Test("a file in another encoding names the option that reads it")
  func encoding() throws {
    let fixture = try PlistBuddyFixture()
    try fixture.folder.write(Data("{ a = \"".utf8) + [0x8E] + Data("\"; }".utf8), to: "f.plist")
    try fixture.expect(
      "Print :a", output: "Error Reading File: f.plist\n",
      error: """
        f.plist: line 1 column 8: the text is not valid in its encoding; expected UTF-8, or a byte-order mark and UTF-16 or UTF-32; use PlistBuddy --encoding to specify its encoding

        """)
    try PlistBuddyProgram.program.expect(
      ["--encoding", "MACINTOSH", "-c", "Print :a", "f.plist"], in: fixture.folder, output: "é\n")
  }

  @Test("a file that is not changed in the end is not written")
  func unchanged() throws {
    var before = stat()
    #expect(stat(folder.path("f.plist"), &before) == 0)
    try fixture.expect("Set :a 2", "Set :a 1", "Delete :a", "Add :a string 1")
    var after = stat()
    #expect(stat(folder.path("f.plist"), &after) == 0)
    #expect(after.st_ino == before.st_ino)
    #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
  }

  @Test("Save writes the usual layout, unless the file has it", arguments: [true, false])
  func save(isInteractive: Bool) throws {
    func save() throws {
      let words = isInteractive ? ["f.plist"] : ["-c", "Save", "f.plist"]
      let run = try PlistBuddyProgram.run(words, in: folder, input: Data("Save\nExit\n".utf8))
      run.expect(output: isInteractive ? "Command: Saving...\nCommand: " : "Saving...\n")
    }
    try folder.write(
      "<plist><dict><!-- c --><key>b</key><true/><key>a</key><false/></dict></plist>", to: "f.plist"
    )
    try save()
    let xml = try Plist.write(["a": false, "b": true], as: .xml)
    #expect(try folder.data("f.plist") == xml)
    var before = stat()
    #expect(stat(folder.path("f.plist"), &before) == 0)
    try save()
    var after = stat()
    #expect(stat(folder.path("f.plist"), &after) == 0)
    #expect(after.st_ino == before.st_ino)
  }

  @Test("the file keeps its format", arguments: PlistFormat.allCases)
  func format(_ format: PlistFormat) throws {
    try folder.write(try Plist.write(["k": "v"], as: format), to: "f.plist")
    try fixture.expect("Add :l array", "Add :l: string x", value: ["k": "v", "l": ["x"]])
    #expect(try folder.data("f.plist") == Plist.write(["k": "v", "l": ["x"]], as: format))
  }

  @Test("the file keeps its layout")
  func layout() throws {
    try folder.write("{\n  \"k\": 1\n}\n", to: "f.plist")
    try fixture.expect("Set :k 2", value: ["k": 2])
    #expect(try folder.text("f.plist") == "{\n  \"k\" : 2\n}\n")
    try folder.write("{\"k\": 1}\n", to: "f.plist")
    try fixture.expect("Set :k 2", value: ["k": 2])
    #expect(try folder.text("f.plist") == "{\"k\":2}\n")
    try folder.write("{ k = v; }", to: "braces.strings")
    _ = try PlistBuddyProgram.run(["-c", "Set :k w", "braces.strings"], in: folder)
    #expect(try folder.text("braces.strings") == "{\n\tk = w;\n}\n")
    try folder.write("/* c */ \"k\" = \"v\";\n", to: "Localizable.strings")
    let strings = try PlistBuddyProgram.run(
      ["-c", "Set :k ä", "Localizable.strings"], in: folder)
    #expect(strings.status == 0)
    #expect(try folder.text("Localizable.strings") == "\"k\" = \"ä\";\n")
  }

  @Test("a value that the format cannot hold is an error, and the file is unchanged")
  func unrepresentable() throws {
    try fixture.expect(
      "Add :n integer 5", "Print :n", output: "5\n",
      error: "f.plist: OpenStep text cannot represent integers (key path n)\n")
    try folder.write("{\"a\": null}", to: "f.plist")
    try fixture.expect(
      "Set :a x", "Add :d date 2024-01-01",
      error: """
        Set: Cannot Perform Set On null
        PlistBuddy: command 1 of 2 (Set :a) failed
        f.plist: JSON cannot represent dates (key path d)

        """)
    try fixture.expect(
      "Clear integer", output: "Initializing Plist...\n",
      error: "f.plist: the root of a JSON file must be a dictionary or an array, not an integer\n")
    try folder.write(try Plist.write(["a": 1], as: .xml), to: "f.plist")
    let warning =
      "f.plist: warning: XML cannot represent fractions of a second (key path d); "
      + "rounded down, here and elsewhere\n"
    try fixture.expect(
      "Add :d date 2024-01-01T00:00:00.5Z", error: warning, status: 0,
      value: ["a": 1, "d": .date(Date(timeIntervalSinceReferenceDate: 725_760_000))])
  }

  @Test("saving warns about a repeated key that it drops")
  func warnings() throws {
    try folder.write("{ a = 1; a = 2; }", to: "f.plist")
    try fixture.expect("Print :a", output: "2\n")
    try PlistBuddyProgram.run(["-c", "Set :a 3", "f.plist"], in: folder).expect(
      error:
        "f.plist: warning: line 1 column 10: the key appears more than once; the last value wins "
        + "(key path a)\n")
    #expect(try Plist.read(folder.data("f.plist")).value == ["a": "3"])
  }

  // MARK: Files that are missing, broken or out of reach

  private static let created = "File Doesn't Exist, Will Create: new.plist\n"

  @Test("a missing file is created as XML by a change")
  func missing() throws {
    let run = try PlistBuddyProgram.run(
      ["-c", "Print", "-c", "Delete :x", "new.plist"], in: folder)
    run.expect(
      output: Self.created + "Dict {\n}\n", error: "Delete: Entry, \":x\", Does Not Exist\n",
      status: 1)
    #expect(try folder.names() == ["f.plist"])
    let made = try PlistBuddyProgram.run(["-c", "Add :a:b bool yes", "new.plist"], in: folder)
    made.expect(output: Self.created)
    #expect(
      try folder.data("new.plist") == Plist.write(["a": ["b": true]], as: .xml))
    let lost = try PlistBuddyProgram.run(["-c", "Add :a dict", "no/new.plist"], in: folder)
    lost.expect(error: "no/new.plist: cannot open: No such file or directory\n", status: 1)
    #expect(try folder.names() == ["f.plist", "new.plist"])
  }

  static let creations: [(commands: [String], output: String, value: PlistValue)] = [
    (["Save"], "Saving...\n", [:]), (["Clear"], "Initializing Plist...\n", [:]),
    (["Clear dict"], "Initializing Plist...\n", [:]),
    (["Clear array"], "Initializing Plist...\n", []),
    (["Add :a string x", "Delete :a"], "", [:]),
    (
      ["Clear", "Save", "Revert"],
      "Initializing Plist...\nSaving...\nReverting to last saved state...\n", [:]
    ),
  ]

  @Test("a missing file is created even if its dictionary is empty", arguments: creations)
  func emptyFile(commands: [String], output: String, value: PlistValue) throws {
    let run = try PlistBuddyProgram.run(
      commands.flatMap { ["-c", $0] } + ["new.plist"], in: folder)
    run.expect(output: Self.created + output)
    #expect(try folder.data("new.plist") == Plist.write(value, as: .xml))
  }

  @Test("Revert undoes what would create a missing file")
  func revertedCreation() throws {
    let run = try PlistBuddyProgram.run(["-c", "Clear", "-c", "Revert", "new.plist"], in: folder)
    run.expect(
      output: Self.created + "Initializing Plist...\nReverting to last saved state...\n")
    #expect(try folder.names() == ["f.plist"])
  }

  static let damaged: [(String, String)] = [
    ("", "the document is empty; expected a property list"),
    ("<plist><dict>", "line 1 column 14: expected </dict>, found the end of the document"),
    (
      "bplist00",
      "byte 8: the trailer is malformed; the file may be cut off: the file is too short; expected a header, objects, an offset table and a trailer"
    ),
    ("hello\n", "the file is a single word, which may not be a property list"),
  ]

  @Test("a file that is no property list is never overwritten", arguments: damaged)
  func broken(text: String, error: String) throws {
    try folder.write(text, to: "f.plist")
    try fixture.expect(
      "Clear", "Add :a string b", "Save", output: "Error Reading File: f.plist\n",
      error: "f.plist: \(error)\n")
    let run = try PlistBuddyProgram.run(
      ["f.plist"], in: folder, input: Data("Clear\nSave\n".utf8))
    run.expect(
      output: "Error Reading File: f.plist\n", error: "f.plist: \(error)\n", status: 1)
    #expect(try folder.text("f.plist") == text)
  }

  @Test(
    "folders, pipes and devices are rejected",
    arguments: [
      ("folder", "is a directory"), ("folder/", "is a directory"), ("pipe", "not a regular file"),
      ("/dev/null", "not a regular file"),
    ])
  func notFile(name: String, reason: String) throws {
    try folder.makeFolder("folder")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    try PlistBuddyProgram.run(["-c", "Add :a dict", name], in: folder).expect(
      output: (name.hasPrefix("folder") ? "Error Reading File: \(name)\n" : ""),
      error: "\(name): \(reason)\n", status: 1)
  }

  @Test("a symbolic link is followed, and permissions are kept")
  func link() throws {
    try folder.link("link", to: "f.plist")
    #expect(chmod(folder.path("f.plist"), 0o640) == 0)
    let run = try PlistBuddyProgram.run(["-c", "Set :a 2", "link"], in: folder)
    #expect(run.status == 0)
    #expect(try folder.text("f.plist") == "{\n\ta = 2;\n}\n")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "f.plist")
    var information = stat()
    #expect(stat(folder.path("f.plist"), &information) == 0)
    #expect(information.st_mode & 0o777 == 0o640)
  }

  @Test("-l refuses symbolic links to the file and to its folders")
  func noLinks() throws {
    try folder.link("link", to: "f.plist")
    try folder.link("here", to: ".")
    for path in ["link", "here/f.plist", folder.path("here/f.plist"), "here/new.plist"] {
      let run = try PlistBuddyProgram.run(["-l", "-c", "Clear", path], in: folder)
      run.expect(
        output: "Error Reading File: \(path)\n",
        error: "\(path): the path contains a symbolic link, which -l does not allow\n", status: 1)
    }
    #expect(try folder.text("f.plist") == "{ a = 1; }")
    let real = try FilePath.resolved(folder.path)
    for (number, path) in ["f.plist", "./f.plist", "\(real)/f.plist"].enumerated() {
      let run = try PlistBuddyProgram.run(["-l", "-c", "Set :a \(number)", path], in: folder)
      run.expect()
      #expect(try Plist.read(folder.data("f.plist")).value == ["a": .string("\(number)")])
    }
    let missing = try PlistBuddyProgram.run(["-l", "-c", "Print", "no/f.plist"], in: folder)
    missing.expect(error: "no/f.plist: cannot open: No such file or directory\n", status: 1)
  }
}
