internal import CommandLineInterface

/// The verbs and options of plutil.
extension PropertyListTool {
  enum Option {
    static let silent = CommandLineTool.Option(
      "-s", summary: "Print nothing on success but requested values")
    static let output = CommandLineTool.Option(
      "-o", argument: .init("path", completion: .files),
      summary: "Write the result to this path, or to standard output for -")
    static let ending = CommandLineTool.Option(
      "-e", argument: "extension",
      summary: "Write the result beside the input, with this extension")
    static let readable = CommandLineTool.Option("-r", summary: "Pretty-print JSON")
    static let noNewline = CommandLineTool.Option(
      "-n", summary: "Omit the newline at the end of raw values, types and edited JSON")
    static let lossy = CommandLineTool.Option(
      "--lossy",
      summary: "Write as strings the values that json and openstep have no type for: dates in "
        + "ISO 8601, data in base64, and in openstep also numbers and booleans")
    static let header = CommandLineTool.Option(
      "-header", summary: "With objc, also write a header file beside the source")
    static let append = CommandLineTool.Option(
      "-append", summary: "Append the value to the array at the key path")
    static let expected = CommandLineTool.Option(
      "-expect", argument: .init("type", completion: .words(ValueType.names)),
      summary: "Fail unless the value is of this type")
  }

  static let table = CommandLineTool(
    name: "plutil", summary: "check, print, convert, edit and compare property lists",
    options: ReadingOptions.all,
    verbs: [
      .init(
        "-lint", summary: "Check that files are valid property lists, and warn about oddities",
        options: [Option.silent], operands: files,
        examples: [.init("plutil -lint *.plist", "Check all files, and print OK for valid ones")],
        action: lint),
      .init(
        "-p", summary: "Print property lists in a human-readable form",
        details: [
          """
          The output is meant for people. Keys are sorted regardless of case, and numbers in them by \
          value. Quotes, backslashes and control characters in strings are escaped.
          """
        ],
        options: [Option.silent], operands: files,
        examples: [.init("plutil -p Info.plist", "Show a file, whatever its format")],
        action: print),
      .init(
        "-convert",
        arguments: [format(of: .documents)],
        summary: "Convert files to \(OutputFormat.names(of: .documents).alternatives), in place "
          + "unless -o or -e is given",
        details: [sourceDetails],
        options: placing + layout + [Option.header], operands: files,
        examples: [
          .init("plutil -convert binary1 *.plist", "Convert files to binary, each in place"),
          .init("plutil -convert json -r -o - Info.plist", "Show a file as JSON"),
          .init("plutil -convert json -e json *.plist", "Write a .json file beside each input"),
          .init("plutil -convert swift Info.plist", "Write Info.swift beside Info.plist"),
          .init("plutil -convert objc -header Info.plist", "Write Info.m and Info.h"),
        ], action: convert),
      .init(
        "-insert", arguments: [keyPath],
        summary: "Insert a value under a new key, or before an element of an array",
        details: [changeDetails],
        options: ValueArgument.options + [Option.append] + placing + layout, operands: files,
        examples: [
          .init("plutil -insert Version -string 1.2 Info.plist", "Add a key with a string"),
          .init("plutil -insert Names.0 -string Ada Info.plist", "Insert a first element"),
          .init("plutil -insert Names -string Eve -append Info.plist", "Append an element"),
        ], action: insert),
      .init(
        "-replace", arguments: [keyPath], summary: "Replace a value, or add it if missing",
        details: [changeDetails], options: ValueArgument.options + placing + layout,
        operands: files,
        examples: [.init("plutil -replace Names.0 -string Eve Info.plist", "Change an element")],
        action: replace),
      .init(
        "-remove", arguments: [keyPath], summary: "Remove a value and its key",
        details: [changeDetails], options: placing + layout, operands: files,
        examples: [.init("plutil -remove Names.0 Info.plist", "Remove the first element")],
        action: remove),
      .init(
        "-extract",
        arguments: [keyPath, format(of: .values)],
        summary: "Write the value at a key path as "
          + "\(OutputFormat.names(of: .values).alternatives), to standard output unless -o or -e "
          + "is given",
        details: [rawDetails, lookupDetails],
        options: [Option.expected] + placing + layout + [Option.header], operands: files,
        examples: [
          .init("plutil -extract Version raw Info.plist", "Print a string without quotes"),
          .init(
            "plutil -extract Names raw -expect array Info.plist",
            "Print the number of elements, or fail if the value is not an array"),
          .init("plutil -extract Names.0 xml1 -o name.plist Info.plist", "Save a value to a file"),
        ], action: extract),
      .init(
        "-type", arguments: [keyPath],
        summary: "Print the type of the value at a key path: \(ValueType.names.alternatives)",
        details: [lookupDetails],
        options: [Option.expected, Option.silent, Option.output, Option.noNewline], operands: files,
        examples: [.init("plutil -type Names Info.plist", "Print array, for example")],
        action: type),
      .init(
        "-create",
        arguments: [format(of: .documents)],
        summary: "Create a file that holds an empty dictionary, as "
          + OutputFormat.names(of: .documents).alternatives,
        details: ["An existing file is not replaced unless -o names it."],
        options: [Option.silent, Option.output] + layout + [Option.header], operands: newFiles,
        examples: [.init("plutil -create xml1 new.plist", "Create a property list")],
        action: create),
      .init(
        "-diff", summary: "Compare two files by key path, whatever their formats",
        details: [
          """
          A line that begins with - is a value that only the first file has at a key path; a line that \
          begins with + is one that only the second has. Containers are printed value by value. The \
          order of keys does not matter. Elements of arrays are matched where they are equal, so that \
          insertions and removals are shown as such; the indices are those of the line's file. The \
          key path of an element of a set ends in *.
          """,
          """
          The exit status is 0 if the files hold the same values, 1 if they differ, and 2 on failure.
          """,
        ],
        options: [Option.silent], operands: .init("file", count: 2...2, arguments: [file]),
        examples: [.init("plutil -diff old.plist new.plist", "Print what has changed")],
        usageStatus: differenceFailure, action: compare),
    ],
    defaultVerb: "-lint", notes: notes, sections: [differences],
    related: ["PlistBuddy", "defaults"])

