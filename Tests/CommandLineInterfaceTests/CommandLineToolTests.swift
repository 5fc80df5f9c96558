import CommandLineInterface
import Testing

@Suite("A command-line tool")
struct CommandLineToolTests {
  static let quiet = CommandLineTool.Option("-q", "Say nothing")
  static let output = CommandLineTool.Option("-o path", "Write to another path")
  static let label = CommandLineTool.Option("-l text", "Put a label on the jar", repeats: true)
  static let files = CommandLineTool.Operands(
    "file", count: 1...Int.max, arguments: [.init("file", "A file that is a jar")])

  private static let ignore: CommandLineTool.Action = { _, _ in }

  static let tool = CommandLineTool(
    name: "jar", summary: "open and close jars", version: "1.2",
    verbs: [
      .init(
        "-open", options: [quiet], operands: files,
        "Open jars", action: ignore),
      .init(
        "-fill",
        arguments: [
          .init("content", "What goes into the jar", completion: .words(["jam", "ink"])), "way",
        ], options: [quiet, output, label], operands: files,
        """
        Fill jars with something, in one of the ways that there are for filling a jar
        What does not go into the jar stays outside.
        $ jar -fill jam slowly kitchen  # Fill a jar with jam
        """, action: ignore),
      .init(
        "empty", operands: .init("file", count: 1...1),
        "Empty one jar", action: ignore),
      .init(
        "-swap", operands: .init("file", count: 2...2),
        "Swap two jars", action: ignore),
    ],
    defaultVerb: "-open",
    notes: "A note that is long enough to go over the end of a line of 80 columns.")

