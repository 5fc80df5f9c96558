internal import CommandLineInterface

extension Plutil {
  static let editingVerbs: [CommandLineTool.Verb] = [
    .init(
      "-convert", arguments: [format(Output.Format.documentNames)],
      options: placing + layout + [.header, .typed], operands: files,
      """
      Convert files to \(Output.Format.documentNames.alternatives), in place unless -o or -e is given
      \(sourceDetails)
      \(typedDetails)
      $ plutil -convert binary1 *.plist  # Convert files to binary, each in place
      $ plutil -convert json -r -o - Info.plist  # Show a file as JSON
      $ plutil -convert json --typed -o - Info.plist | jq '.CFBundleVersion = "2"' | plutil -convert binary1 \
      --typed -o Info.plist -  # Change a file with jq
      $ plutil -convert json -e json *.plist  # Write a .json file beside each input
      $ plutil -convert swift Info.plist  # Write Info.swift beside Info.plist
      $ plutil -convert objc -header Info.plist  # Write Info.m and Info.h
      """, action: convert),
    .init(
      "-insert", arguments: [keyPath],
      options: ValueArgument.options + [.append] + placing + editing,
      combination: ("edit", ValueArgument.options + [.append]), operands: files,
      """
      Insert a value under a new key, or before an element of an array
      \(changeDetails)
      $ plutil -insert Version -string 1.2 Info.plist  # Add a key with a string
      $ plutil -insert Names.0 -string Ada Info.plist  # Insert a first element
      $ plutil -insert Names -string Eve -append Info.plist  # Append an element
      $ plutil -replace CFBundleVersion -string 42 -remove Old Info.plist  # Make two changes, or none if one \
      is not possible
      """, action: edit),
    .init(
      "-replace", arguments: [keyPath], options: ValueArgument.options + placing + editing,
      combination: ("edit", ValueArgument.options), operands: files,
      """
      Replace a value, or add it if missing
      \(changeDetails)
      $ plutil -replace Names.0 -string Eve Info.plist  # Change an element
      """, action: edit),
    .init(
      "-remove", arguments: [keyPath], options: placing + editing, combination: ("edit", []),
      operands: files,
      """
      Remove a value and its key
      \(changeDetails)
      $ plutil -remove Names.0 Info.plist  # Remove the first element
      """, action: edit),
    .init(
      "-set",
      arguments: [
        .init("lines", "Lines that -find has printed, or - for standard input", completion: .files)
      ], options: placing + editing, operands: .init("file", count: 1...1, arguments: [file]),
      """
      Set the values that lines of -find describe
      Each line sets the value at its key path, which need not exist: containers around it are created. A line \
      for a container creates an empty one, unless it exists. Values without a line stay. All lines must come \
      from the same file, which need not be the file that is changed.
      Lines of -find --json are also read. They contain all bytes of data. Without --json, data of more than \
      24 bytes is abbreviated, and cannot be changed.
      \(textDetails)
      $ plutil -find example.org Info.plist | sed s/example.org/example.com/ | plutil -set - Info.plist  # \
      Change values with sed
      $ plutil -create xml1 part.plist; plutil -find '^CFBundle' Info.plist | plutil -set - part.plist  # Make \
      a property list of some of the values
      """, action: set),
    .init(
      "-edit", options: [.form], operands: .init("file", count: 1...1, arguments: [file]),
      """
      Edit a file in an editor
      The editor is the command in $VISUAL or $EDITOR, and otherwise editor, vi or nano. A text file is \
      opened unchanged, and a binary file as XML, but keeps its format. --as chooses another form; in JSON, \
      values of other types are written as by -convert json --typed.
      The changes are checked, printed as -diff does, and merged with what others have saved since the file \
      was opened. If the text is malformed, or if others have changed the same values, nothing is written. At \
      a terminal you can edit the text again; its first lines then say what is wrong. A text that could not be \
      applied stays in a file, whose path is printed.
      If a manifest is installed for the domain that the file is named after, its descriptions are comments in \
      the editor that begin with <!--# or //#. They are removed when the text is read, except for lines of XML \
      and OpenStep text that you have changed. A changed value that the manifest does not allow is treated as \
      a malformed text, and an unknown key is a warning.
      Nothing is changed if the editor fails, or if the text is unchanged or empty.
      $ plutil -edit Info.plist  # Edit a file
      $ EDITOR=nano plutil -edit --as json state.plist  # Edit a file as JSON, in nano
      """, action: editText),
    .init(
      "-extract", arguments: [keyPath, format(Output.Format.valueNames)],
      options: [.expected] + placing + layout + [.header],
      combination: ("extract", [.expected]), operands: files,
      """
      Write the value at a key path as \(Output.Format.valueNames.alternatives), to standard output \
      unless -o or -e is given
      \(rawDetails)
      A component * of the key path matches all keys or elements. raw prints each value on its own line; in \
      other formats the values are an array. With raw, several -extract may follow one another before the \
      files, and are printed in this order.
      \(lookupDetails)
      $ plutil -extract Version raw Info.plist  # Print a string without quotes
      $ plutil -extract Names raw -expect array Info.plist  # Print the number of elements, or fail if the \
      value is not an array
      $ plutil -extract Names.0 xml1 -o name.plist Info.plist  # Save a value to a file
      $ plutil -extract 'CFBundleURLTypes.*.CFBundleURLName' raw Info.plist  # Print a value of each element
      """, action: extract),
    .init(
      "-type", arguments: [keyPath],
      options: [.expected, .silent, .output, .noNewline], operands: files,
      """
      Print the type of the value at a key path: \(ValueType.names.alternatives)
      \(lookupDetails)
      $ plutil -type Names Info.plist  # Print array, for example
      """, action: type),
    .init(
      "-create", arguments: [format(Output.Format.documentNames)],
      options: [.manifest, .silent, .output] + layout + [.header],
      operands: newFiles,
      """
      Create a file with an empty dictionary, as \(Output.Format.documentNames.alternatives)
      An existing file is not replaced unless -o names it.
      With --manifest, the file has the defaults of a preference manifest. In xml1, a comment before each key \
      describes it, and keys without a default appear only as comments. The manifest is the named file or, if \
      a folder is named, the manifest in it for the name of the file. Defaults of sensitive keys are left out.
      $ plutil -create xml1 new.plist  # Create a property list
      $ plutil -create xml1 --manifest org.example.editor.manifest org.example.editor.plist  # Create \
      preferences with all defaults
      """, action: create),
  ]

