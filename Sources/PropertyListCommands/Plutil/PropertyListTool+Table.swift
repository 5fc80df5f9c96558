internal import CommandLineInterface

/// The verbs and options of plutil.
extension PropertyListTool {
  enum Option {
    static let silent = CommandLineTool.Option("-s", summary: "Say nothing where nothing is wrong")
    static let output = CommandLineTool.Option(
      "-o", argument: .init("path", completion: .files),
      summary: "Write to another path, or to standard output for -")
    static let ending = CommandLineTool.Option(
      "-e", argument: "extension",
      summary: "Write beside the file, under its name with this extension")
    static let readable = CommandLineTool.Option(
      "-r", summary: "Lay JSON out for people, a line for each value")
    static let noNewline = CommandLineTool.Option(
      "-n", summary: "Put no newline behind raw and JSON, which end without one")
    static let lossy = CommandLineTool.Option(
      "--lossy",
      summary: "Write what json and openstep have no type for as a string: a date in ISO 8601, "
        + "data in base64, in openstep numbers and booleans, too")
    static let header = CommandLineTool.Option(
      "-header", summary: "With objc, write a header file beside the source as well")
    static let append = CommandLineTool.Option(
      "-append", summary: "Put the value at the end of the array that is at the key path")
    static let expected = CommandLineTool.Option(
      "-expect", argument: .init("type", completion: .words(ValueType.names)),
      summary: "Fail unless the value is of this type")
  }

  static let table = CommandLineTool(
    name: "plutil", summary: "check, print, convert, change and compare property lists",
    verbs: [
      .init(
        "-lint", summary: "Check that files can be read, and warn of what is odd in them",
        options: [Option.silent], operands: files, action: lint),
      .init(
        "-p", summary: "Print values for people to read", options: [Option.silent], operands: files,
        action: print),
      .init(
        "-convert",
        arguments: [.init("format", completion: .words(OutputFormat.names(of: .documents)))],
        summary: "Write files anew as \(OutputFormat.names(of: .documents).alternatives), "
          + "in place unless -o or -e is given",
        options: placing + layout + [Option.header], operands: files,
        examples: [
          .init("plutil -convert binary1 *.plist", "Make all files binary, each in its place"),
          .init("plutil -convert json -r -o - Info.plist", "Show a file as JSON"),
        ], action: convert),
      .init(
        "-insert", arguments: ["keypath"],
        summary: "Put a value where there is none; in an array, what is from there on moves up",
        details: [changeDetails],
        options: ValueArgument.options + [Option.append] + placing + layout, operands: files,
        examples: [
          .init("plutil -insert Version -string 1.2 Info.plist", "Add a string under a new key"),
          .init("plutil -insert Names -string Ada -append Info.plist", "Add a string to an array"),
        ], action: insert),
      .init(
        "-replace", arguments: ["keypath"],
        summary: "Put a value in the place of another, or under a new key",
        details: [changeDetails], options: ValueArgument.options + placing + layout,
        operands: files,
        examples: [.init("plutil -replace Names.0 -string Eve Info.plist", "Change an element")],
        action: replace),
      .init(
        "-remove", arguments: ["keypath"], summary: "Remove a value, and its key",
        details: [changeDetails], options: placing + layout, operands: files,
        examples: [.init("plutil -remove Names.0 Info.plist", "Take an element out")],
        action: remove),
      .init(
        "-extract",
        arguments: [
          "keypath", .init("format", completion: .words(OutputFormat.names(of: .values))),
        ],
        summary:
          "Write the value at a key path, as \(OutputFormat.names(of: .values).alternatives), "
          + "to standard output unless -o or -e is given",
        details: [lookupDetails], options: [Option.expected] + placing + layout + [Option.header],
        operands: files, action: extract),
      .init(
        "-type", arguments: ["keypath"],
        summary: "Print the type of the value at a key path: bool, integer, float, string, date, "
          + "data, array or dictionary",
        details: [lookupDetails],
        options: [Option.expected, Option.silent, Option.output, Option.noNewline], operands: files,
        action: type),
      .init(
        "-create",
        arguments: [.init("format", completion: .words(OutputFormat.names(of: .documents)))],
        summary: "Create a file that holds an empty dictionary, as "
          + OutputFormat.names(of: .documents).alternatives,
        options: [Option.silent, Option.output] + layout + [Option.header], operands: files,
        action: create),
      .init(
        "-diff", summary: "Print how two files differ, by key path, whatever their formats",
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
        usageStatus: differenceFailure, action: compare),
    ],
    defaultVerb: "-lint",
    notes: notes, related: ["PlistBuddy", "defaults"])

  private static let notes: [CommandLineTool.Note] = [
    """
    The file - is standard input, or standard output for -create. XML, binary, OpenStep and JSON \
    property lists are told apart by their content.
    """,
    """
    A device, a pipe, or an open descriptor such as /dev/stdout or /dev/fd/3 is written to where it \
    is, and so behind what is in a log already; it is never replaced. What is read from one, as from \
    /dev/stdin, cannot be written back: -o says where the result goes.
    """,
    .init(
      "Key paths",
      #"""
      A key path joins keys, and indices into arrays, with dots; \. is a dot within a key. The empty \#
      path is the whole property list.
      """#),
    """
    What a format cannot hold, such as a date in json, is an error, and the file is left as it was. So \
    is text above 16 MiB that would be over 32 times as large as the property list in binary.
    """,
    .init(
      "Raw values",
      """
      As raw, a boolean is true or false, data is base64, a date is in UTC, a dictionary is its keys \
      one a line, and an array is its count.
      """),
    .init(
      "Source code",
      """
      swift declares a constant, and objc, for automatic reference counting, a function that returns \
      the value. They are named after the file, and never take its place: -convert writes them beside \
      it, as its name with swift, m or h behind it, unless -o or -e is given.
      """),
    .init(
      "Exit status",
      "The exit status is 0, or 1 where a file could not be read, written, or found in order."),
  ]

  private static let changeDetails = """
    The format of the file is kept. Text is written in UTF-8 and with sorted keys; comments are not \
    kept. All that the key path passes through has to be there.
    """
  private static let lookupDetails = """
    No more of a binary file is read than leads to the value; what is odd or damaged elsewhere in it \
    goes unnoticed, and -lint tells.
    """

  private static let files = CommandLineTool.Operands("file", count: 1...Int.max)
  /// The options of verbs that write, for the destination.
  private static let placing = [Option.silent, Option.output, Option.ending]
  /// The options of verbs that write, for the layout of the result.
  private static let layout = [Option.readable, Option.noNewline, Option.lossy]
}
