import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("Files as they are found")
struct PlutilRealFileTests {
  private let folder: TemporaryFolder
  private let fixture: PlutilFixture

  init() throws {
    fixture = try PlutilFixture()
    folder = fixture.folder
  }

  // MARK: Control characters

  private static let bell =
    "warning: XML cannot represent the character U+0007 (key path k); written as is, here and "
    + "elsewhere\n"

  @Test("A control character is written to XML as it is, with one warning")
  func controlCharacters() throws {
    let value: PlistValue = ["k": "a\u{7}b", "l": "\u{1}"]
    try folder.write(Plist.write(value, as: .binary), to: "n.nib")
    try fixture.expect("-convert xml1 n.nib", error: "n.nib: " + Self.bell)
    let data = try folder.data("n.nib")
    #expect(PlistFormat(detecting: data) == .xml)
    #expect(String(decoding: data, as: UTF8.self).contains("<string>a\u{7}b</string>"))
    #expect(try Plist.read(data).value == value)

    try fixture.expect(
      "-lint n.nib", output: "n.nib: OK\n",
      error:
        "n.nib: warning: line 6 column 11: XML does not allow the character U+0007 (key path k)\n")
    try fixture.expect(
      "-replace l -string x n.nib",
      error:
        "n.nib: warning: line 6 column 11: XML does not allow the character U+0007 (key path k)\n")
    #expect(try Plist.read(folder.data("n.nib")).value == ["k": "a\u{7}b", "l": "x"])
    try fixture.expect(
      words: ["-replace", "k", "-string", "\u{7}", "n.nib"],
      error: "n.nib: " + Self.bell
        + "n.nib: warning: line 6 column 11: XML does not allow the character U+0007 (key path k)\n"
    )
    #expect(try Plist.read(folder.data("n.nib")).value == ["k": "\u{7}", "l": "x"])
    try fixture.expect("-replace l -string z --reformat n.nib", error: "n.nib: " + Self.bell)
    try fixture.expect("-replace k -string y -s n.nib")
    #expect(try Plist.read(folder.data("n.nib")).warnings == [])
    // Binary has no such limit.
    try folder.write(data, to: "n.nib")
    try fixture.expect("-convert binary1 n.nib")
    #expect(try Plist.read(folder.data("n.nib")).value == value)
  }

