import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil")
struct PlutilTests {
  private let folder: TemporaryFolder

  private static let sample = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>count</key>
    \t<integer>-5</integer>
    \t<key>data</key>
    \t<data>
    \tAQIDBA==
    \t</data>
    \t<key>list</key>
    \t<array>
    \t\t<dict>
    \t\t\t<key>a.b</key>
    \t\t\t<string>deep</string>
    \t\t</dict>
    \t\t<true/>
    \t</array>
    \t<key>ratio</key>
    \t<real>2.5</real>
    \t<key>when</key>
    \t<date>2024-01-02T03:04:05Z</date>
    </dict>
    </plist>

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.sample, to: "sample.plist")
  }

  /// Runs plutil and expects all of what it leaves behind.
  private func expect(
    _ line: String, input: String = "", output: String = "", error: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let words = line.split(separator: " ").map(String.init)
    let run = try Plutil.run(words, in: folder, input: Data(input.utf8))
    #expect(run.text == output, sourceLocation: sourceLocation)
    #expect(run.error == error, sourceLocation: sourceLocation)
    #expect(run.status == status, sourceLocation: sourceLocation)
  }

  // MARK: Lint

  @Test("-lint says OK, warns, and tells the first error of each file")
  func lint() throws {
    try folder.write("<dict><key>a</key><true/><key>a</key><false/></dict>", to: "odd.plist")
    try folder.write("<plist><dict>\n<key>a</key></dict></plist>", to: "bad.plist")
    try folder.write("bplist00 and then nothing that is one of those", to: "bad.bin")
    try folder.write("{ a = 1; }", to: "old.plist")
    try folder.write("hi\n", to: "word")
    try expect("sample.plist", output: "sample.plist: OK\n")
    try expect(
      "-lint sample.plist old.plist", output: "sample.plist: OK\nold.plist: OK\n")
    try expect("-s sample.plist")
    try expect(
      "-lint odd.plist", output: "odd.plist: OK\n",
      error: """
        odd.plist: warning: line 1 column 1: there is no <plist> element around the value
        odd.plist: warning: line 1 column 26: the key appears twice; the last value counts (key path a)

        """)
    try expect("-s odd.plist")
    try expect(
      "-lint bad.plist sample.plist bad.bin missing word .", output: "sample.plist: OK\n",
      error: """
        bad.plist: line 2 column 13: the key has no value; expected one, found </dict> (key path a)
        bad.bin: byte 20: the trailer is malformed: expected offsets of 1 to 8 bytes that reach the \
        offset table
        missing: cannot open: No such file or directory
        word: line 1 column 1: the document is only a bare word, read as a string
        .: cannot read: Is a directory

        """,
      status: 1)
    try expect(
      "-s bad.plist",
      error:
        "bad.plist: line 2 column 13: the key has no value; expected one, found </dict> (key path a)\n",
      status: 1)
  }

  @Test("- is standard input, and ./- a file of that name")
  func standardInput() throws {
    try expect("-", input: Self.sample, output: "<stdin>: OK\n")
    try expect(
      "-lint -", input: "<plist>",
      error:
        "<stdin>: line 1 column 8: the element is not closed by an end tag of its name\n", status: 1
    )
    try expect(
      "-lint -", error: "<stdin>: the document is empty; expected a property list\n", status: 1)
    try folder.write(Self.sample, to: "-")
    try folder.write(Self.sample, to: "-s")
    try expect("./-", output: "./-: OK\n")
    try expect("-- -s", output: "-s: OK\n")
    let closed = try Plutil.shell("$PLUTIL - <&-", in: folder)
    #expect(closed.error == "<stdin>: cannot read: Bad file descriptor\n")
    #expect(closed.status == 1)
  }

  // MARK: Print

  @Test("-p prints a tree")
  func print() throws {
    try expect(
      "-p sample.plist",
      output: """
        {
          "count" => -5
          "data" => {length = 4, bytes = 0x01020304}
          "list" => [
            0 => {
              "a.b" => "deep"
            }
            1 => true
          ]
          "ratio" => 2.5
          "when" => 2024-01-02 03:04:05 +0000
        }

        """)
    try expect(
      "-p -", input: "<string>\u{1B}[2J\"\\\n\t</string>", output: #""\u{1b}[2J\"\\\n\t""# + "\n")
    let value: PlistValue = [
      "set": .set([.null]), "uid": .uid(5), "float": .float(0.1), "big": .unsignedInteger(.max),
      "data": .data(Data(0..<26)), "empty": [[], [:]],
      "date": .date(.init(timeIntervalSinceReferenceDate: 1e300)),
    ]
    try folder.write(try PropertyList.write(value, as: .binary), to: "odd.plist")
    try expect(
      "-p odd.plist",
      output: """
        {
          "big" => 18446744073709551615
          "data" => {length = 26, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... 12131415 16171819 }
          "date" => 1e+300
          "empty" => [
            0 => [
            ]
            1 => {
            }
          ]
          "float" => 0.1
          "set" => {(
            null
          )}
          "uid" => <CFKeyedArchiverUID>{value = 5}
        }

        """)
  }

  // MARK: Convert

  @Test("-convert rewrites in place, and back to the same bytes")
  func convert() throws {
    try expect("-convert binary1 sample.plist")
    let binary = try folder.data("sample.plist")
    #expect(PlistFormat(detecting: binary) == .binary)
    try expect("-convert binary1 sample.plist")
    #expect(try folder.data("sample.plist") == binary)
    try expect("-convert xml1 sample.plist")
    #expect(try folder.text("sample.plist") == Self.sample)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-o, -e and - say where the result goes")
  func destinations() throws {
    try folder.write("( 1 )", to: "old")
    try folder.write("( 1 )", to: ".hidden")
    let converted = try xml([.string("1")])
    try expect("-convert xml1 -o new.plist old")
    #expect(try folder.text("new.plist") == converted)
    try expect("-convert xml1 -o - old", output: converted)
    try expect("-convert xml1 old -o -", output: converted)
    try expect("-convert xml1 -", input: "( 1 )", output: converted)
    try expect("-convert xml1 -o out.plist -", input: "( 1 )")
    #expect(try folder.text("out.plist") == converted)
    try expect("-convert xml1 -e xml old .hidden sample.plist")
    #expect(try folder.text("old.xml") == converted)
    #expect(try folder.text(".hidden.xml") == converted)
    #expect(try folder.text("sample.xml") == Self.sample)
    #expect(try folder.text("old") == "( 1 )")
    #expect(
      try folder.names() == [
        ".hidden", ".hidden.xml", "new.plist", "old", "old.xml", "out.plist", "sample.plist",
        "sample.xml",
      ])
    #expect(try folder.text("sample.plist") == Self.sample)
  }

  private func xml(_ value: PlistValue) throws -> String {
    String(decoding: try PropertyList.write(value, as: .xml), as: UTF8.self)
  }

  @Test("-o may be a device or a pipe, and -e goes by the bytes of a path")
  func oddDestinations() throws {
    try expect("-convert xml1 -o /dev/null sample.plist")
    try expect("-convert xml1 -o /dev/stdout sample.plist", output: Self.sample)
    let pipe = try Plutil.shell(
      "$PLUTIL -convert xml1 -o >(cat >copy) sample.plist; wait $!", in: folder)
    #expect(pipe.status == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("d.x"), withIntermediateDirectories: false)
    try folder.write(Self.sample, to: "d.x/\u{301}f")
    try expect("-convert xml1 -e out d.x/\u{301}f")
    #expect(try folder.text("d.x/\u{301}f.out") == Self.sample)
  }

  @Test("names of files and keys cannot break a line of output")
  func oneLine() throws {
    let run = try Plutil.run(["-lint", "x\ny\u{1B}[31m"], in: folder)
    #expect(run.error == "x\\u{a}y\\u{1b}[31m: cannot open: No such file or directory\n")
    let missing = try Plutil.run(["-type", "a\nb", "sample.plist"], in: folder)
    #expect(
      missing.error
        == "sample.plist: no value at key path a\\u{a}b; the nearest is the root, a dictionary of 5\n"
    )
  }

  @Test("-convert warns of what the format drops, and of keys that are lost")
  func lossyConversion() throws {
    let fraction: PlistValue = ["d": [.date(.init(timeIntervalSinceReferenceDate: 0.5))]]
    try folder.write(try PropertyList.write(fraction, as: .binary), to: "date.plist")
    try expect(
      "-convert xml1 -o - date.plist",
      output: try xml(["d": [.date(.init(timeIntervalSinceReferenceDate: 0))]]),
      error: "date.plist: warning: XML holds whole seconds; the date has a fraction "
        + "(key path d.0); rounded down, here and elsewhere\n")
    try expect(
      "-convert xml1 -s -o - date.plist",
      output: try xml(["d": [.date(.init(timeIntervalSinceReferenceDate: 0))]]))
    try expect(
      "-convert xml1 -o - -", input: "{ a = 1; a = 2; }", output: try xml(["a": "2"]),
      error: "<stdin>: warning: line 1 column 10: the key appears twice; the last value counts "
        + "(key path a)\n")
  }

  @Test("a file that cannot be converted stays as it was, and the others are converted")
  func failedConversion() throws {
    let unwritable: [(PlistValue, String)] = [
      (["a": [.null]], "XML cannot hold a null (key path a.0)"),
      (["a": "\u{1}"], "XML cannot hold the character U+0001 of a string (key path a)"),
    ]
    for (value, message) in unwritable {
      let data = try PropertyList.write(value, as: .binary)
      try folder.write(data, to: "bad.plist")
      try folder.write("( 1 )", to: "good.plist")
      try expect(
        "-convert xml1 bad.plist missing good.plist",
        error: "bad.plist: \(message)\nmissing: cannot open: No such file or directory\n", status: 1
      )
      #expect(try folder.data("bad.plist") == data)
      #expect(try folder.text("good.plist") == (try xml([.string("1")])))
    }
    try folder.write("hello\n", to: "notes")
    try expect(
      "-convert xml1 notes",
      error: """
        notes: warning: line 1 column 1: the document is only a bare word, read as a string
        notes: is not replaced, being no more than a bare word

        """, status: 1)
    #expect(try folder.text("notes") == "hello\n")
    try expect("-convert xml1 -s -o - notes", output: try xml("hello"))
    try folder.write("<plist><dict>", to: "cut.plist")
    try expect(
      "-convert binary1 cut.plist",
      error: "cut.plist: line 1 column 14: the element is not closed by an end tag of its name\n",
      status: 1)
    #expect(try folder.text("cut.plist") == "<plist><dict>")
    #expect(
      try folder.names() == ["bad.plist", "cut.plist", "good.plist", "notes", "sample.plist"])
  }

  @Test("a disk that takes no more leaves the file as it was, and nothing beside it")
  func fullDisk() throws {
    let large = PlistValue.array((0..<10_000).map { .string("string number \($0)") })
    let data = try PropertyList.write(large, as: .binary)
    try folder.write(data, to: "large.plist")
    let run = try Plutil.shell(
      "trap '' XFSZ; ulimit -f 100; $PLUTIL -convert xml1 large.plist", in: folder)
    #expect(run.error == "large.plist: cannot write: File too large\n")
    #expect(run.status == 1)
    #expect(try folder.data("large.plist") == data)
    #expect(try folder.names() == ["large.plist", "sample.plist"])
    let full = try Plutil.shell("$PLUTIL -convert xml1 -o - large.plist > /dev/full", in: folder)
    #expect(full.error == "plutil: standard output: cannot write: No space left on device\n")
    #expect(full.status == 1)
  }

  @Test("killed at any moment, it leaves the old file or the new one")
  func kill() throws {
    let large = PlistValue.dictionary(
      PlistDictionary((0..<20_000).map { ("key \($0)", .string("value \($0)")) }))
    try folder.write(try PropertyList.write(large, as: .binary), to: "large.plist")
    // Killed after every fortieth part of the time that it takes.
    let whole = try Plutil.run(["-convert", "xml1", "large.plist"], in: folder).seconds
    let run = try Plutil.shell(
      """
      killed=0
      for i in $(seq 1 40); do
        format=xml1; [ $((i % 2)) = 0 ] && format=binary1
        delay=$(awk "BEGIN { print \(whole) * $i / 40 }")
        timeout -s KILL $delay $PLUTIL -convert $format large.plist
        [ $? = 137 ] && killed=$((killed + 1))
        $PLUTIL -s -lint large.plist || exit 3
      done
      echo $killed
      """, in: folder)
    #expect(run.status == 0, "\(run.error)")
    #expect((Int(run.text.trimmingCharacters(in: .newlines)) ?? 0) > 0)
    #expect(try PropertyList.read(folder.data("large.plist")).value == large)
  }

  @Test("with its standard streams closed it does not write messages into files")
  func closedStreams() throws {
    let run = try Plutil.shell(
      "$PLUTIL -convert xml1 sample.plist missing sample.plist <&- >&- 2>&-", in: folder)
    #expect(run.status == 1)
    #expect(try folder.text("sample.plist") == Self.sample)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("writing goes through a symbolic link and keeps the file's permissions")
  func links() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "sample.plist")
    #expect(chmod(folder.path("sample.plist"), 0o640) == 0)
    try expect("-convert binary1 link")
    #expect(PlistFormat(detecting: try folder.data("sample.plist")) == .binary)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link"))
        == "sample.plist")
    var information = stat()
    #expect(stat(folder.path("sample.plist"), &information) == 0)
    #expect(information.st_mode & 0o777 == 0o640)
  }

  // MARK: Extract and type

  static let raw: [(String, String, String)] = [
    ("count", "-5", "integer"), ("data", "AQIDBA==", "data"), ("list", "2", "array"),
    ("list.0", "a.b", "dictionary"), (#"list.0.a\.b"#, "deep", "string"),
    ("list.1", "true", "bool"),
    ("ratio", "2.5", "float"), ("when", "2024-01-02T03:04:05Z", "date"),
  ]

  @Test("-extract raw prints a value, -type its type", arguments: raw)
  func extractRaw(path: String, value: String, type: String) throws {
    try expect("-extract \(path) raw sample.plist", output: value + "\n")
    try expect("-extract \(path) raw -o out sample.plist")
    #expect(try folder.text("out") == value + "\n")
    try expect("-type \(path) sample.plist", output: type + "\n")
  }

  @Test("-extract and -type find in a binary file what they find in XML", arguments: raw)
  func extractFromBinary(path: String, value: String, type: String) throws {
    try expect("-convert binary1 sample.plist")
    try expect("-extract \(path) raw sample.plist", output: value + "\n")
    try expect("-type \(path) sample.plist", output: type + "\n")
    let extracted = try Plutil.run(["-extract", path, "binary1", "sample.plist"], in: folder)
    let whole = try PropertyList.read(folder.data("sample.plist")).value
    #expect(try PropertyList.read(extracted.output).value == whole[PlistKeyPath(path)])
  }

  @Test(
    "-extract and -type pass over damage elsewhere in a binary file, and tell of what is in the way"
  )
  func damageElsewhere() throws {
    var data = try PropertyList.write(["bad": ["text"], "good": 1], as: .binary)
    let text = try #require(data.range(of: Data("text".utf8)))
    data[text.lowerBound] = 0xFF
    try folder.write(data, to: "damaged.plist")
    let message =
      "damaged.plist: byte \(text.lowerBound - 1): the string is malformed; expected ASCII bytes"
    try expect("-extract good raw damaged.plist", output: "1\n")
    try expect("-type good damaged.plist", output: "integer\n")
    try expect("-type bad damaged.plist", output: "array\n")
    try expect(
      "-extract bad xml1 damaged.plist", error: message + " (key path bad.0)\n", status: 1)
    try expect("-lint damaged.plist", error: message + " (key path bad.0)\n", status: 1)
    try expect(
      "-extract worse raw damaged.plist",
      error: "damaged.plist: no value at key path worse; the nearest is the root, "
        + "a dictionary of 2\n", status: 1)
  }

  @Test("-extract writes a value as a property list and leaves the file alone")
  func extract() throws {
    let list: PlistValue = [["a.b": "deep"], true]
    try expect("-extract list xml1 sample.plist", output: try xml(list))
    try expect("-extract list binary1 -o list.plist sample.plist")
    #expect(try PropertyList.read(folder.data("list.plist")).value == list)
    try expect("-extract list xml1 -e list sample.plist")
    #expect(try folder.text("sample.list") == (try xml(list)))
    #expect(try folder.text("sample.plist") == Self.sample)
    let root = try Plutil.run(["-extract", "", "raw", "sample.plist"], in: folder)
    #expect(root.text == "count\ndata\nlist\nratio\nwhen\n")
    let same = try Plutil.run(["-extract", "", "xml1", "sample.plist"], in: folder)
    #expect(same.text == Self.sample)
  }

  @Test(
    "a key path that leads nowhere is named, with the nearest that does",
    arguments: [
      ("list.2", "list, an array of 2"), ("list.0.x.y", "list.0, a dictionary of 1"),
      ("count.x", "count, an integer"), ("ratio.0", "ratio, a real"),
      ("x.y", "the root, a dictionary of 5"), ("list.-1", "list, an array of 2"),
      (#"list.0.a\.b.c"#, #"list.0.a\.b, a string"#),
    ])
  func missing(path: String, nearest: String) throws {
    let message = "sample.plist: no value at key path \(path); the nearest is \(nearest)\n"
    for format in ["xml1", "binary1"] {
      try expect("-convert \(format) sample.plist")
      try expect("-extract \(path) raw sample.plist", error: message, status: 1)
      try expect("-extract \(path) xml1 -o out sample.plist", error: message, status: 1)
      try expect("-type \(path) sample.plist", error: message, status: 1)
    }
    #expect(try folder.names() == ["sample.plist"])
  }

  // MARK: Create

  @Test("-create makes an empty dictionary, and never over a file")
  func create() throws {
    try expect("-create xml1 new.plist")
    #expect(try folder.text("new.plist") == (try xml([:])))
    try expect("-create binary1 new.bin")
    #expect(try PropertyList.read(folder.data("new.bin")).value == [:])
    try expect("-create xml1 -", output: try xml([:]))
    try expect(
      "-create xml1 sample.plist", error: "sample.plist: cannot create: File exists\n", status: 1)
    #expect(try folder.text("sample.plist") == Self.sample)
    try expect(
      "-create xml1 no/folder", error: "no/folder: cannot open: No such file or directory\n",
      status: 1)
  }

  // MARK: Usage

  @Test(
    "a command line that makes no sense is one line and exit status 1",
    arguments: [
      ("", "no files specified"), ("-lint", "no files specified"),
      ("-x a", "unrecognized option: -x"),
      ("-convert", "-convert needs format"), ("-convert xml1", "no files specified"),
      ("-convert xml2 a", "unknown format: xml2; expected xml1 or binary1"),
      ("-extract a", "-extract needs format"),
      ("-create xml1 a b", "unexpected b; -create takes 1 file"),
      ("-o b -lint a", "-o does not go with -lint"),
      ("-convert xml1 -o c a b", "-o takes the result of one file, not of 2"),
      ("-convert xml1 -o - a b", "standard output takes the result of one file, not of 2"),
      ("-extract x xml1 a b", "standard output takes the result of one file, not of 2"),
      ("-convert xml1 -o a -e b c", "-o and -e cannot be given together"),
      ("-convert xml1 -e a/b c", "-e needs an extension such as plist"),
      ("-convert xml1 -e .a c", "-e needs an extension such as plist"),
      ("-extract count raw -e plist sample.plist", "-e plist would replace sample.plist itself"),
      ("-extract a xml2 b", "unknown format: xml2; expected raw, xml1 or binary1"),
      (
        "-convert xml1 -e xml sample.plist -",
        "-e names a file beside the input; standard input has none"
      ),
      ("-convert xml1 -e a -", "-e names a file beside the input; standard input has none"),
      ("-lint -p a", "-p cannot follow -lint; expected one command"),
    ])
  func usage(line: String, message: String) throws {
    try expect(line, error: "plutil: \(message) (see plutil -help)\n", status: 1)
    #expect(try folder.names() == ["sample.plist"])
  }

  @Test("-help and --version")
  func help() throws {
    let help = try Plutil.run(["-help"], in: folder)
    #expect(help.status == 0)
    #expect(help.error == "")
    #expect(
      help.text.hasPrefix(
        """
        plutil: check, print and convert property lists

        Usage: plutil [command] [options] file...

        Commands (-lint unless given):
          -lint                   Check that files can be read, and warn of what is odd
                                  in them
          -p                      Print values for people to read
          -convert format         Write files anew as xml1 or binary1, in place unless
                                  -o or -e is given

        """))
    #expect(try Plutil.run(["--help"], in: folder).text == help.text)
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    try expect("--version", output: "plutil (Larder) 0.1.0\n")
  }

  // MARK: The program

  @Test("links nothing of Foundation but its essentials")
  func linkage() throws {
    let run = try Plutil.shell("ldd $PLUTIL", in: folder)
    #expect(run.status == 0)
    let libraries = run.text.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(libraries.contains { $0.hasPrefix("libxml2.so") })
    #expect(libraries.filter { $0.contains("Foundation") } == ["libFoundationEssentials.so"])
  }
}
