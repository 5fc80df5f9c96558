import Foundation
import TestSupport
import Testing

@Suite("plutil -lint")
struct PlutilLintTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("{ a = 1;\n a = 2; }\n", to: "twice.strings")
    try folder.write("word\n", to: "word.plist")
    try folder.write("{\"a\": 1}\n", to: "j.plist")
    try folder.write("{\"a\": 1}\n", to: "j.json")
    try folder.write("{ a = 1 }\n", to: "bad, 1%.plist")
  }

  private func expect(
    _ words: [String], output: String, error: String = "", status: Int32,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try Plutil.run(["-lint"] + words, in: folder)
      .expect(output: output, error: error, status: status, sourceLocation: sourceLocation)
  }

  @Test("--strict takes warnings, and JSON in a .plist file, for errors")
  func strict() throws {
    let twice =
      "twice.strings: line 2 column 2: the key appears more than once; the last value wins (key path a)\n"
    let word =
      "word.plist: line 1 column 1: the document is a single bare word, read as a string\n"
    let json = "j.plist: the file is JSON, which not all programs read as a plist\n"
    try expect(
      ["--strict", "twice.strings", "word.plist", "j.plist", "j.json"],
      output: twice + word + json + "j.json: OK\n", status: 1)
    try expect(["--strict", "-s", "word.plist"], output: word, status: 1)
    try expect(
      ["twice.strings", "word.plist", "j.plist"],
      output: "twice.strings: OK\nword.plist: OK\nj.plist: OK\n",
      error: (twice + word).replacing(": line", with: ": warning: line"), status: 0)
    try expect(
      ["--strict", "."],
      output: "bad, 1%.plist: line 1 column 9: expected ;\n" + json + twice + word
        + "checked 4 property lists: 0 OK, 4 failed, 0 warnings\n", status: 1)
    try expect(
      ["--strict", "--json", "word.plist"],
      output:
        #"{"file":"word.plist","line":1,"column":1,"severity":"error","message":"the document is a single bare word, read as a string"}"#
        + "\n", status: 1)
  }

  @Test("--github prints a workflow command for each problem")
  func github() throws {
    try folder.write(Data("bplist00".utf8), to: "b.plist")
    try expect(
      ["--github", "."],
      output: """
        ::error file=b.plist::the trailer is malformed; the file may be cut off: the file is too short; \
        expected a header, objects, an offset table and a trailer
        ::error file=bad%2C 1%25.plist,line=1,col=9::expected ;
        ::warning file=twice.strings,line=2,col=2::the key appears more than once; the last value wins (key path a)
        ::warning file=word.plist,line=1,col=1::the document is a single bare word, read as a string

        """, status: 1)
    try expect(["--github", "j.plist"], output: "", status: 0)
    try expect(
      ["--github", "--json", "j.plist"], output: "",
      error: "plutil: --json and --github cannot be used together (see plutil -help)\n", status: 1)
  }

  @Test("A file that Git LFS has not fetched is named")
  func largeFiles() throws {
    try folder.write(
      """
      version https://git-lfs.github.com/spec/v1
      oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
      size 12345

      """, to: "large.plist")
    try expect(
      ["large.plist"],
      output:
        "large.plist: this is a Git LFS pointer, not a property list; git lfs pull fetches the file\n",
      status: 1)
  }
}
