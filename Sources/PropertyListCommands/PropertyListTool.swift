internal import CommandLineInterface
internal import FileStorage
internal import FoundationEssentials

/// `plutil`: checks, prints and converts property lists.
package enum PropertyListTool {
  /// Does what the process's command line asks for, with its standard streams.
  ///
  /// - Returns: The exit status: 0, or 1 where anything failed.
  package static func run() -> Int32 { table.run(perform) }

  private static func perform(_ invocation: Invocation, in session: Session) throws {
    switch invocation.verb {
    case Verb.lint: lint(invocation, in: session)
    case Verb.print: print(invocation, in: session)
    case Verb.convert: try convert(invocation, in: session)
    case Verb.extract: try extract(invocation, in: session)
    case Verb.type: type(invocation, in: session)
    case Verb.diff: try compare(invocation, in: session)
    default: try create(invocation, in: session)
    }
  }

  enum Verb {
    static let lint = "-lint"
    static let print = "-p"
    static let convert = "-convert"
    static let extract = "-extract"
    static let type = "-type"
    static let create = "-create"
    static let diff = "-diff"
  }

  enum Option {
    static let silent = CommandLineTool.Option("-s", summary: "Say nothing where nothing is wrong")
    static let output = CommandLineTool.Option(
      "-o", argument: "path", summary: "Write to another path, or to standard output for -")
    static let ending = CommandLineTool.Option(
      "-e", argument: "extension",
      summary: "Write beside the file, under its name with this extension")
  }

  static let table = CommandLineTool(
    name: "plutil", summary: "check, print and convert property lists",
    verbs: [
      .init(
        Verb.lint, summary: "Check that files can be read, and warn of what is odd in them",
        options: [Option.silent], operands: files),
      .init(Verb.print, summary: "Print values for people to read", operands: files),
      .init(
        Verb.convert, arguments: ["format"],
        summary: "Write files anew as xml1 or binary1, in place unless -o or -e is given",
        options: [Option.silent, Option.output, Option.ending], operands: files),
      .init(
        Verb.extract, arguments: ["keypath", "format"],
        summary: "Write the value at a key path, as xml1, binary1 or raw, to standard output "
          + "unless -o or -e is given",
        options: [Option.silent, Option.output, Option.ending], operands: files),
      .init(
        Verb.type, arguments: ["keypath"],
        summary: "Print the type of the value at a key path: bool, integer, float, string, date, "
          + "data, array or dictionary",
        operands: files),
      .init(
        Verb.create, arguments: ["format"],
        summary: "Make a file that holds an empty dictionary, as xml1 or binary1; a file that "
          + "exists is left alone",
        operands: .init("file", count: 1...1)),
      .init(
        Verb.diff, summary: "Print how two files differ, by key path, whatever their formats",
        details: [
          """
          A line that begins with - is what the first file has at a key path and the second has not; \
          a line that begins with + is what the second has. Of containers all leaves are printed. The \
          order of keys is no difference. Elements of arrays are matched where they are the same, so \
          that what was put in or taken out shows as that; the indices are those of the line's file. \
          An element of a set is at the part *.
          """,
          "The exit status is 0 where the files hold the same, 1 where they differ, 2 on failure.",
        ],
        options: [Option.silent], operands: .init("file", count: 2...2),
        examples: [.init("plutil -diff old.plist new.plist", "Print what has changed")],
        usageStatus: differenceFailure),
    ],
    defaultVerb: Verb.lint,
    notes: notes, related: ["PlistBuddy", "defaults"])

  private static let notes: [CommandLineTool.Note] = [
    """
    The file - is standard input, or standard output for -create. XML, binary, OpenStep and JSON \
    property lists are told apart by their content.
    """,
    .init(
      "Key paths",
      #"""
      A key path joins keys, and indices into arrays, with dots; \. is a dot within a key. The empty \#
      path is the whole property list.
      """#),
    """
    As raw, a boolean is true or false, data is base64, a date is in UTC, a dictionary is its keys \
    one a line, and an array is its count.
    """,
    """
    -extract and -type read no more of a binary file than leads to the value; what is odd or damaged \
    elsewhere in it goes unnoticed, and -lint tells.
    """,
    .init(
      "Exit status",
      "The exit status is 0, or 1 where a file could not be read, written, or found in order."),
  ]

  private static let files = CommandLineTool.Operands("file", count: 1...Int.max)
}