  /// A short description of a request.
  private func describe(_ words: [String], tool: CommandLineTool = Self.tool) -> String {
    do throws(UsageError) {
      switch try tool.parse(words) {
      case .help(let verb): return verb.map { "help of \($0)" } ?? "help"
      case .version: return "version"
      case .manual: return "manual"
      case .completion(let shell): return "completion for \(shell)"
      case .candidates(let words): return "candidates for \(words.joined(separator: " "))"
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
    ("--completion", "error: --completion needs a shell: bash, zsh or fish"),
    (
      "--completion bahs",
      "error: unknown shell: bahs; expected bash, zsh or fish; did you mean bash?"
    ),
    ("--candidates -fill a --help", "candidates for -fill a --help"),
    ("a --candidates", "error: unrecognized option: --candidates"),
    ("help", "help"), ("help -fill", "help of -fill"), ("help fill", "help of -fill"),
    ("help empty a", "help of empty"),
    ("help fil", "error: unrecognized command: fil; did you mean -fill?"),
    ("-open help", "-open | help"), ("a help", "-open | a help"), ("-- help", "-open | help"),
    ("-- --manual", "-open | --manual"),
    ("--version", "version"), ("-- --version", "-open | --version"),
    ("", "error: No files specified."), ("-open", "error: No files specified."),
    ("-fill", "error: -fill needs a content: jam or ink"), ("-fill a", "error: -fill needs a way"),
    ("-fill a b -o", "error: -o needs a path"), ("-fill a b -o c", "error: No files specified."),
    ("-o x -open a", "error: -o cannot be used with -open"),
    ("-q -q a", "error: -q was given twice"), ("-x a", "error: unrecognized option: -x"),
    ("--quiet a", "error: unrecognized option: --quiet"),
    ("-opne a", "error: unrecognized option: -opne; did you mean -open?"),
    ("-fil a b c", "error: unrecognized option: -fil; did you mean -fill?"),
    ("--verison", "error: unrecognized option: --verison; did you mean --version?"),
    ("-swap a", "error: -swap takes 2 files, not 1"),
    ("-swap a b c", "error: unexpected argument c; -swap takes 2 files"),
    ("-open -fill a b c", "error: -fill cannot be combined with -open; use one command at a time"),
    ("a -fill a b", "error: -fill must come before the files"),
    ("empty a b", "error: unexpected argument b; empty takes 1 file"),
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
    #expect(describe(["a"], tool: tool) == "error: unrecognized command: a")
  }

  @Test("makes its help from the table")
  func help() {
    #expect(
      Self.tool.help == """
        jar: open and close jars

        Usage: jar [command] [options] file...

        Commands (-open is the default):
          -open                   Open jars
          -fill content way       Fill jars with something, in one of the ways that
                                  there are for filling a jar
          empty                   Empty one jar
          -swap                   Swap two jars

        Options:
          -q                      Say nothing (with -open, -fill)
          -o path                 Write to another path (with -fill)
          -l text                 Put a label on the jar (with -fill)
          --                      Treat all remaining arguments as file names
          help, -h, -help, --help
                                  Show this help, or the help for a command
          --version               Show the version
          --completion shell      Print the completion script for a shell: bash, zsh or
                                  fish
          --manual                Print the manual page, as input for "man -l -"

        A note that is long enough to go over the end of a line of 80 columns.

        Run "jar help command" for more about a command.

        """)
  }

  @Test("makes the help of a verb from the table")
  func helpOfVerb() {
    #expect(
      Self.tool.help(of: Self.tool.verbs[1]) == """
        jar -fill: Fill jars with something, in one of the ways that there are for
        filling a jar

        Usage: jar -fill content way [-q] [-o path] [-l text]... file...

        Arguments:
          content                 What goes into the jar
          file                    A file that is a jar

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

  @Test(
    "may have verbs without operands, with one that may be missing, and those of another program")
  func fewOperands() {
    let none = CommandLineTool.Operands([""], count: 0...0) { _, _ in [] }
    var tool = CommandLineTool(
      name: "shelf", summary: "keep jars", version: "1",
      verbs: [
        .init(
          "count", operands: none,
          "Count the jars", action: Self.ignore),
        .init(
          "open", operands: .init("jar", count: 0...1),
          "Open a jar", action: Self.ignore),
      ])
    #expect(describe(["count"], tool: tool) == "count |")
    #expect(
      describe(["count", "a"], tool: tool) == "error: unexpected argument a; count takes none")
    #expect(tool.help.contains("\nUsage: shelf [command] [options] jar...\n"))
    #expect(tool.help(of: tool.verbs[0]).contains("\nUsage: shelf count\n"))
    #expect(tool.help(of: tool.verbs[1]).contains("\nUsage: shelf open [jar]\n"))

    tool.layout = .verbatim
    #expect(describe(["count", "--help"], tool: tool) == "help of count")
    tool.verbs[0].isProgram = true
    #expect(describe(["count", "--help"], tool: tool) == "count | --help")
  }

  @Test("may have no named verbs")
  func nameless() {
    let tool = CommandLineTool(
      name: "lid", summary: "close jars", version: "2",
      verbs: [
        .init(
          "", options: [Self.label], operands: .init("jar", count: 1...1),
          "Close a jar", action: Self.ignore)
      ],
      defaultVerb: "")
    #expect(describe(["-l", "a", "b", "-l", "c"], tool: tool) == " -l=a,c | b")
    #expect(describe(["a", "b"], tool: tool) == "error: unexpected argument b; lid takes 1 jar")
    #expect(describe(["--lable"], tool: tool) == "error: unrecognized option: --lable")
    #expect(describe(["help"], tool: tool) == "help")
    #expect(describe([], tool: tool) == "error: No jar specified.")
    #expect(
      tool.help == """
        lid: close jars

        Usage: lid [-l text]... jar

        Options:
          -l text                 Put a label on the jar
          --                      Treat all remaining arguments as jar names
          help, -h, -help, --help
                                  Show this help
          --version               Show the version
          --completion shell      Print the completion script for a shell: bash, zsh or
                                  fish
          --manual                Print the manual page, as input for "man -l -"

        """)
  }

  // MARK: The verbatim layout

  static let verbatim = CommandLineTool(
    name: "shelf", summary: "keep jars", version: "1.2", layout: .verbatim,
    options: [quiet, output],
    verbs: [
      .init(
        "put", aliases: ["place"],
        operands: .init(
          ["where jar...", "plan"], count: 2...Int.max, arguments: [.init("where", "A place")],
          completion: { before, current in
            [.words(before.operands + before.options.keys.sorted() + [current]), .files]
          }),
        "Put jars somewhere", action: ignore),
      .init(
        "countAll", operands: .init("", count: 0...0),
        "Count jars", action: ignore),
    ])

  static let verbatimRequests: [(String, String)] = [
    ("put a b", "put | a b"), ("PUT a -q --help -- -x", "put | a -q --help -- -x"),
    ("Place a", "put | a"), ("-q -o -x put a", "put -o=-x -q= | a"), ("-- put -q", "put | -q"),
    ("countall", "countAll |"), ("COUNTALL", "countAll |"), ("help", "help"),
    ("HELP put", "help of put"), ("-help", "help"),
    ("help place", "help of put"),
    ("help pot", "error: unrecognized command: pot; did you mean put?"),
    ("put --help", "help of put"), ("put -help", "help of put"), ("put -h", "put | -h"),
    ("-q --help", "help"),
    ("--version", "version"), ("put --version", "put | --version"),
    ("", "error: no command given"), ("-q", "error: no command given"),
    ("take", "error: unrecognized command: take"),
    ("cuontAll", "error: unrecognized command: cuontAll; did you mean countAll?"),
    ("--manual", "manual"), ("put --manual", "put | --manual"),
    ("--completion fish put", "completion for fish"), ("-x put", "error: unrecognized option: -x"),
    ("-- -q put", "error: unrecognized command: -q"), ("-o", "error: -o needs a path"),
    ("-q -q put", "error: -q was given twice"),
  ]

  @Test("parses command lines with verbatim operands", arguments: verbatimRequests)
  func verbatimParsing(line: String, request: String) {
    let words = line.split(separator: " ").map(String.init)
    let described = describe(words, tool: Self.verbatim)
    #expect(described == request || described == request + " ")
  }

  /// Verbs with an option before, after, or anywhere among their operands.
  private static let takingOptions = CommandLineTool(
    name: "shelf", summary: "keep jars", layout: .verbatim,
    verbs: [("first", 0...0), ("last", 1...Int.max), ("any", 0...Int.max)].map { name, positions in
      .init(
        name,
        operands: .init(
          ["jar..."], count: 0...Int.max, options: [output], optionsAfter: positions
        ) { _, _ in [] }, "Take jars", action: ignore)
    })

  static let operandOptions: [(String, String)] = [
    ("first -o x a", "first -o=x | a"), ("first a -o x", "first | a -o x"),
    ("last -o x a", "last | -o x a"), ("last a -o x b", "last -o=x | a b"),
    ("any -o x a", "any -o=x | a"), ("any a -o x b", "any -o=x | a b"),
    ("any -- -o x", "any | -- -o x"), ("any a -o", "error: -o needs a path"),
    ("any -o x -o y", "error: -o was given twice"), ("any -o -o", "any -o=-o |"),
  ]

  @Test("parses options among verbatim operands", arguments: operandOptions)
  func operandOptionParsing(line: String, request: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(describe(words, tool: Self.takingOptions) == request)
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
    #expect(check(1, put) == "too few arguments; usage: put where jar... or put plan")
    #expect(check(1, count) == "too many arguments; usage: countAll")
  }

  @Test("makes the help of the verbatim layout from the table")
  func verbatimHelp() {
    #expect(
      Self.verbatim.help == """
        shelf: keep jars

        Usage: shelf [options] command [argument]...

        Commands:
          put where jar...
          put plan                Put jars somewhere (also: place)
          countAll                Count jars

        Options:
          -q                      Say nothing
          -o path                 Write to another path
          help, -help, --help     Show this help, or the help for a command
          --version               Show the version
          --completion shell      Print the completion script for a shell: bash, zsh or
                                  fish
          --manual                Print the manual page, as input for "man -l -"

        Run "shelf help command" for more about a command.

        """)
    #expect(
      Self.verbatim.help(of: Self.verbatim.verbs[0]) == """
        shelf put: Put jars somewhere (also: place)

        Usage: shelf [-q] [-o path] put where jar...
               shelf [-q] [-o path] put plan

        Arguments:
          where                   A place

        Options:
          -q                      Say nothing
          -o path                 Write to another path

        """)
  }
}
