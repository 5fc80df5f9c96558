import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -diff with folders")
struct PlutilFolderDiffTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("a/sub", "b/sub")
    let value: PlistValue = ["name": "Ada", "size": 12]
    try folder.write(Plist.write(value, as: .xml), to: "a/same.plist")
    try folder.write(Plist.write(value, as: .binary), to: "b/same.plist")
    try folder.write("{ k = old; }", to: "a/sub/x.plist")
    try folder.write("{ k = new; }", to: "b/sub/x.plist")
    try folder.write("text", to: "a/readme")
    try folder.write("other text", to: "b/readme")
  }

  private func expect(
    _ line: String, output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.program.expect(
      line.split(separator: " ").map(String.init), in: folder, output: output, error: error,
      status: status, sourceLocation: sourceLocation)
  }

  @Test("compares the property lists with the same path")
  func differences() throws {
    let changed = "--- a/sub/x.plist\n+++ b/sub/x.plist\n- k: \"old\"\n+ k: \"new\"\n"
    try expect("-diff a b", output: changed, status: 1)
    try folder.write("{}", to: "a/gone.plist")
    try folder.write("{}", to: "b/sub/come.plist")
    try expect(
      "-diff a/ b", output: "Only in a/: gone.plist\nOnly in b: sub/come.plist\n" + changed,
      status: 1)
    try expect("-diff -s a b", status: 1)
  }

  @Test("tells names apart that only Unicode takes for the same")
  func equivalentNames() throws {
    let composed = "caf\u{E9}.plist"
    let decomposed = "cafe\u{301}.plist"
    for name in [composed, decomposed] { try folder.write("{}", to: "a/\(name)") }
    try folder.write("{}", to: "b/\(composed)")
    try folder.write("{ k = old; }", to: "b/sub/x.plist")
    try expect("-diff a b", output: "Only in a: \(decomposed)\n", status: 1)
  }

  @Test("prints nothing for the same values")
  func same() throws {
    try expect("-diff a a")
    try folder.write("{ k = old; }", to: "b/sub/x.plist")
    try expect("-diff a b")
  }

  @Test("fails with 2 if a file cannot be read")
  func failure() throws {
    try folder.write("(", to: "b/sub/x.plist")
    try expect(
      "-diff a b", error: "b/sub/x.plist: line 1 column 1: the array is not closed (key path 0)\n",
      status: 2)
  }

  @Test("compares a file with that of its name in a folder, and with nothing")
  func single() throws {
    try expect(
      "-diff a/sub/x.plist b/sub",
      output: "--- a/sub/x.plist\n+++ b/sub/x.plist\n- k: \"old\"\n+ k: \"new\"\n", status: 1)
    try expect("-diff a b/same.plist")
    try expect(
      "-diff /dev/null a/sub/x.plist",
      output: "--- /dev/null\n+++ a/sub/x.plist\n+ k: \"old\"\n", status: 1)
    try expect(
      "-diff a/sub/x.plist /dev/null",
      output: "--- a/sub/x.plist\n+++ /dev/null\n- k: \"old\"\n", status: 1)
    try expect(
      "-diff - a",
      error: "plutil: standard input cannot be compared with a folder (see plutil -help)\n",
      status: 2)
  }
}
