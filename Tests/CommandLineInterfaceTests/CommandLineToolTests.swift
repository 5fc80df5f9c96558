import CommandLineInterface
import Testing

@Suite("A command-line tool")
struct CommandLineToolTests {
  static let quiet = CommandLineTool.Option("-q", summary: "Say nothing")
  static let output = CommandLineTool.Option(
    "-o", argument: "path", summary: "Write to another path")
  static let files = CommandLineTool.Operands("file", count: 1...Int.max)

  static let tool = CommandLineTool(
    name: "jar", summary: "open and close jars", version: "1.2",
    verbs: [
      .init("-open", summary: "Open jars", options: [quiet], operands: files),
      .init(
        "-fill", arguments: ["what", "how"],
        summary: "Fill jars with something, in one of the ways that there are for filling a jar",
        options: [quiet, output], operands: files),
      .init("empty", summary: "Empty one jar", operands: .init("file", count: 1...1)),
    ],
    defaultVerb: "-open",
    notes: ["A note that is long enough to go over the end of a line of 80 columns."])

  /// A request in few characters.
  private func describe(_ words: [String], tool: CommandLineTool = Self.tool) -> String {
    do throws(UsageError) {
      switch try tool.parse(words) {
      case .help: return "help"
      case .version: return "version"
      case .invocation(let invocation):
        let options = invocation.options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return ([invocation.verb] + invocation.arguments + options + ["|"] + invocation.operands)
          .joined(separator: " ")
      }
    } catch {
      return "error: \(error)"
    }
  }

  static let requests: [(String, String)] = [
    ("a b", "-open | a b"), ("-open a", "-open | a"), ("-q a", "-open -q= | a"),
    ("a -q", "-open -q= | a"), ("-q -open a", "-open -q= | a"), ("-open -- -q", "-open | -q"),
    ("-- a -- b", "-open | a -- b"), ("-", "-open | -"), ("-open -", "-open | -"),
    ("-fill jam slowly a", "-fill jam slowly | a"), ("-fill -q -- a", "-fill -q -- | a"),
    ("-fill a b -o c d", "-fill a b -o=c | d"), ("-fill a b -o -q d", "-fill a b -o=-q | d"),
    ("empty a", "empty | a"), ("a empty", "-open | a empty"),
    ("-help", "help"), ("--help", "help"), ("-h", "help"), ("-open a --help", "help"),
    ("--version", "version"), ("-- --version", "-open | --version"),
    ("", "error: no files specified"), ("-open", "error: no files specified"),
    ("-fill", "error: -fill needs what"), ("-fill a", "error: -fill needs how"),
    ("-fill a b -o", "error: -o needs path"), ("-fill a b -o c", "error: no files specified"),
    ("-o x -open a", "error: -o does not go with -open"),
    ("-q -q a", "error: -q is given twice"), ("-x a", "error: unrecognized option: -x"),
    ("--quiet a", "error: unrecognized option: --quiet"),
    ("-open -fill a b c", "error: -fill cannot follow -open; expected one command"),
    ("a -fill a b", "error: -fill must stand before the files"),
    ("empty a b", "error: unexpected b; empty takes 1 file"),
  ]

  @Test("takes command lines apart", arguments: requests)
  func parsing(line: String, request: String) {
    #expect(describe(line.split(separator: " ").map(String.init)) == request)
  }

  @Test("keeps empty words and such with spaces")
  func oddWords() {
    #expect(describe(["-fill", "", "a b", ""]) == "-fill  a b | ")
  }

  @Test("may ask for a verb")
  func noDefault() {
    var tool = Self.tool
    tool.defaultVerb = nil
    #expect(describe(["a"], tool: tool) == "error: no command is given")
  }

  @Test("makes its help from the table")
  func help() {
    #expect(
      Self.tool.help == """
        jar: open and close jars

        Usage: jar [command] [options] file...

        Commands (-open unless given):
          -open                   Open jars
          -fill what how          Fill jars with something, in one of the ways that
                                  there are for filling a jar
          empty                   Empty one jar
          -help, --help           Show this help
          --version               Show the version

        Options:
          -q                      Say nothing (with -open, -fill)
          -o path                 Write to another path (with -fill)
          --                      Take everything that follows as a file

        A note that is long enough to go over the end of a line of 80 columns.

        """)
  }

  // MARK: The verbatim layout

  static let verbatim = CommandLineTool(
    name: "shelf", summary: "keep jars", version: "1.2", layout: .verbatim,
    options: [quiet, output],
    verbs: [
      .init(
        "put", aliases: ["place"], summary: "Put jars somewhere",
        operands: .init("where jar...", count: 2...Int.max)),
      .init("count", summary: "Count jars", operands: .init("", count: 0...0)),
    ])

  static let verbatimRequests: [(String, String)] = [
    ("put a b", "put | a b"), ("PUT a -q --help -- -x", "put | a -q --help -- -x"),
    ("Place a", "put | a"), ("-q -o -x put a", "put -o=-x -q= | a"), ("-- put -q", "put | -q"),
    ("count", "count |"), ("help", "help"), ("HELP put", "help"), ("-help", "help"),
    ("put --help", "help"), ("put -help", "help"), ("put -h", "put | -h"), ("-q --help", "help"),
    ("--version", "version"), ("put --version", "put | --version"),
    ("", "error: no command is given"), ("-q", "error: no command is given"),
    ("take", "error: unrecognized command: take"), ("-x put", "error: unrecognized option: -x"),
    ("-- -q put", "error: unrecognized command: -q"), ("-o", "error: -o needs path"),
    ("-q -q put", "error: -q is given twice"),
  ]

  @Test("takes command lines apart whose operands are verbatim", arguments: verbatimRequests)
  func verbatimParsing(line: String, request: String) {
    let words = line.split(separator: " ").map(String.init)
    let described = describe(words, tool: Self.verbatim)
    #expect(described == request || described == request + " ")
  }

  @Test("checks the number of operands that a tool has counted")
  func counting() {
    func check(_ count: Int, _ verb: String) -> String {
      do throws(UsageError) {
        try Self.verbatim.check(count: count, of: verb)
        return "fine"
      } catch {
        return error.description
      }
    }
    #expect(check(2, "put") == "fine")
    #expect(check(1, "put") == "too few arguments; expected put where jar...")
    #expect(check(1, "count") == "too many arguments; expected count")
  }

  @Test("makes the help of the verbatim layout from the table")
  func verbatimHelp() {
    #expect(
      Self.verbatim.help == """
        shelf: keep jars

        Usage: shelf [options] command [argument]...

        Commands:
          put where jar...        Put jars somewhere (also: place)
          count                   Count jars
          help, -help, --help     Show this help
          --version               Show the version

        Options:
          -q                      Say nothing
          -o path                 Write to another path

        """)
  }
}