  @Test("PlistBuddy edits XML with control characters, with one warning")
  func controlCharactersInPlistBuddy() throws {
    try folder.write(
      "<plist><dict><key>k</key><string>\u{7}</string></dict></plist>", to: "f.plist")
    try PlistBuddyProgram.program.expect(
      ["-c", "Set :k \u{1}\u{7}", "-c", "Save", "-c", "Add :l string x", "f.plist"], in: folder,
      output: "Saving...\n",
      error: """
        f.plist: warning: XML cannot represent the character U+0001 (key path k); written as is, here \
        and elsewhere

        """)
    #expect(try Plist.read(folder.data("f.plist")).value == ["k": "\u{1}\u{7}", "l": "x"])

    let printed = try PlistBuddyProgram.run(["-x", "-c", "Print :k", "f.plist"], in: folder)
    #expect(printed.text.contains("<string>\u{1}\u{7}</string>"))
    #expect(
      printed.error
        == "Print: warning: XML cannot represent the character U+0001; written as is, here and "
        + "elsewhere\n")
    #expect(printed.status == 0)
  }

  // MARK: OpenStep

  @Test("GNUstep's typed values are read, and kept when another value is changed")
  func typedValues() throws {
    try folder.write("{ n = <*I5>; b = <*BY>; s = t; }\n", to: "g.plist")
    try fixture.expect("-extract n raw g.plist", output: "5\n")
    try fixture.expect("-replace s -string u g.plist")
    #expect(try folder.text("g.plist").contains("<*I5>"))
    try fixture.expect("-type b g.plist", output: "bool\n")
    // Without any, none is introduced.
    try folder.write("{ s = t; }\n", to: "g.plist")
    try fixture.expect(
      "-insert n -integer 5 g.plist",
      error: "g.plist: invalid object in plist for destination format: "
        + "OpenStep text cannot represent integers (key path n)\n", status: 1)
  }

  @Test("--encoding names that of OpenStep text, and is asked for")
  func encoding() throws {
    let table = Data("\"k\" = \"caf".utf8) + [0x8E] + Data("\";\n".utf8)
    try folder.write(table, to: "t.strings")
    try fixture.expect(
      "-lint t.strings",
      output:
        "t.strings: line 1 column 11: the text is not valid in its encoding; expected UTF-8, or "
        + "a byte-order mark and UTF-16 or UTF-32; use plutil --encoding to specify its encoding\n",
      status: 1)
    try fixture.expect("-lint --encoding MACINTOSH t.strings", output: "t.strings: OK\n")
    try fixture.expect("-extract k raw --encoding MACINTOSH t.strings", output: "café\n")
    try fixture.expect(
      "-lint --encoding KLINGON t.strings",
      output: "t.strings: the encoding KLINGON is unknown; iconv -l lists all\n", status: 1)
    #expect(try folder.data("t.strings") == table)
    try fixture.expect("-replace k -string ü --encoding MACINTOSH t.strings")
    #expect(
      try folder.data("t.strings")
        == Data("\"k\" = \"".utf8) + [0x9F] + Data("\";\n".utf8))
    try fixture.expect("-replace k -string ü --encoding MACINTOSH --reformat t.strings")
    #expect(try folder.text("t.strings") == "\"k\" = \"ü\";\n")
  }

  // MARK: Leniency

  private static let data = "<plist><dict><key>k</key><data>TGFy*ZGVy</data></dict></plist>"

  @Test(
    "--lenient accepts what is refused otherwise, with a warning, by every verb",
    arguments: [
      ("-lint", "f: OK\n"), ("-p", "{\n  \"k\" => {length = 6, bytes = 0x4c6172646572}\n}\n"),
      ("-extract k raw", "TGFyZGVy\n"), ("-type k", "data\n"), ("-convert json -o -", nil),
    ] as [(String, String?)])
  func lenient(verb: String, output: String?) throws {
    try folder.write(Self.data, to: "f")
    let place = "line 1 column 36: "
    let error =
      "f: \(place)the data is malformed; expected base64 with padding (key path k); "
      + "plutil --lenient may accept it\n"
    let isLint = verb == "-lint"
    try fixture.expect(
      verb + " f", output: isLint ? error : "", error: isLint ? "" : error, status: 1)
    let run = try Plutil.run(
      verb.split(separator: " ").map(String.init) + ["--lenient", "f"], in: folder)
    if let output {
      #expect(run.text == output)
      #expect(run.status == 0)
      let warns = verb == "-lint" || verb.hasPrefix("-extract")
      #expect(
        run.error
          == (warns
            ? "f: warning: \(place)the data is not valid base64; other characters are ignored, and "
              + "missing padding is added (key path k)\n" : ""))
    } else {
      #expect(run.error.hasSuffix(": JSON cannot represent data (key path k)\n"))
    }
    #expect(try folder.text("f") == Self.data)
  }

  @Test("Dates with fractions are read with --lenient, and lose them in XML with a warning")
  func lenientDate() throws {
    try folder.write("<plist><date>2024-01-01T00:00:00.5+01:00</date></plist>", to: "f")
    try fixture.expect(
      "-lint f",
      output: "f: line 1 column 14: the date is malformed; expected YYYY-MM-DDTHH:MM:SSZ; "
        + "plutil --lenient may accept it\n", status: 1)
    try fixture.expect(
      "-convert xml1 --lenient f",
      error: """
        f: warning: line 1 column 14: the date is not in the form YYYY-MM-DDTHH:MM:SSZ
        f: warning: XML cannot represent fractions of a second; rounded down, here and elsewhere

        """)
    #expect(try folder.text("f").contains("<date>2023-12-31T23:00:00Z</date>"))
  }

  @Test("A bare word is read by every verb, and replaced with --lenient")
  func bareWord() throws {
    let warning =
      "w: warning: line 1 column 1: the document is a single bare word, read as a string\n"
    try folder.write("hello\n", to: "w")
    try fixture.expect("-lint w", output: "w: OK\n", error: warning)
    try fixture.expect("-p w", output: "\"hello\"\n")
    try fixture.expect(
      "-convert xml1 w",
      error: warning + "w: the file is a single word, which may not be a property list; "
        + "use -o to choose the output, or --lenient\n", status: 1)
    #expect(try folder.text("w") == "hello\n")
    try fixture.expect("-convert xml1 --lenient w", error: warning)
    #expect(try Plist.read(folder.data("w")).value == "hello")
  }

  // MARK: Other files

  @Test("A file that is no property list is named in one line, without markup or codes")
  func foreignFiles() throws {
    try folder.write(Data([0x89, 0x50, 0x4E, 0x47, 0xD, 0xA, 0x1A, 0xA]), to: "p")
    try fixture.expect(
      "-lint p", output: "p: this is a PNG image, not a property list\n", status: 1)
    try fixture.expect(
      "-convert xml1 p", error: "p: this is a PNG image, not a property list\n", status: 1)
  }
}
