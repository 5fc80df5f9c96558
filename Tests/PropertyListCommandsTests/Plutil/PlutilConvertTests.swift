import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil -convert")
struct PlutilConvertTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
  }

  @Test(
    "--typed reads a root that is valid JSON and OpenStep text as JSON",
    arguments: [
      ("5", "<integer>5</integer>"), ("true", "<true/>"), ("1.5", "<real>1.5</real>"),
      ("\"5\"", "<string>5</string>"), ("word", "<string>word</string>"),
    ])
  func typedRoot(text: String, element: String) throws {
    let run = try Plutil.run(
      ["-convert", "xml1", "--typed", "-s", "-o", "-", "-"], in: folder, input: Data(text.utf8))
    #expect(run.text.contains("\n\(element)\n"))
    #expect(run.status == 0)
    let back = try Plutil.run(
      ["-convert", "json", "--typed", "-s", "-o", "-", "-"], in: folder, input: Data(text.utf8))
    #expect(back.text == (text == "word" ? "\"word\"" : text))
  }

  @Test("-convert rewrites in place, and back to the same bytes")
  func convert() throws {
    try fixture.expect("-convert binary1 sample.plist")
    let binary = try folder.data("sample.plist")
    #expect(PlistFormat(detecting: binary) == .binary)
    try fixture.expect("-convert binary1 sample.plist")
    #expect(try folder.data("sample.plist") == binary)
    try fixture.expect("-convert xml1 sample.plist")
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-o, -e and - determine the destination")
  func destinations() throws {
    try folder.write("( 1 )", to: "old")
    try folder.write("( 1 )", to: ".hidden")
    let converted = try fixture.xml([.string("1")])
    try fixture.expect("-convert xml1 -o new.plist old")
    #expect(try folder.text("new.plist") == converted)
    try fixture.expect("-convert xml1 -o - old", output: converted)
    try fixture.expect("-convert xml1 old -o -", output: converted)
    try fixture.expect("-convert xml1 -", input: "( 1 )", output: converted)
    try fixture.expect("-convert xml1 -o out.plist -", input: "( 1 )")
    #expect(try folder.text("out.plist") == converted)
    try fixture.expect("-convert xml1 -e xml old .hidden sample.plist")
    #expect(try folder.text("old.xml") == converted)
    #expect(try folder.text(".hidden.xml") == converted)
    #expect(try folder.text("sample.xml") == PlutilFixture.sample)
    #expect(try folder.text("old") == "( 1 )")
    #expect(
      try folder.names() == [
        ".hidden", ".hidden.xml", "new.plist", "old", "old.xml", "out.plist", "sample.plist",
        "sample.xml",
      ])
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
  }

  @Test("-o may be a device or a pipe, and -e handles paths as bytes")
  func oddDestinations() throws {
    try fixture.expect("-convert xml1 -o /dev/null sample.plist")
    try fixture.expect("-convert xml1 -o /dev/stdout sample.plist", output: PlutilFixture.sample)
    let pipe = try Plutil.shell(
      "$PLUTIL -convert xml1 -o >(cat >copy) sample.plist; wait $!", in: folder)
    #expect(pipe.status == 0)
    try folder.makeFolder("d.x")
    try folder.write(PlutilFixture.sample, to: "d.x/\u{301}f")
    try fixture.expect("-convert xml1 -e out d.x/\u{301}f")
    #expect(try folder.text("d.x/\u{301}f.out") == PlutilFixture.sample)
  }

  @Test("file names and keys cannot break a line of output")
  func oneLine() throws {
    let run = try Plutil.run(["-lint", "x\ny\u{1B}[31m"], in: folder)
    #expect(
      run.text
        == "x\\u{a}y\\u{1b}[31m: file does not exist or is not readable or is not a regular file (No such file or directory)\n"
    )
    let missing = try Plutil.run(["-type", "a\nb", "sample.plist"], in: folder)
    #expect(
      missing.error
        == "sample.plist: Could not extract value, error: No value at that key path or invalid key "
        + "path: a\\u{a}b\n")
  }

  @Test("-convert warns about rounded dates and lost keys")
  func lossyConversion() throws {
    let fraction: PlistValue = ["d": [.date(.init(timeIntervalSinceReferenceDate: 0.5))]]
    try folder.write(try Plist.write(fraction, as: .binary), to: "date.plist")
    try fixture.expect(
      "-convert xml1 -o - date.plist",
      output: try fixture.xml(["d": [.date(.init(timeIntervalSinceReferenceDate: 0))]]),
      error: "date.plist: warning: XML cannot represent fractions of a second "
        + "(key path d.0); rounded down, here and elsewhere\n")
    try fixture.expect(
      "-convert xml1 -s -o - date.plist",
      output: try fixture.xml(["d": [.date(.init(timeIntervalSinceReferenceDate: 0))]]))
    try fixture.expect(
      "-convert xml1 -o - -", input: "{ a = 1; a = 2; }", output: try fixture.xml(["a": "2"]),
      error:
        "<stdin>: warning: line 1 column 10: the key appears more than once; the last value wins "
        + "(key path a)\n")
  }

  @Test(
    "a file that cannot be converted is unchanged, and the others are converted",
    arguments: [
      (["a": [.null]], invalid + "XML cannot represent null (key path a.0)"),
      (["a": "\0"], "XML cannot represent the character U+0000 (key path a)"),
    ] as [(PlistValue, String)])
  func failedConversion(value: PlistValue, message: String) throws {
    let data = try Plist.write(value, as: .binary)
    try folder.write(data, to: "bad.plist")
    try folder.write("( 1 )", to: "good.plist")
    try fixture.expect(
      "-convert xml1 bad.plist missing good.plist",
      error:
        "bad.plist: \(message)\nmissing: file does not exist or is not readable or is not a regular file (No such file or directory)\n",
      status: 1)
    #expect(try folder.data("bad.plist") == data)
    #expect(try folder.text("good.plist") == (try fixture.xml([.string("1")])))
    #expect(try folder.names() == ["bad.plist", "good.plist", "sample.plist"])
  }

  @Test("a bare word and a damaged file are unchanged")
  func unconvertible() throws {
    try folder.write("hello\n", to: "notes")
    try fixture.expect(
      "-convert xml1 notes",
      error: """
        notes: warning: line 1 column 1: the document is a single bare word, read as a string
        notes: the file is a single word, which may not be a property list; use -o to choose the output, or --lenient

        """, status: 1)
    #expect(try folder.text("notes") == "hello\n")
    try fixture.expect("-convert xml1 -s -o - notes", output: try fixture.xml("hello"))
    try folder.write("<plist><dict>", to: "cut.plist")
    try fixture.expect(
      "-convert binary1 cut.plist",
      error: "cut.plist: line 1 column 14: expected </dict>, found the end of the document\n",
      status: 1)
    #expect(try folder.text("cut.plist") == "<plist><dict>")
    #expect(try folder.names() == ["cut.plist", "notes", "sample.plist"])
    try fixture.expect(
      "-convert xml1 .",
      error:
        ".: file does not exist or is not readable or is not a regular file (is a directory)\n",
      status: 1)
  }

  @Test("messages do not go into files if the standard streams are closed")
  func closedStreams() throws {
    let run = try Plutil.shell(
      "$PLUTIL -convert xml1 sample.plist missing sample.plist <&- >&- 2>&-", in: folder)
    #expect(run.status == 1)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-convert follows a symbolic link and keeps the permissions of the file")
  func links() throws {
    try fixture.expectThroughLink("-convert binary1", permissions: 0o640)
    #expect(PlistFormat(detecting: try folder.data("sample.plist")) == .binary)
  }

  // MARK: JSON and OpenStep

  @Test("-convert json and openstep can be converted back")
  func textFormats() throws {
    try folder.write(try fixture.xml(["b": [1, -2.5, true, "x/y"], "a": [:]]), to: "x.plist")
    try fixture.expect(
      "-convert json -o - x.plist", output: #"{"a":{},"b":[1,-2.5,true,"x\/y"]}"#)
    try fixture.expect(
      "-convert json -n -o - x.plist", output: #"{"a":{},"b":[1,-2.5,true,"x\/y"]}"#)
    try fixture.expect("-convert json -r -e json x.plist")
    #expect(
      try folder.text("x.json") == """
        {
          "a" : {

          },
          "b" : [
            1,
            -2.5,
            true,
            "x\\/y"
          ]
        }
        """)
    try fixture.expect("-convert xml1 x.json")
    #expect(try folder.text("x.json") == folder.text("x.plist"))

    try folder.write(try fixture.xml(["k k": ["x", .data(Data([1, 2]))]]), to: "y.plist")
    try fixture.expect("-convert openstep y.plist")
    #expect(try folder.text("y.plist") == "{\n\t\"k k\" = (\n\t\tx,\n\t\t<0102>\n\t);\n}\n")
  }

  private static let invalid = "invalid object in plist for destination format: "

  static let unrepresentable: [(String, PlistValue, String)] = [
    ("json", .data(Data()), invalid + "JSON cannot represent data (key path a.b)"),
    (
      "json", .date(Date(timeIntervalSinceReferenceDate: 0)),
      invalid + "JSON cannot represent dates (key path a.b)"
    ),
    ("json", .uid(1), invalid + "JSON cannot represent UIDs (key path a.b)"),
    ("json", .set([]), invalid + "JSON cannot represent sets (key path a.b)"),
    (
      "json", .real(.nan), invalid + "JSON cannot represent infinity or NaN (key path a.b)"
    ),
    ("openstep", 1, invalid + "OpenStep text cannot represent integers (key path a.b)"),
    ("openstep", 1.5, invalid + "OpenStep text cannot represent reals (key path a.b)"),
    ("openstep", true, invalid + "OpenStep text cannot represent booleans (key path a.b)"),
    ("openstep", .uid(1), invalid + "OpenStep text cannot represent UIDs (key path a.b)"),
    ("xml1", .set([]), invalid + "XML cannot represent sets (key path a.b)"),
  ]

  @Test(
    "a value that the format cannot hold is reported with its key path", arguments: unrepresentable)
  func refusal(format: String, value: PlistValue, message: String) throws {
    let data = try Plist.write(["a": ["b": value]], as: .binary)
    try folder.write(data, to: "x.plist")
    try fixture.expect(
      "-convert \(format) x.plist", error: "x.plist: \(message)\n", status: 1)
    #expect(try folder.data("x.plist") == data)
  }

  @Test("--lossy writes strings instead of other types, and warns about rounded dates")
  func lossy() throws {
    let value: PlistValue = [
      "d": .date(Date(timeIntervalSinceReferenceDate: 0.5)), "x": .data(Data([1])), "n": 1,
    ]
    try folder.write(try Plist.write(value, as: .binary), to: "x.plist")
    try fixture.expect(
      "-convert json --lossy -o - x.plist",
      output: #"{"d":"2001-01-01T00:00:00Z","n":1,"x":"AQ=="}"#,
      error:
        "x.plist: warning: JSON cannot represent fractions of a second (key path d); "
        + "rounded down, here and elsewhere\n")
    try fixture.expect(
      "-convert openstep --lossy -s -o - x.plist",
      output: "{\n\td = \"2001-01-01 00:00:00 +0000\";\n\tn = 1;\n\tx = <01>;\n}\n")
  }

  @Test("names that only Unicode takes for the same are two files")
  func equivalentNames() throws {
    let names = ["\u{E9}.plist", "e\u{301}.plist"]
    for name in names { try folder.write("{ k = v; }", to: name) }
    try fixture.expect("-convert binary1 \(names.joined(separator: " "))")
    for name in names { #expect(try Plist.read(folder.data(name)).format == .binary) }
  }

  @Test(
    "results that would replace one another are rejected before anything is written",
    arguments: [
      ("-convert xml1 -e z a.x a.y", "a.z would be written twice"),
      ("-convert xml1 -e z a.x ./a.y", "./a.z would be written twice"),
      ("-convert xml1 -e y a.x a.y", "a.y would be written twice"),
      ("-convert swift a.x a.y", "a.swift would be written twice"),
    ])
  func collisions(line: String, message: String) throws {
    for name in ["a.x", "a.y"] { try folder.write("( 1 )", to: name) }
    try fixture.expectUsageError(line, message)
    #expect(try folder.names() == ["a.x", "a.y", "sample.plist"])
    #expect(try folder.text("a.y") == "( 1 )")
  }
}
