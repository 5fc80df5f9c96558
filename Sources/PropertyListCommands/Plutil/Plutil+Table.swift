internal import CommandLineInterface

/// The verbs and options of plutil.
extension Plutil {
  enum Option {
    static let silent = CommandLineTool.Option(
      "-s", summary: "Be quiet: print only requested values and errors")
    static let output = CommandLineTool.Option(
      "-o", argument: .init("path", completion: .files),
      summary: "Write the result to this path, or to standard output for -")
    static let ending = CommandLineTool.Option(
      "-e", argument: "extension",
      summary: "Write the result beside the input, with this extension")
    static let readable = CommandLineTool.Option("-r", summary: "Pretty-print JSON")
    static let noNewline = CommandLineTool.Option(
      "-n", summary: "Omit the newline at the end of raw values, types and edited JSON")
    static let reformat = CommandLineTool.Option(
      "--reformat",
      summary: "Write the whole file in the usual layout, without comments and in UTF-8")
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
    static let at = CommandLineTool.Option(
      "-at", argument: "keypath", summary: "Print only the value at this key path")
    static let depth = CommandLineTool.Option(
      "-depth", argument: "levels",
      summary: "Print the contents of containers down to this number of levels only")
    static let lines = CommandLineTool.Option(
      "-lines", summary: "Print the line number before each key or element of a text format")
    static let full = CommandLineTool.Option("-full", summary: "Print all bytes of data")
    static let expand = CommandLineTool.Option(
      "-expand", summary: "Print data that is itself a property list as one")
    static let graph = CommandLineTool.Option(
      "-graph", summary: "Print the objects that a keyed archive stands for")
    static let typed = CommandLineTool.Option(
      "--typed", summary: "In JSON, keep the types of values that JSON has no type for")
    static let label = CommandLineTool.Option(
      "--label", argument: "name",
      summary:
        "Print this name for a file: with -merge for the second, as a merge driver passes it in "
        + "%P; with -diff for the first and, if given again, the second",
      repeats: true)
    static let takeOurs = CommandLineTool.Option(
      "--ours", summary: "Where there are conflicts, take the values of the second file")
    static let takeTheirs = CommandLineTool.Option(
      "--theirs", summary: "Where there are conflicts, take the values of the third file")
    static let allFiles = CommandLineTool.Option(
      "--all", summary: "Include files that Git ignores")
    static let comparing = CommandLineTool.Option(
      "--compare", summary: "Show two files side by side with their differences")
    static let json = CommandLineTool.Option(
      "--json", summary: "Print machine-readable JSON, one object per line")
    static let strict = CommandLineTool.Option(
      "--strict", summary: "Treat warnings, and JSON in a .plist file, as errors")
    static let github = CommandLineTool.Option(
      "--github",
      summary: "Print GitHub workflow commands, which annotate the lines of a pull request")
    static let manifest = CommandLineTool.Option(
      "--manifest", argument: .init("path", completion: .files),
      summary: "Use this preference manifest, or the manifests in this folder", repeats: true)
    static let programVersion = CommandLineTool.Option(
      "--program-version", argument: "version",
      summary: "With --manifest, warn about keys that this version of the program does not read")
    static let form = CommandLineTool.Option(
      "--as", argument: .init("form", completion: .words(TextForm.names)),
      summary: "Edit the property list in this form: \(TextForm.names.alternatives)")
    static let onlyKeys = CommandLineTool.Option("--keys", summary: "Search keys only")
    static let onlyValues = CommandLineTool.Option("--values", summary: "Search values only")
    static let onlyType = CommandLineTool.Option(
      "--type", argument: .init("type", completion: .words(ValueType.allNames)),
      summary: "Find only values of this type")
  }

  static let table = CommandLineTool(
    name: "plutil", summary: "check, print, convert, edit and compare property lists",
    options: ReadingOptions.all,
    verbs: examiningVerbs + editingVerbs + comparingVerbs,
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
    unchanged. So is text that would exceed both 16 MiB and 32 times the size in binary.
    """,
    .init("Raw values", rawDetails),
    .init("Source code", sourceDetails),
    .init(
      "Exit status",
      "The exit status is 0 on success and 1 on failure; -find, -diff, -patch and "
        + "-merge have their own (see their help)."),
  ]

  static let sourceDetails = """
    swift and objc write source code with a constant that is named after the input, in files beside the \
    input unless -o or -e is given. For Info.plist, swift writes Info.swift with let Info = [...]. objc \
    writes Info.m, which needs automatic reference counting, and with -header Info.h, which declares \
    extern NSDictionary * const Info.
    """
  static let rawDetails = """
    raw is the value without quotes or markup: a string as it is, a boolean as true or false, data as \
    base64, a date in UTC such as 2024-01-31T23:59:59Z, a dictionary as its keys, one per line, and an \
    array as the number of its elements.
    """
  static let textDetails = """
    In XML, JSON and OpenStep text, only the \
    value is written, in the layout of its neighbors: comments, the order of keys, the encoding and \
    everything else stay. A new key takes its place among sorted keys and is the last one otherwise. \
    A removed value takes along the comments directly above it and behind it on its line. Of a key \
    that appears twice, the last value is changed, and both are removed. A warning says so if a text \
    cannot be kept. --reformat writes the whole file as -convert does, as does -r for JSON.
    """
  static let folderDetails = """
    In a folder and the folders in it, the property lists are files with an extension of property \
    lists, such as plist or strings, and those that begin as XML or binary property lists do. In a \
    Git checkout, ignored files are left out unless --all is given. Symbolic links are not \
    followed.
    """
  static let keyPath = CommandLineTool.Argument(
    "keypath",
    summary: "The path of a value: keys and array indices, separated by dots, such as Names.0")

  static let file = CommandLineTool.Argument(
    "file", summary: "A property list, such as Info.plist; - is standard input")
  static let files = CommandLineTool.Operands(
    "file", count: 1...Int.max, arguments: [file])
  static let filesAndFolders = CommandLineTool.Operands(
    "file", count: 1...Int.max,
    arguments: [
      .init(
        "file",
        summary: "A property list, such as Info.plist, or a folder; - is standard input")
    ])
  /// The options of verbs that write, for the destination.
  static let placing = [Option.silent, Option.output, Option.ending]
  /// The options of verbs that write, for the layout of the result.
  static let layout = [Option.readable, Option.noNewline, Option.lossy]
  /// The options of verbs that change a value, for the layout of the result.
  static let editing = layout + [Option.reformat]
}
