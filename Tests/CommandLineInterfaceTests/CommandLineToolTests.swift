import CommandLineInterface
import Testing

@Suite("A command-line tool")
struct CommandLineToolTests {
  static let quiet = CommandLineTool.Option("-q", summary: "Say nothing")
  static let output = CommandLineTool.Option(
    "-o", argument: "path", summary: "Write to another path")
  static let label = CommandLineTool.Option(
    "-l", argument: "text", summary: "Put a label on the jar", repeats: true)
  static let files = CommandLineTool.Operands("file", count: 1...Int.max)

  private static let ignore: CommandLineTool.Action = { _, _ in }

  static let tool = CommandLineTool(
    name: "jar", summary: "open and close jars", version: "1.2",
    verbs: [
      .init("-open", summary: "Open jars", options: [quiet], operands: files, action: ignore),
      .init(
        "-fill", arguments: ["what", "how"],
        summary: "Fill jars with something, in one of the ways that there are for filling a jar",
        details: ["What does not go into the jar stays outside."],
        options: [quiet, output, label], operands: files,
        examples: [.init("jar -fill jam slowly kitchen", "Fill a jar with jam")], action: ignore),
      .init(
        "empty", summary: "Empty one jar", operands: .init("file", count: 1...1), action: ignore),
      .init(
        "-swap", summary: "Swap two jars", operands: .init("file", count: 2...2), action: ignore),
    ],
    defaultVerb: "-open",
    notes: ["A note that is long enough to go over the end of a line of 80 columns."])

