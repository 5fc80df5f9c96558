import TestSupport
import Testing

extension ProcessTests {
  @Suite("Failures that a program does not handle") struct FailureMessageTests {
    let folder: TemporaryFolder
    let program = BuiltProgram("PreferencesTestProgram")

    init() throws { folder = try TemporaryFolder() }

    private func run(_ file: String, _ arguments: String...) throws -> BuiltProgram.Run {
      try program.run([folder.path(file)] + arguments, in: folder)
    }

    /// The problem of a file that ends too early.
    private var corrupt: String {
      "\(folder.path("k.plist")): line 1 column 14: expected </dict>, found the end of the document"
    }

    @Test("A file that cannot be read, and therefore not saved, is printed once for each")
    func unreadable() throws {
      try folder.write("<plist><dict>", to: "k.plist")
      let run = try run("k.plist", "fail", "unhandled")
      #expect(run.status == 0)
      #expect(run.text == "")
      #expect(
        run.error == "Larder: \(corrupt)\nLarder: \(corrupt); changes are not saved\n")
      #expect(try folder.text("k.plist") == "<plist><dict>")
    }

    @Test("A folder that cannot be created is printed")
    func unwritable() throws {
      try folder.write("no folder", to: "file")
      let run = try run("file/k.plist", "fail", "unhandled")
      #expect(run.status == 0)
      #expect(
        run.error == """
          Larder: \(folder.path("file/k.plist")): cannot open: Not a directory; \
          changes are not saved

          """)
    }

    @Test("Nothing is printed if a handler is called, or the program wants it so")
    func handled() throws {
      try folder.write("<plist><dict>", to: "k.plist")
      let quiet = try run("k.plist", "fail", "quiet")
      #expect(quiet.status == 0 && quiet.text == "" && quiet.error == "")
      let event = try run("k.plist", "fail", "event-handler")
      #expect(event.text == "\(corrupt)\n\(corrupt); changes are not saved\n")
      #expect(event.error == "")
      // This handler is called only for failures to save.
      let save = try run("k.plist", "fail", "save-handler")
      #expect(save.text == "\(corrupt)\n")
      #expect(save.error == "Larder: \(corrupt)\n")
    }

    @Test("No more than 20 lines are printed at a time, none of them twice")
    func many() throws {
      let run = try run("k.plist", "report-many", "here")
      #expect(
        run.error == (1...20).map { "Larder: d, k\($0): cannot be read\n" }.joined())
      #expect(run.text == "done\n")
    }

    @Test(
      "A closed and a full pipe neither end nor stop the process", arguments: ["closed", "full"])
    func pipes(kind: String) throws {
      let run = try run("k.plist", "report-many", kind)
      #expect(run.status == 0)
      #expect(run.text == "done\n")
    }
  }
}
