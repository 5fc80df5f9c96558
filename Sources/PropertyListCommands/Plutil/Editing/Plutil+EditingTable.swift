internal import CommandLineInterface

extension Plutil {
  /// The verbs that convert, change, extract and create.
  static let editingVerbs: [CommandLineTool.Verb] = [
    .init(
      "-convert",
      arguments: [format(of: .documents)],
      summary: "Convert files to \(Output.Format.names(of: .documents).alternatives), in place "
        + "unless -o or -e is given",
      details: [sourceDetails, typedDetails],
      options: placing + layout + [Option.header, Option.typed], operands: files,
      examples: [
        .init("plutil -convert binary1 *.plist", "Convert files to binary, each in place"),
        .init("plutil -convert json -r -o - Info.plist", "Show a file as JSON"),
        .init(
          "plutil -convert json --typed -o - Info.plist | jq '.CFBundleVersion = \"2\"' "
            + "| plutil -convert binary1 --typed -o Info.plist -",
          "Change a file with jq"),
        .init("plutil -convert json -e json *.plist", "Write a .json file beside each input"),
        .init("plutil -convert swift Info.plist", "Write Info.swift beside Info.plist"),
        .init("plutil -convert objc -header Info.plist", "Write Info.m and Info.h"),
      ], action: convert),
    .init(
      "-insert", arguments: [keyPath],
      summary: "Insert a value under a new key, or before an element of an array",
      details: [changeDetails],
      options: ValueArgument.options + [Option.append] + placing + editing,
      combination: ("edit", ValueArgument.options + [Option.append]), operands: files,
      examples: [
        .init("plutil -insert Version -string 1.2 Info.plist", "Add a key with a string"),
        .init("plutil -insert Names.0 -string Ada Info.plist", "Insert a first element"),
        .init("plutil -insert Names -string Eve -append Info.plist", "Append an element"),
        .init(
          "plutil -replace CFBundleVersion -string 42 -remove Old Info.plist",
          "Make two changes, or none if one is not possible"),
      ], action: edit),
    .init(
      "-replace", arguments: [keyPath], summary: "Replace a value, or add it if missing",
      details: [changeDetails], options: ValueArgument.options + placing + editing,
      combination: ("edit", ValueArgument.options), operands: files,
      examples: [.init("plutil -replace Names.0 -string Eve Info.plist", "Change an element")],
      action: edit),
    .init(
      "-remove", arguments: [keyPath], summary: "Remove a value and its key",
      details: [changeDetails], options: placing + editing, combination: ("edit", []),
      operands: files,
      examples: [.init("plutil -remove Names.0 Info.plist", "Remove the first element")],
      action: edit),
    .init(
      "-set",
      arguments: [
        .init(
          "lines", summary: "Lines that -find has printed, or - for standard input",
          completion: .files)
      ],
      summary: "Set the values that lines of -find describe",
      details: [
        """
        Each line sets the value at its key path, which need not exist: containers around it are created. A \
        line of a container creates it empty, unless there is one. Everything that has no line stays. All lines must be \
        about one file, which need not be the file that is changed.
        """,
        """
        Lines of -find --json are read as well. They have all bytes of data; without --json, data of more than 24 bytes \
        is abbreviated, so that it can only stay as it is.
        """, textDetails,
      ],
      options: placing + editing, operands: .init("file", count: 1...1, arguments: [file]),
      examples: [
        .init(
          "plutil -find example.org Info.plist | sed s/example.org/example.com/ | plutil -set - Info.plist",
          "Change values with sed"),
        .init(
          "plutil -create xml1 part.plist; plutil -find '^CFBundle' Info.plist | plutil -set - part.plist",
          "Make a property list of some of the values"),
      ], action: set),
    .init(
      "-edit", summary: "Edit a file in an editor",
      details: [
        """
        The editor is the command in $VISUAL or $EDITOR, and otherwise editor, vi or nano. A file of text is opened \
        as it is, and a binary one as XML, which is not written to the file. --as chooses another form; in JSON, \
        values of other types look as with -convert json --typed.
        """,
        """
        The changes are checked, printed as -diff does, and merged with what others have saved since the \
        file was opened. If the text is malformed, or if others have changed the same values, nothing is written. At a \
        terminal you can edit the text again; its first lines then say what is wrong. A text that could not \
        be applied stays in a file, whose path is printed.
        """,
        """
        If a manifest is installed for the domain that the file is named after, its descriptions are comments in the editor that \
        begin with <!--# or //#. They are removed when the text is read, but for lines of XML and OpenStep text that are changed. A changed value \
        that the manifest does not allow is treated as a malformed text, and an unknown key is a warning.
        """,
        """
        Nothing is changed if the editor fails, or if the text is unchanged or empty.
        """,
      ],
      options: [Option.form], operands: .init("file", count: 1...1, arguments: [file]),
      examples: [
        .init("plutil -edit Info.plist", "Edit a file"),
        .init("EDITOR=nano plutil -edit --as json state.plist", "Edit a file as JSON, in nano"),
      ],
      action: editText),
    .init(
      "-extract",
      arguments: [keyPath, format(of: .values)],
      summary: "Write the value at a key path as "
        + "\(Output.Format.names(of: .values).alternatives), to standard output unless -o or -e "
        + "is given",
      details: [
        rawDetails,
        """
        A component * of the key path stands for all keys or elements. raw prints the values on lines of \
        their own; in other formats they are an array. With raw, several -extract may follow one \
        another before the files, and are printed in this order.
        """, lookupDetails,
      ],
      options: [Option.expected] + placing + layout + [Option.header],
      combination: ("extract", [Option.expected]), operands: files,
      examples: [
        .init("plutil -extract Version raw Info.plist", "Print a string without quotes"),
        .init(
          "plutil -extract Names raw -expect array Info.plist",
          "Print the number of elements, or fail if the value is not an array"),
        .init("plutil -extract Names.0 xml1 -o name.plist Info.plist", "Save a value to a file"),
        .init(
          "plutil -extract 'CFBundleURLTypes.*.CFBundleURLName' raw Info.plist",
          "Print a value of each element"),
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
        + Output.Format.names(of: .documents).alternatives,
      details: [
        "An existing file is not replaced unless -o names it.",
        """
        With --manifest, the file has the defaults of a preference manifest. In xml1, a comment before each \
        key describes it, and keys without a default are comments only. The manifest is the one that is \
        named, or in a folder the one for the name of the file. Defaults of sensitive keys are left out.
        """,
      ],
      options: [Option.manifest, Option.silent, Option.output] + layout + [Option.header],
      operands: newFiles,
      examples: [
        .init("plutil -create xml1 new.plist", "Create a property list"),
        .init(
          "plutil -create xml1 --manifest org.example.editor.manifest org.example.editor.plist",
          "Create preferences with all defaults"),
      ],
      action: create),
  ]

  private static let typedDetails = """
    With --typed, values that JSON has no type for, or that other programs change, are dictionaries \
    with one key in JSON: {"$date": "2024-01-31T23:59:59Z"}, {"$data": "AQID"} in base64, {"$real": "1.0"} for a \
    real without a fraction, {"$integer": "9007199254740993"} for an integer beyond 2^53, {"$uid": 5}, and \
    {"$set": [1]}. {"$dictionary": {"$date": "x"}} is a dictionary that would look like one of these. \
    JSON as input is read in the same way.
    """

  private static let changeDetails = """
    Several -insert, -replace and -remove may follow one another before the files. They are made in \
    this order, all of them or, if one is not possible, none. Every container along the key path must \
    already exist. \(textDetails)
    """

  private static let lookupDetails = """
    Only the parts of a binary file that lead to the value are read; use -lint to find damage in the \
    rest.
    """

  private static func format(of choice: Output.Format.Choice) -> CommandLineTool.Argument {
    let names = Output.Format.names(of: choice)
    let raw = names.contains("raw") ? "; raw is the value without quotes or markup" : ""
    return .init(
      "format", summary: "The format of the result: \(names.alternatives)\(raw)",
      completion: .words(names))
  }

  private static let newFiles = CommandLineTool.Operands(
    "file", count: 1...Int.max,
    arguments: [
      .init("file", summary: "The file to create, such as new.plist; - is standard output")
    ])
}
