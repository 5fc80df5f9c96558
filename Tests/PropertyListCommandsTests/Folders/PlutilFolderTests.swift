import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil with folders")
struct PlutilFolderTests {
  private let folder: TemporaryFolder

  /// A folder with a property list of each format, other files, and a link.
  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("a", "a/b", "a/.git")
    let value: PlistValue = ["name": "Ada", "size": 12]
    try folder.write(Plist.write(value, as: .xml), to: "a/xml.plist")
    try folder.write(Plist.write(value, as: .binary), to: "a/b/binary")
    try folder.write(Plist.write(["name": "Ada"], as: .openStep), to: "a/b/Localizable.strings")
    try folder.write(#"{"name": "Ada"}"#, to: "a/b/json.plist")
    try folder.write("{", to: "a/ignored.json")
    try folder.write("#!/bin/sh\n", to: "a/script")
    try folder.write("{", to: "a/.git/x.plist")
    try folder.link("a/link.plist", to: "missing")
    try folder.link("a/b/up", to: "..")
  }

  private func expect(
    _ line: String, output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.program.expect(
      line.split(separator: " ").map(String.init), in: folder, output: output, error: error,
      status: status, sourceLocation: sourceLocation)
  }

  /// Writes files with an error and with a warning.
  private func addProblems() throws {
    try folder.write("<plist>\n<dict>\n<integer>1</integer></dict></plist>\n", to: "a/bad.plist")
    try folder.write("{ a = 1; a = 2; }\n", to: "a/twice.strings")
  }

  @Test("-lint finds property lists of all formats, and prints how many")
  func valid() throws {
    try expect("-lint a", output: "checked 4 property lists: 4 OK, 0 failed, 0 warnings\n")
    try expect("-lint -s a")
    try expect(
      "-lint a/xml.plist a/b/",
      output: "a/xml.plist: OK\nchecked 4 property lists: 4 OK, 0 failed, 0 warnings\n")
  }

  @Test("-lint prints a line for each problem, and fails")
  func problems() throws {
    try addProblems()
    try expect(
      "-lint a",
      output: """
        a/bad.plist: line 3 column 1: expected <key> or </dict>, found <integer>
        checked 6 property lists: 5 OK, 1 failed, 1 warning

        """,
      error: """
        a/twice.strings: warning: line 1 column 10: the key appears more than once; the last value wins \
        (key path a)

        """, status: 1)
    try expect(
      "-lint -s a",
      output: "a/bad.plist: line 3 column 1: expected <key> or </dict>, found <integer>\n",
      status: 1)
  }