  private static let typedDetails = """
    With --typed, values for which JSON has no type, or that other programs would change, are dictionaries with \
    one key in JSON: {"$date": "2024-01-31T23:59:59Z"}, {"$data": "AQID"} in base64, {"$real": "1.0"} for a real \
    without a fraction, {"$integer": "9007199254740993"} for an integer beyond 2^53, {"$uid": 5}, and {"$set": \
    [1]}. {"$dictionary": {"$date": "x"}} is a dictionary that would otherwise look like one of these. JSON \
    input is read in the same way.
    """

  private static let changeDetails = """
    Several -insert, -replace and -remove may follow one another before the files. They are made in \
    this order: all of them or, if one is not possible, none. Every container along the key path must \
    already exist. \(textDetails)
    """

  private static let lookupDetails = """
    Only the parts of a binary file that lead to the value are read; use -lint to find damage in the \
    rest.
    """

  private static func format(_ names: [String]) -> CommandLineTool.Argument {
    let raw = names.contains("raw") ? "; raw is the value without quotes or markup" : ""
    return .init(
      "format", "The format of the result: \(names.alternatives)\(raw)", completion: .words(names))
  }

  private static let newFiles = CommandLineTool.Operands(
    "file", count: 1...Int.max,
    arguments: [
      .init("file", "The file to create, such as new.plist; - is standard output")
    ])
}
