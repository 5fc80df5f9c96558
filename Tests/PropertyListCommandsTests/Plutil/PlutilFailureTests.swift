import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("Failures of plutil")
struct PlutilFailureTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
    let folder = fixture.folder
    try folder.write(
      try Plist.write(["u": .uid(1), "n": .null], as: .binary), to: "b.plist")
    try folder.write(#"{"a":[1,"x"]}"#, to: "data.json")
    try folder.write("{ a = ( x ); }", to: "old.plist")
    try folder.write("\"k\" = \"v\";\n", to: "table.strings")
    try folder.write("word\n", to: "word")
    try folder.write("<plist><dict>", to: "cut.plist")
    try folder.write("", to: "empty")
    try folder.makeFolder("directory")
    try folder.link("link", to: "data.json")
    try folder.link("dangling", to: "nowhere/file")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
  }

  /// The files in the folder, with their contents.
  private func contents() throws -> [String: Data?] {
    var contents: [String: Data?] = [:]
    for name in try folder.names() {
      contents[name] = name == "pipe" ? nil : try? folder.data(name)
    }
    return contents
  }

  static let lines = [
    "-convert json sample.plist", "-convert openstep sample.plist", "-convert xml1 b.plist",
    "-convert json b.plist", "-convert swift b.plist", "-convert objc -header b.plist",
    "-convert xml1 cut.plist", "-convert xml1 empty", "-convert xml1 word", "-convert xml1 missing",
    "-convert xml1 directory", "-convert xml1 pipe", "-convert xml1 dangling",
    "-convert nothing sample.plist", "-convert swift -o sample.plist sample.plist",
    "-convert swift -e plist sample.plist", "-convert xml1 -o directory sample.plist",
    "-convert xml1 -o no/folder sample.plist", "-convert xml1 -o /proc/sample.plist sample.plist",
    "-convert xml1 -o out data.json old.plist", "-convert xml1 -e x data.json data.plist ./data.y",
    "-convert xml1 -header sample.plist",
    "-insert list.7 -string x sample.plist", "-insert count -string x sample.plist",
    "-insert x.y -string x sample.plist", "-insert a.0 -date 2024-01-01 data.json",
    "-insert b -data AQID link", "-insert b -integer 1 old.plist",
    "-insert b -bool yes table.strings", "-insert b -integer x sample.plist",
    "-insert b -array -dictionary sample.plist", "-insert b sample.plist",
    "-insert b -string x b.plist b.plist", "-insert b -string x data.json link",
    "-insert b -string x cut.plist", "-insert b -string x empty", "-insert b -string x word",
    "-insert b -string x missing", "-insert b -string x no/file", "-insert b -string x directory",
    "-insert b -string x pipe", "-insert b -string x /dev/null", "-insert b -string x dangling",
    "-insert b -string x -append data.json", "-insert b -string x -o - data.json old.plist",
    "-insert b -string x - -", "-insert b -string x -o -",
    "-replace a.5 -string x data.json", "-replace a.b.c -string x data.json",
    "-replace a -float inf data.json",
    "-replace a -xml <date>2024-01-01T00:00:00Z</date> data.json",
    "-replace a -json {\"x\":1.5} old.plist", "-replace a -append -string x data.json",
    "-remove b data.json", "-remove a.2 data.json", "-remove k.k table.strings", "-remove a",
    "-extract b raw data.json", "-extract a raw -expect string data.json",
    "-extract a nothing data.json", "-extract a raw -e json data.json",
    "-extract u xml1 -expect integer b.plist", "-extract n xml1 -o n.plist b.plist",
    "-type a.9 data.json", "-type a -expect dictionary data.json", "-type a directory",
    "-create xml1 sample.plist", "-create swift x.swift y.swift -o z.swift",
    "-create json no/folder",
    "-create xml1 directory", "-lint - -", "-p empty",
    "-p missing", "-unknown sample.plist", "-s", "",
  ]

  @Test("leaves every file unchanged, and is reported in one line", arguments: lines)
  func untouched(line: String) throws {
    let before = try contents()
    let run = try Plutil.run(line.split(separator: " ").map(String.init), in: folder)
    #expect(run.status == 1)
    #expect(run.text == "")
    let errors = run.error.split(separator: "\n").filter { !$0.contains(": warning: ") }
    #expect(errors.count == 1, "\(run.error)")
    #expect(try contents() == before)
  }

  static let streams: [(String, String)] = [
    ("$PLUTIL -insert a -string x - <&-", "<stdin>: cannot read: Bad file descriptor\n"),
    ("$PLUTIL -convert json - <&-", "<stdin>: cannot read: Bad file descriptor\n"),
    (
      "$PLUTIL -insert b -string x -o - data.json >&-",
      "plutil: standard output: cannot write: Bad file descriptor\n"
    ),
    (
      "$PLUTIL -insert b -string x -o - data.json >/dev/full",
      "plutil: standard output: cannot write: No space left on device\n"
    ),
    (
      "$PLUTIL -extract a raw data.json >/dev/full",
      "plutil: standard output: cannot write: No space left on device\n"
    ),
    (
      "$PLUTIL -type a data.json >&-",
      "plutil: standard output: cannot write: Bad file descriptor\n"
    ),
    (
      "$PLUTIL -convert swift -o - data.json >/dev/full",
      "plutil: standard output: cannot write: No space left on device\n"
    ),
    (
      "$PLUTIL -create json - >/dev/full",
      "plutil: standard output: cannot write: No space left on device\n"
    ),
    (
      "$PLUTIL -insert b -string x pipe",
      "pipe: not a regular file; use -o to choose the output\n"
    ),
  ]

  @Test("reports standard streams that are closed or full, and pipes", arguments: streams)
  func stream(command: String, message: String) throws {
    let before = try contents()
    let run = try Plutil.shell(command, in: folder)
    run.expect(error: message, status: 1)
    #expect(try contents() == before)
  }

  @Test("pipes and devices can be read if the result goes elsewhere")
  func pipes() throws {
    let run = try Plutil.shell(
      "cat data.json > pipe & $PLUTIL -insert b -string x -o - pipe", in: folder)
    #expect(run.text == #"{"a":[1,"x"],"b":"x"}"#)
    #expect(run.status == 0)
    let device = try Plutil.shell(
      "$PLUTIL -insert b -string x -o - /dev/stdin < data.json", in: folder)
    #expect(device.text == run.text)
  }

  @Test("a name that is not UTF-8 is rejected")
  func nameOfBytes() throws {
    try Plutil.shell(
      """
      printf '{ a = b; }' > $'x\\xff'
      $PLUTIL -lint $'x\\xff'; echo $?
      $PLUTIL -lint - < $'x\\xff'
      """, in: fixture.folder
    ).expect(
      output: "1\n<stdin>: OK\n",
      error: "plutil: argument 2 is not UTF-8: \"x\u{FFFD}\"; use a link or standard input for a "
        + "file with such a name (see plutil -help)\n")
  }
}