  @Test("-lint --json prints an object for each problem")
  func json() throws {
    try addProblems()
    try folder.write("bplist00\u{0}", to: "a/short.plist")
    let run = try Plutil.run(["-lint", "--json", "a", "missing"], in: folder)
    #expect(run.status == 1)
    #expect(run.error == "")
    let objects = try run.text.split(separator: "\n").map {
      try Plist.read(Data($0.utf8), as: .json).value
    }
    #expect(
      objects == [
        [
          "file": "a/bad.plist", "line": 3, "column": 1, "severity": "error",
          "message": "expected <key> or </dict>, found <integer>",
        ],
        [
          "file": "a/short.plist", "byte": 9, "severity": "error",
          "message":
            "the trailer is malformed; the file may be cut off: the file is too short; expected a header, objects, an offset table and a trailer",
        ],
        [
          "file": "a/twice.strings", "line": 1, "column": 10, "keyPath": "a",
          "severity": "warning", "message": "the key appears more than once; the last value wins",
        ],
        [
          "file": "missing", "severity": "error",
          "message":
            "file does not exist or is not readable or is not a regular file (No such file or directory)",
        ],
      ])
  }

  @Test("In a checkout of git, ignored files are left out unless --all is given")
  func git() throws {
    try folder.makeFolder("r/inner/deep")
    for name in ["tracked", "new", "ignored", "inner/other", "removed", "deep"] {
      let path = name == "deep" ? "inner/deep/deep" : name
      try folder.write("{ a = b; }\n", to: "r/\(path).plist")
    }
    try folder.write("ignored.plist\n", to: "r/.gitignore")
    let setup = try Plutil.shell(
      """
      export HOME=$PWD GIT_CONFIG_NOSYSTEM=1
      cd r && git init -q . && git -C inner init -q . && git add tracked.plist removed.plist &&
      rm removed.plist
      """, in: folder)
    try #require(setup.status == 0, "\(setup.error)")
    // As in a hook of another checkout.
    let counts = try Plutil.shell(
      """
      export GIT_DIR=/nonexistent GIT_INDEX_FILE=/nonexistent
      $PLUTIL -lint r; $PLUTIL -lint --all r; $PLUTIL -lint r/inner/deep; cd r && $PLUTIL -lint .
      """, in: folder)
    counts.expect(
      output: [4, 5, 1, 4].map { count in
        "checked \(count) property list\(count == 1 ? "" : "s"): \(count) OK, 0 failed, 0 warnings\n"
      }.joined())
    try expect(
      "-find . --keys r",
      output: ["inner/deep/deep", "inner/other", "new", "tracked"]
        .map { "r/\($0).plist:1: a: \"b\"\n" }.joined())
  }

  @Test("In a folder that git ignores, all files are looked at")
  func ignoredFolder() throws {
    try folder.makeFolder("r/build")
    try folder.write("{ a = b; }\n", to: "r/build/x.plist")
    try folder.write("build\n", to: "r/.gitignore")
    let run = try Plutil.shell(
      "cd r && HOME=$PWD git init -q . && $PLUTIL -lint build && $PLUTIL -lint .", in: folder)
    run.expect(
      output: """
        checked 1 property list: 1 OK, 0 failed, 0 warnings
        checked 0 property lists: 0 OK, 0 failed, 0 warnings

        """)
  }

  @Test("Many files are checked in order, whatever thread reads them")
  func many() throws {
    try folder.makeFolder("many")
    for index in 0..<1000 {
      let name = "many/\(String(format: "%04d", index)).plist"
      let text = index.isMultiple(of: 10) ? "<plist><tru/></plist>" : "<plist><true/></plist>"
      try folder.write(text, to: name)
    }
    let run = try Plutil.run(["-lint", "many"], in: folder)
    #expect(run.error == "")
    let lines = run.text.split(separator: "\n")
    #expect(lines.last == "checked 1000 property lists: 900 OK, 100 failed, 0 warnings")
    #expect(
      lines.dropLast().map { $0.prefix { $0 != ":" } }
        == (0..<100).map { "many/\(String(format: "%04d", $0 * 10)).plist"[...] })
    #expect(run.status == 1)
  }

  @Test("A folder that cannot be listed is an error")
  func unreadable() throws {
    try folder.makeFolder("closed")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.path("closed"))
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: folder.path("closed"))
    }
    // Root may list any folder.
    guard getuid() != 0 else { return }
    try expect(
      "-lint closed", output: "checked 0 property lists: 0 OK, 0 failed, 0 warnings\n",
      error: "closed: cannot list the folder: Permission denied\n", status: 1)
  }

  @Test("A terminal shows how far it is")
  func progress() throws {
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    let terminal = try PseudoTerminal(
      Plutil.program.path, ["-lint", "a/xml.plist", "pipe", "a"], in: folder,
      environment: ["TERM": "xterm", "NO_COLOR": ""])
    try terminal.expect("checking file 1 of ")
    let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path("pipe")))
    try writer.write(contentsOf: Data("[1]".utf8))
    try writer.close()
    #expect(try terminal.exitStatus() == 0)
    #expect(terminal.output.contains("pipe: OK\r\n"))
    #expect(terminal.output.contains("checked 6 property lists: 6 OK, 0 failed, 0 warnings\r\n"))
  }

  @Test("Commands for files refuse folders")
  func filesOnly() throws {
    for line in ["-p a", "-convert xml1 a", "-type name a"] {
      let run = try Plutil.run(line.split(separator: " ").map(String.init), in: folder)
      #expect(run.status == 1)
      #expect(run.error.contains("a: "))
    }
  }
}