  private static let notes: [CommandLineTool.Note] = [
    """
    The file - is standard input, or standard output for -create. The format of an input, XML, binary, \
    OpenStep or JSON, is detected from its content.
    """,
    """
    Only the input of a command that works in place, and files that -o or -e names, are ever replaced. \
    Binary output is not written to a terminal, unless -o - asks for it.
    """,
    """
    Devices, pipes and open descriptors such as /dev/stdout or /dev/fd/3 are written to directly, \
    as when appending to a log, and never replaced. A command that works in place needs -o to read \
    from one.
    """,
    .init(
      "Key paths",
      #"""
      A key path consists of keys and array indices, which count from 0, separated by dots: Names.0 is \#
      the first element of Names. \. is a dot in a key. The empty key path is the whole property list.
      """#),
    """
    A value that a format cannot represent, such as a date in json, is an error, and the file is left \
    unchanged. Text that would exceed both 16 MiB and 32 times the size in binary is an error, too.
    """,
    .init("Raw values", rawDetails),
    .init("Source code", sourceDetails),
    .init(
      "Exit status",
      "The exit status is 0 on success and 1 on failure; -diff has its own (see its help)."),
  ]

  private static let sourceDetails = """
    swift and objc write source code with a constant that is named after the input, in files beside the \
    input unless -o or -e is given. For Info.plist, swift writes Info.swift with let Info = [...]. objc \
    writes Info.m, which needs automatic reference counting, and with -header Info.h, which declares \
    extern NSDictionary * const Info.
    """
  private static let rawDetails = """
    raw is the value without quotes or markup: a string as it is, a boolean as true or false, data as \
    base64, a date in UTC such as 2024-01-31T23:59:59Z, a dictionary as its keys, one per line, and an \
    array as the number of its elements.
    """
  private static let changeDetails = """
    The format of the file is kept. Text is written in UTF-8 with sorted keys; comments are lost. \
    Every container along the key path must already exist.
    """
  private static let lookupDetails = """
    Only the parts of a binary file that lead to the value are read; use -lint to find damage in the \
    rest.
    """

  private static let keyPath = CommandLineTool.Argument(
    "keypath",
    summary: "The path of a value: keys and array indices, separated by dots, such as Names.0")

  private static func format(of choice: OutputFormat.Choice) -> CommandLineTool.Argument {
    let names = OutputFormat.names(of: choice)
    let raw = names.contains("raw") ? "; raw is the value without quotes or markup" : ""
    return .init(
      "format", summary: "The format of the result: \(names.alternatives)\(raw)",
      completion: .words(names))
  }

  private static let file = CommandLineTool.Argument(
    "file", summary: "A property list, such as Info.plist; - is standard input")
  private static let files = CommandLineTool.Operands(
    "file", count: 1...Int.max, arguments: [file])
  private static let newFiles = CommandLineTool.Operands(
    "file", count: 1...Int.max,
    arguments: [
      .init("file", summary: "The file to create, such as new.plist; - is standard output")
    ])
  /// The options of verbs that write, for the destination.
  private static let placing = [Option.silent, Option.output, Option.ending]
  /// The options of verbs that write, for the layout of the result.
  private static let layout = [Option.readable, Option.noNewline, Option.lossy]
}