  /// A short description of a request.
  private func describe(_ words: [String], tool: CommandLineTool = Self.tool) -> String {
    do throws(UsageError) {
      switch try tool.parse(words) {
      case .help(let verb): return verb.map { "help of \($0)" } ?? "help"
      case .version: return "version"
      case .manual: return "manual"
      case .completion(let shell): return "completion for \(shell)"
      case .invocation(let invocation):
        let options = invocation.options.sorted { $0.key < $1.key }
          .map { "\($0.key)=\($0.value.joined(separator: ","))" }
        return
          ([invocation.verb.name] + invocation.arguments + options + ["|"] + invocation.operands)
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
    ("-fill a b -l c -l d e", "-fill a b -l=c,d | e"),
    ("-help", "help"), ("--help", "help"), ("-h", "help"), ("-open a --help", "help of -open"),
    ("-fill --help", "help of -fill"), ("-fill a --help", "help of -fill"),
    ("-help -fill", "help of -fill"), ("-fill a b -o --help c", "-fill a b -o=--help | c"),
    ("--manual", "manual"), ("--completion zsh", "completion for zsh"),
    ("--completion", "error: --completion needs shell"),
    ("--completion bahs", "error: unrecognized shell: bahs; did you mean bash?"),
    ("--completion csh", "error: unrecognized shell: csh; did you mean zsh?"),
    ("-- --manual", "-open | --manual"),
    ("--version", "version"), ("-- --version", "-open | --version"),
    ("", "error: no files specified"), ("-open", "error: no files specified"),
    ("-fill", "error: -fill needs what"), ("-fill a", "error: -fill needs how"),
    ("-fill a b -o", "error: -o needs path"), ("-fill a b -o c", "error: no files specified"),
    ("-o x -open a", "error: -o does not go with -open"),
    ("-q -q a", "error: -q is given twice"), ("-x a", "error: unrecognized option: -x"),
    ("--quiet a", "error: unrecognized option: --quiet"),
    ("-opne a", "error: unrecognized option: -opne; did you mean -open?"),
    ("-fil a b c", "error: unrecognized option: -fil; did you mean -fill?"),
    ("--verison", "error: unrecognized option: --verison; did you mean --version?"),
    ("-swap a", "error: -swap takes 2 files, not 1"),
    ("-swap a b c", "error: unexpected c; -swap takes 2 files"),
    ("-open -fill a b c", "error: -fill cannot follow -open; expected one command"),
    ("a -fill a b", "error: -fill must stand before the files"),
    ("empty a b", "error: unexpected b; empty takes 1 file"),
  ]

  @Test("parses command lines", arguments: requests)
  func parsing(line: String, request: String) {
    #expect(describe(line.split(separator: " ").map(String.init)) == request)
  }

  @Test("keeps empty words and words with spaces")
  func oddWords() {
    #expect(describe(["-fill", "", "a b", ""]) == "-fill  a b | ")
  }

  @Test("may require a verb")
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
          -swap                   Swap two jars

        Options:
          -q                      Say nothing (with -open, -fill)
          -o path                 Write to another path (with -fill)
          -l text                 Put a label on the jar (with -fill)
          --                      Take everything that follows as a file
          -h, -help, --help       Show this help, or that of a command
          --version               Show the version
          --completion shell      Print the completion script of a shell: bash, zsh,
                                  fish
          --manual                Print the manual page, for man -l -

        A note that is long enough to go over the end of a line of 80 columns.

        jar command --help tells more of one of them.

        """)
  }

  @Test("makes the help of a verb from the table")
  func helpOfVerb() {
    #expect(
      Self.tool.help(of: Self.tool.verbs[1]) == """
        jar -fill: Fill jars with something, in one of the ways that there are for
        filling a jar

        Usage: jar -fill what how [-q] [-o path] [-l text]... file...

        Options:
          -q                      Say nothing
          -o path                 Write to another path
          -l text                 Put a label on the jar

        What does not go into the jar stays outside.

        Examples:
          jar -fill jam slowly kitchen
              Fill a jar with jam

        """)
  }

  @Test("may have no named verbs")
  func nameless() {
    let tool = CommandLineTool(
      name: "lid", summary: "close jars", version: "2",
      verbs: [
        .init(
          "", summary: "Close a jar", options: [Self.label], operands: .init("jar", count: 1...1),
          action: Self.ignore)
      ],
      defaultVerb: "")
    #expect(describe(["-l", "a", "b", "-l", "c"], tool: tool) == " -l=a,c | b")
    #expect(describe(["a", "b"], tool: tool) == "error: unexpected b; lid takes 1 jar")
    #expect(describe(["--lable"], tool: tool) == "error: unrecognized option: --lable")
    #expect(
      tool.help == """
        lid: close jars

        Usage: lid [-l text]... jar

        Options:
          -l text                 Put a label on the jar
          --                      Take everything that follows as a jar
          -h, -help, --help       Show this help
          --version               Show the version
          --completion shell      Print the completion script of a shell: bash, zsh,
                                  fish
          --manual                Print the manual page, for man -l -

        """)
  }

  // MARK: The verbatim layout

  static let verbatim = CommandLineTool(
    name: "shelf", summary: "keep jars", version: "1.2", layout: .verbatim,
    options: [quiet, output],
    verbs: [
      .init(
        "put", aliases: ["place"], summary: "Put jars somewhere",
        operands: .init("where jar...", count: 2...Int.max), action: ignore),
      .init("count", summary: "Count jars", operands: .init("", count: 0...0), action: ignore),
    ])

  static let verbatimRequests: [(String, String)] = [
    ("put a b", "put | a b"), ("PUT a -q --help -- -x", "put | a -q --help -- -x"),
    ("Place a", "put | a"), ("-q -o -x put a", "put -o=-x -q= | a"), ("-- put -q", "put | -q"),
    ("count", "count |"), ("help", "help"), ("HELP put", "help of put"), ("-help", "help"),
    ("help place", "help of put"),
    ("help pot", "error: unrecognized command: pot; did you mean put?"),
    ("put --help", "help of put"), ("put -help", "help of put"), ("put -h", "put | -h"),
    ("-q --help", "help"),
    ("--version", "version"), ("put --version", "put | --version"),
    ("", "error: no command is given"), ("-q", "error: no command is given"),
    ("take", "error: unrecognized command: take"),
    ("cuont", "error: unrecognized command: cuont; did you mean count?"),
    ("--manual", "manual"), ("put --manual", "put | --manual"),
    ("--completion fish put", "completion for fish"), ("-x put", "error: unrecognized option: -x"),
    ("-- -q put", "error: unrecognized command: -q"), ("-o", "error: -o needs path"),
    ("-q -q put", "error: -q is given twice"),
  ]

  @Test("parses command lines with verbatim operands", arguments: verbatimRequests)
  func verbatimParsing(line: String, request: String) {
    let words = line.split(separator: " ").map(String.init)
    let described = describe(words, tool: Self.verbatim)
    #expect(described == request || described == request + " ")
  }

  @Test("checks the number of operands")
  func counting() {
    func check(_ count: Int, _ verb: CommandLineTool.Verb) -> String {
      do throws(UsageError) {
        try Self.verbatim.check(count: count, of: verb)
        return "fine"
      } catch {
        return error.description
      }
    }
    let (put, count) = (Self.verbatim.verbs[0], Self.verbatim.verbs[1])
    #expect(check(2, put) == "fine")
    #expect(check(1, put) == "too few arguments; expected put where jar...")
    #expect(check(1, count) == "too many arguments; expected count")
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

        Options:
          -q                      Say nothing
          -o path                 Write to another path
          help, -help, --help     Show this help, or that of a command
          --version               Show the version
          --completion shell      Print the completion script of a shell: bash, zsh,
                                  fish
          --manual                Print the manual page, for man -l -

        shelf help command tells more of one of them.

        """)
  }
}
