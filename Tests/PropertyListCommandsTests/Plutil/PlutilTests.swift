import Foundation
import PropertyList
import TestSupport
import Testing

@Suite("plutil")
struct PlutilTests {
  private let fixture: PlutilFixture
  private var folder: TemporaryFolder { fixture.folder }

  init() throws {
    fixture = try PlutilFixture()
  }

  // MARK: Lint

  @Test("-lint warns about an Info.plist without identifier, and keys that launchd does not know")
  func rules() throws {
    try folder.write(#"{"CFBundleExecutable": "a"}"#, to: "Info.plist")
    try fixture.expect(
      "-lint Info.plist", output: "Info.plist: OK\n",
      error: "Info.plist: warning: an Info.plist needs this key (key path CFBundleIdentifier)\n")
    try folder.write(
      #"""
      {"Label": "l", "ProgramArguments": "a", "RunAtload": true, "KeepAlive": 1, "Nice": 5,
       "StartCalendarInterval": []}
      """#, to: "job.plist")
    try fixture.expect(
      "-lint job.plist", output: "job.plist: OK\n",
      error: """
        job.plist: warning: launchd expects an array, not a string (key path ProgramArguments)
        job.plist: warning: launchd does not know this key; did you mean RunAtLoad? (key path RunAtload)
        job.plist: warning: launchd expects a boolean or a dictionary, not an integer (key path KeepAlive)

        """)
    try fixture.expect("-lint -s job.plist")
    try fixture.expect(
      "-lint --json Info.plist",
      output:
        #"{"file":"Info.plist","keyPath":"CFBundleIdentifier","severity":"warning","message":"an Info.plist needs this key"}"#
        + "\n")
    for (name, suggestion) in [
      ("int", "<integer>"), ("bool", "<true/> or <false/>"), ("Dict", "<dict>"),
    ] {
      try folder.write("<plist><\(name)/></plist>", to: "e.plist")
      try fixture.expect(
        "-lint e.plist",
        output:
          "e.plist: line 1 column 8: <\(name)> is not a property list element; did you mean \(suggestion)?\n",
        status: 1)
    }
  }

  @Test("-lint prints OK, warnings, and the first error of each file")
  func lint() throws {
    try folder.write("<dict><key>a</key><true/><key>a</key><false/></dict>", to: "odd.plist")
    try folder.write("<plist><dict>\n<key>a</key></dict></plist>", to: "bad.plist")
    try folder.write("bplist00 and then nothing that is one of those", to: "bad.bin")
    try folder.write("{ a = 1; }", to: "old.plist")
    try folder.write("hi\n", to: "word")
    try fixture.expect("sample.plist", output: "sample.plist: OK\n")
    try fixture.expect(
      "-lint sample.plist old.plist", output: "sample.plist: OK\nold.plist: OK\n")
    try fixture.expect("-s sample.plist")
    try fixture.expect(
      "-lint odd.plist", output: "odd.plist: OK\n",
      error: """
        odd.plist: warning: line 1 column 1: the value has no <plist> element around it
        odd.plist: warning: line 1 column 26: the key appears more than once; the last value wins (key path a)

        """)
    try fixture.expect("-s odd.plist")
    try fixture.expect(
      "-lint bad.plist sample.plist bad.bin missing word",
      output: """
        bad.plist: line 2 column 13: expected a value for the key, found </dict> (key path a)
        sample.plist: OK
        bad.bin: byte 20: the trailer is malformed; the file may be cut off: expected offsets of 1 to 8 bytes that reach the \
        offset table
        missing: file does not exist or is not readable or is not a regular file (No such file or directory)
        word: OK

        """,
      error: """
        word: warning: line 1 column 1: the document is a single bare word, read as a string

        """,
      status: 1)
    try fixture.expect(
      "-s bad.plist",
      output:
        "bad.plist: line 2 column 13: expected a value for the key, found </dict> (key path a)\n",
      status: 1)
  }

  @Test("- is standard input, and ./- a file of that name")
  func standardInput() throws {
    try fixture.expect("-", input: PlutilFixture.sample, output: "<stdin>: OK\n")
    try fixture.expect(
      "-lint -", input: "<plist>",
      output:
        "<stdin>: line 1 column 8: expected </plist>, found the end of the document\n", status: 1
    )
    try fixture.expect(
      "-lint -", output: "<stdin>: the document is empty; expected a property list\n", status: 1)
    try folder.write(PlutilFixture.sample, to: "-")
    try folder.write(PlutilFixture.sample, to: "-s")
    try fixture.expect("./-", output: "./-: OK\n")
    try fixture.expect("-- -s", output: "-s: OK\n")
    try Plutil.shell("$PLUTIL - <&-", in: folder).expect(
      output: "<stdin>: cannot read: Bad file descriptor\n", status: 1)
  }

  // MARK: Print

  @Test("-p prints a tree")
  func print() throws {
    try fixture.expect(
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
    try fixture.expect(
      "-p -", input: "<string>\u{1B}[2J\"\\\n\t</string>", output: #""\u{1b}[2J\"\\\n\t""# + "\n")
    let value: PlistValue = [
      "set": .set([.null]), "uid": .uid(5), "float": .float(0.1), "big": .unsignedInteger(.max),
      "data": .data(Data(0..<26)), "empty": [[], [:]],
      "date": .date(.init(timeIntervalSinceReferenceDate: 1e300)),
    ]
    try folder.write(try Plist.write(value, as: .binary), to: "odd.plist")
    try fixture.expect(
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

  // MARK: Create

  @Test("-create writes an empty dictionary, and never replaces a file")
  func create() throws {
    try fixture.expect("-create xml1 new.plist")
    #expect(try folder.text("new.plist") == (try fixture.xml([:])))
    try fixture.expect("-create binary1 new.bin")
    #expect(try Plist.read(folder.data("new.bin")).value == [:])
    try fixture.expect("-create xml1 -", output: try fixture.xml([:]))
    try fixture.expect("-create json -", output: "{}")
    try fixture.expect("-create json new.json")
    #expect(try folder.text("new.json") == "{}")
    try fixture.expect("-create openstep new.old")
    #expect(try Plist.read(folder.data("new.old")).value == [:])
    try fixture.expect(
      "-create xml1 sample.plist",
      error: "sample.plist: file already exists; use -o sample.plist to replace it\n",
      status: 1)
    #expect(try folder.text("sample.plist") == PlutilFixture.sample)
    try fixture.expect(
      "-create xml1 no/folder", error: "no/folder: cannot open: No such file or directory\n",
      status: 1)
  }

  // MARK: Usage

  @Test(
    "a malformed command line is reported in one line, with exit status 1",
    arguments: [
      ("", "No files specified."), ("-lint", "No files specified."),
      ("-x a", "unrecognized option: -x"),
      ("-replace X -int 4 sample.plist", "unrecognized option: -int; did you mean -integer?"),
      ("convert xml1 sample.plist", "unrecognized command: convert; did you mean -convert?"),
      ("-convert", "-convert needs a format: xml1, binary1, json, openstep, swift or objc"),
      ("-convert xml1", "No files specified."),
      (
        "-convert xml2 a",
        "unknown format specifier: xml2; expected xml1, binary1, json, openstep, swift or objc; did "
          + "you mean xml1?"
      ),
      ("-extract a", "-extract needs a format: xml1, binary1, json, openstep, swift, objc or raw"),
      ("-o b -lint a", "-o cannot be used with -lint"),
      ("-convert xml1 -o c a b", "-o can only be used with one file; found 2"),
      ("-convert xml1 -o - a b", "standard output can only take the result of one file; found 2"),
      ("-extract x xml1 a b", "standard output can only take the result of one file; found 2"),
      ("-convert xml1 -o a -e b c", "-o and -e cannot be used together"),
      ("-convert xml1 -e a/b c", "-e needs an extension without a dot or slash, such as plist"),
      ("-convert xml1 -e .a c", "-e needs an extension without a dot or slash, such as plist"),
      (
        "-extract count raw -e plist sample.plist",
        "the output would replace the input sample.plist; use -o to choose another file"
      ),
      (
        "-extract a xml2 b",
        "unknown format specifier: xml2; expected xml1, binary1, json, openstep, swift, objc or raw; "
          + "did you mean xml1?"
      ),
      (
        "-convert xml1 -e xml sample.plist -",
        "-e cannot be used with standard input; use -o to choose the output"
      ),
      (
        "-convert xml1 -e a -", "-e cannot be used with standard input; use -o to choose the output"
      ),
      ("-lint -p a", "-p cannot be combined with -lint; use one command at a time"),
    ])
  func usage(line: String, message: String) throws {
    try fixture.expectUsageError(line, message)
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
        plutil: check, print, convert, edit and compare property lists

        Usage: plutil [command] [options] file...

        Commands (-lint is the default):
          -lint                   Check that files are valid property lists, and warn
                                  about oddities
          -find pattern           Find keys and values with a regular expression
          -info                   Describe files: format, contents and likely purpose
          -describe keypath       Print what a preference manifest says about a key
          -inspect                Write a page that shows property lists in a browser
          -p                      Print property lists in a human-readable form
          -convert format         Convert files to xml1, binary1, json, openstep, swift
                                  or objc, in place unless -o or -e is given

        """))
    for words in [["--help"], ["-h"], ["help"]] {
      #expect(try Plutil.run(words, in: folder).text == help.text)
    }
    let ofVerb = try Plutil.run(["-convert", "--help"], in: folder).text
    #expect(ofVerb.hasPrefix("plutil -convert: "))
    for words in [["help", "-convert"], ["help", "convert"], ["-help", "-convert"]] {
      #expect(try Plutil.run(words, in: folder).text == ofVerb)
    }
    try fixture.expectUsageError(
      "help convret", "unrecognized command: convret; did you mean -convert?")
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    try fixture.expect("--version", output: "plutil (Larder) 0.1.0\n")
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
