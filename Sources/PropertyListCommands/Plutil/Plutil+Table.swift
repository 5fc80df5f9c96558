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
    verbs: [
      .init(
        "-lint",
        summary: "Check that files are valid property lists, and warn about oddities",
        details: [
          folderDetails,
          """
          For a file, OK is printed if it is valid, and the error if it is not, which also goes to standard \
          output. For folders, only errors and warnings are printed, and at the end how many property lists \
          were checked. With -s, only errors are printed.
          """,
          """
          There are also warnings about an Info.plist without CFBundleIdentifier, and about keys of a \
          launchd job that launchd does not know or expects to have another type.
          """,
          """
          With --json each error or warning is an object with file, line and column (or byte, in a binary \
          file), keyPath, severity and message, as far as they are known; for valid files nothing is printed.
          """,
          manifestDetails,
          """
          Wrong types and values, and missing keys, are errors. Unknown keys and keys without effect are \
          warnings. What cannot be checked is a note, which is never an error. Objects of --json may also \
          have expected, allowedValues and nearestName. Preference manifests among the files are checked \
          themselves.
          """,
        ],
        options: [
          Option.manifest, Option.programVersion, Option.silent, Option.strict, Option.json,
          Option.github, Option.allFiles,
        ], operands: filesAndFolders,
        examples: [
          .init("plutil -lint *.plist", "Check all files, and print OK for valid ones"),
          .init("plutil -lint --strict --github .", "Check a checkout in a GitHub workflow"),
          .init("plutil -lint .", "Check all property lists in the working directory"),
          .init(
            "plutil -lint --manifest org.example.editor.manifest org.example.editor.plist",
            "Check the keys and values of preferences"),
          .init("plutil -lint --json . > problems.jsonl", "Write the problems for a program"),
        ],
        action: lint),
      .init(
        "-find", arguments: [pattern],
        summary: "Find keys and values by a regular expression",
        details: [
          """
          The pattern is a Swift regular expression, which may match any part of a key or value; (?i) at its \
          beginning ignores case. A value that is not a string is searched as -p prints it, a date also as in \
          XML, and data in hexadecimal digits and as UTF-8 text.
          """,
          """
          Each line has the file, in a text format also the line, the key path, and the value, which \
          follow one another after colons. A container matches by its key; its contents are not printed. The \
          empty pattern matches everything.
          """,
          folderDetails,
          """
          The exit status is 0 if anything was found, 1 if nothing was, and 2 on failure.
          """,
        ],
        options: [
          Option.onlyKeys, Option.onlyValues, Option.onlyType, Option.silent, Option.json,
          Option.allFiles,
        ], operands: filesAndFolders,
        examples: [
          .init("plutil -find example.org .", "Find a text in all property lists in a folder"),
          .init("plutil -find '^CFBundle.*Version' --keys Info.plist", "Find keys"),
          .init("plutil -find cafe0102 --values --type data *.plist", "Find bytes in data"),
          .init("plutil -find '' --type date Info.plist", "List all dates"),
        ], usageStatus: troubleStatus, action: find),
      .init(
        "-info", summary: "Describe files: format, contents and likely purpose",
        details: [
          """
          Prints the format and encoding, the size, the number of values of each type and of keys, the depth, the range of \
          dates, the largest values at the top by their size in binary form, duplicate keys and other warnings, \
          and what the file seems to be: an Info.plist, entitlements, a launchd job, a profile, a keyed archive \
          with its class, a strings table, an Xcode project, or the preferences of a domain.
          """,
          """
          For folders, prints one line for each property list, and at the end how many there are of each \
          format and purpose.
          """,
          folderDetails,
        ],
        options: [Option.json, Option.allFiles], operands: filesAndFolders,
        examples: [
          .init("plutil -info Info.plist", "Describe a file"),
          .init("plutil -info ~/.config", "List the property lists in a folder"),
        ], action: inform),
      .init(
        "-describe", arguments: [keyPath],
        summary: "Describe a key, as its preference manifest does",
        details: [
          """
          The files are preference manifests, or with --manifest property lists, whose current value is \
          printed as well. Prints the title, the description, the type, the allowed values, the default, and \
          what else the manifest tells. For the empty key path, prints the keys of the domain. Defaults and \
          values of sensitive keys are never printed.
          """
        ],
        options: [Option.manifest, Option.json], operands: files,
        examples: [
          .init("plutil -describe tabWidth org.example.editor.manifest", "Describe a key"),
          .init("plutil -describe '' org.example.editor.manifest", "List the keys of a domain"),
          .init(
            "plutil -describe tabWidth --manifest manifests org.example.editor.plist",
            "Describe a key and its value"),
        ], action: describe),
      .init(
        "-inspect", summary: "Write a page that shows property lists in a browser",
        details: [
          """
          The page is one file that needs neither a network nor a server. It shows values as a tree to expand and \
          search, with types, key paths to copy, lines, warnings at their place, dates in local time, and data as \
          hexadecimal digits, text, image or property list; of a binary property list also its bytes, with the objects, \
          the offset table, and what nothing refers to; of a keyed archive its objects. A file that is not a valid \
          property list is shown as text or bytes, with the error at its place. The page of a folder opens on a \
          summary: how many property lists there are, and which have errors or warnings.
          """,
          """
          Without -o the page goes to standard output if that is not a terminal, and otherwise to a new file report.html in \
          the working directory. An existing report.html is only replaced if -o names it, and an input never is.
          """,
          folderDetails,
          """
          The exit status is 0 if the page has all files, valid or not, and 1 otherwise.
          """,
        ],
        options: [Option.output, Option.comparing, Option.silent, Option.allFiles],
        operands: filesAndFolders,
        examples: [
          .init("plutil -inspect -o report.html Info.plist", "Show a file in a browser"),
          .init(
            "plutil -inspect -o report.html .", "Show all property lists in the working directory"),
          .init(
            "plutil -inspect --compare -o report.html old.plist new.plist",
            "Show what has changed, side by side"),
        ], action: inspect),
      .init(
        "-p", summary: "Print property lists in a human-readable form",
        details: [
          """
          The output is meant for people. Keys are sorted regardless of case, and numbers in them by \
          value. Quotes, backslashes and control characters in strings are escaped.
          """,
          """
          With -graph, an archive of NSKeyedArchiver is printed as objects with their classes and fields; strings, \
          numbers, dates, data, URLs, UUIDs and collections of Foundation as what they are. An object that others also refer to \
          has its number after #, and where it occurs again only the number is printed. Objects in more than 64 \
          levels follow at the end. With --json, objects are dictionaries with $class and, if others refer to \
          them, $id; the others are {"$ref": id}. No class is ever loaded.
          """,
          """
          With -expand, property lists in data are printed below it, up to eight in one another; with -graph as well, \
          archives in data are printed as objects.
          """,
          envelopeDetails,
        ],
        options: [
          Option.silent, Option.at, Option.depth, Option.lines, Option.full, Option.expand,
          Option.graph, Option.json,
        ], operands: files,
        examples: [
          .init("plutil -p Info.plist", "Show a file, whatever its format"),
          .init("plutil -p -at Tracks -depth 1 library.plist", "Show a part without what is in it"),
          .init("plutil -p -lines -at CFBundleURLTypes Info.plist", "Show where a part is"),
          .init("plutil -p -expand -full state.plist", "Show all bytes, and what data holds"),
          .init("plutil -p -graph archive.plist", "Show the objects of a keyed archive"),
        ],
        action: print),
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
      .init(
        "-diff",
        summary:
          "Compare two files by key path, whatever their formats, or the files in two folders",
        details: [
          """
          A line that begins with - is a value that only the first file has at a key path; a line that \
          begins with + is one that only the second has. Containers are printed value by value. The \
          order of keys does not matter. Elements of arrays are matched where they are equal, so that \
          insertions and removals are shown as such; the indices are those of the line's file. The \
          key path of an element of a set ends in *.
          """,
          """
          Of two folders, the property lists with the same path are compared, and those that only one of \
          them has are named. A file and a folder are compared by the file of that name in the folder. \
          /dev/null is a file without values.
          """,
          """
          With --json each change is an object with keyPath, old and new, in the order in which -patch makes \
          them: a value without old is inserted, and one without new is removed. An insertion into an \
          array also has count, the number of elements before it. Values are written as by -convert json \
          --typed. Of folders, each object begins with file, and a file that only one of them has \
          is an object with file and onlyIn.
          """,
          folderDetails,
          """
          The exit status is 0 if the files hold the same values, 1 if they differ, and 2 on failure.
          """,
        ],
        options: [Option.silent, Option.label, Option.json, Option.allFiles],
        operands: .init("file", count: 2...2, arguments: filesAndFolders.arguments),
        examples: [
          .init("plutil -diff old.plist new.plist", "Print what has changed"),
          .init(
            "plutil -diff --json old.plist new.plist > changes.jsonl",
            "Save the changes for -patch or another program"),
          .init("plutil -diff Old.app New.app", "Compare the property lists in two folders"),
        ],
        usageStatus: troubleStatus, action: compare),
      .init(
        "-textconv", summary: "Print a file as text, for git diff",
        details: [
          """
          The first line has the format and the encoding. A text follows as it is, in UTF-8, so that comments and \
          layout can be compared as well. A binary property list is printed as XML, or as JSON with \
          --typed if XML has no type for one of its values. A file that is not a property list is printed as it is.
          """
        ], operands: .init("file", count: 1...1, arguments: [file]),
        examples: [
          .init("plutil -textconv Info.plist", "Print a file as git diff compares it"),
          .init(
            "git config --global diff.plist.textconv 'plutil -textconv --'",
            "Let git compare files with the attribute diff=plist"),
        ], action: convertToText),
      .init(
        "-patch",
        arguments: [
          .init(
            "changes", summary: "What -diff --json has printed, or - for standard input",
            completion: .files)
        ],
        summary: "Make the changes that -diff --json has printed in another file",
        details: [
          """
          The changes are made in their order, all of them or, if there are conflicts, none. A change that \
          the file already has is skipped. It is a conflict if the value to change or remove is another one, if an \
          inserted key exists, or if an array into which an element is inserted has another number of \
          elements. Each conflict is printed with its key path.
          """, textDetails,
          """
          The exit status is 0 on success, 1 if there are conflicts, and 2 on failure.
          """,
        ],
        options: placing + editing, operands: .init("file", count: 1...1, arguments: [file]),
        examples: [
          .init("plutil -patch changes.jsonl Info.plist", "Make the changes in another file"),
          .init(
            "plutil -diff --json old.plist new.plist | plutil -patch - other.plist",
            "Change a file as another was changed"),
        ], usageStatus: troubleStatus, action: patch),
      .init(
        "-merge", summary: "Three-way merge: apply another version's changes to a file",
        details: [
          """
          The files are the common ancestor, our version, and their version. What one of them has changed \
          since the ancestor is taken: dictionaries are merged by key, arrays by their changed elements, sets \
          by their elements. Our version is replaced by the result unless -o is given. An empty file as the \
          ancestor means that there is none.
          """,
          """
          A value that both have changed differently is a conflict. In a text format, the lines of both \
          versions are left between conflict markers. In binary, a list of the conflicts with both versions' \
          values is left between conflict markers, followed by the result with our values. Neither can be \
          read as a property list before the conflict is resolved, for example with --ours or \
          --theirs. Keyed archives are not mixed: what both have changed is one conflict.
          """,
          """
          A file that cannot be merged, because one of the versions is damaged or has a key twice, is left as \
          both versions between conflict markers. A result without conflicts is read again before it \
          is written. The text of our version is kept, as by -insert and -replace, and gets the lines \
          and comments that only the other has changed. --reformat writes the result as -convert does.
          """,
          """
          The exit status is 0 for a clean merge, 1 for conflicts, and 2 on failure, as git expects it of a \
          merge driver.
          """,
        ],
        options: [
          Option.takeOurs, Option.takeTheirs, Option.label, Option.silent, Option.output,
          Option.reformat,
        ],
        operands: .init("file", count: 3...3, arguments: [file]),
        examples: [
          .init("plutil -merge base.plist ours.plist theirs.plist", "Merge into ours.plist"),
          .init("plutil -merge -o - base.plist ours.plist theirs.plist", "Print the merged file"),
          .init(
            "git config --global merge.plist.driver 'plutil -merge --label %P %O %A %B'",
            "Let git merge files with the attribute merge=plist"),
        ], usageStatus: troubleStatus, action: merge),
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
    unchanged. So is text that would exceed both 16 MiB and 32 times the size in binary.
    """,
    .init("Raw values", rawDetails),
    .init("Source code", sourceDetails),
    .init(
      "Exit status",
      "The exit status is 0 on success and 1 on failure; -find, -diff, -patch and "
        + "-merge have their own (see their help)."),
  ]

  private static let sourceDetails = """
    swift and objc write source code with a constant that is named after the input, in files beside the \
    input unless -o or -e is given. For Info.plist, swift writes Info.swift with let Info = [...]. objc \
    writes Info.m, which needs automatic reference counting, and with -header Info.h, which declares \
    extern NSDictionary * const Info.
    """
  private static let typedDetails = """
    With --typed, values that JSON has no type for, or that other programs change, are dictionaries \
    with one key in JSON: {"$date": "2024-01-31T23:59:59Z"}, {"$data": "AQID"} in base64, {"$real": "1.0"} for a \
    real without a fraction, {"$integer": "9007199254740993"} for an integer beyond 2^53, {"$uid": 5}, and \
    {"$set": [1]}. {"$dictionary": {"$date": "x"}} is a dictionary that would look like one of these. \
    JSON as input is read in the same way.
    """
  private static let rawDetails = """
    raw is the value without quotes or markup: a string as it is, a boolean as true or false, data as \
    base64, a date in UTC such as 2024-01-31T23:59:59Z, a dictionary as its keys, one per line, and an \
    array as the number of its elements.
    """
  private static let changeDetails = """
    Several -insert, -replace and -remove may follow one another before the files. They are made in \
    this order, all of them or, if one is not possible, none. Every container along the key path must \
    already exist. \(textDetails)
    """
  private static let textDetails = """
    In XML, JSON and OpenStep text, only the \
    value is written, in the layout of its neighbors: comments, the order of keys, the encoding and \
    everything else stay. A new key takes its place among sorted keys and is the last one otherwise. \
    A removed value takes along the comments directly above it and behind it on its line. Of a key \
    that appears twice, the last value is changed, and both are removed. A warning says so if a text \
    cannot be kept. --reformat writes the whole file as -convert does, as does -r for JSON.
    """
  private static let folderDetails = """
    In a folder and the folders in it, the property lists are files with an extension of property \
    lists, such as plist or strings, and those that begin as XML or binary property lists do. In a \
    Git checkout, ignored files are left out unless --all is given. Symbolic links are not \
    followed.
    """
  private static let manifestDetails = """
    With --manifest, preferences are also checked against a preference manifest, which describes the keys \
    of a domain. A single manifest applies to all files that are named, whatever their names. Otherwise \
    the manifest is found by the name of the file, such as org.example.editor.plist for the domain \
    org.example.editor. In a configuration profile each payload is checked by its PayloadType.
    """
  private static let envelopeDetails = """
    A property list is also read where it is inside of a signed message (CMS), as in profiles, whose \
    signature is not checked, and inside of an executable for Apple's systems (Mach-O); a note on \
    standard error says so. Such a file is never changed in place.
    """
  private static let lookupDetails = """
    Only the parts of a binary file that lead to the value are read; use -lint to find damage in the \
    rest.
    """

  private static let keyPath = CommandLineTool.Argument(
    "keypath",
    summary: "The path of a value: keys and array indices, separated by dots, such as Names.0")

  private static let pattern = CommandLineTool.Argument(
    "pattern", summary: "A regular expression, such as example[.]org")

  private static func format(of choice: Output.Format.Choice) -> CommandLineTool.Argument {
    let names = Output.Format.names(of: choice)
    let raw = names.contains("raw") ? "; raw is the value without quotes or markup" : ""
    return .init(
      "format", summary: "The format of the result: \(names.alternatives)\(raw)",
      completion: .words(names))
  }

  private static let file = CommandLineTool.Argument(
    "file", summary: "A property list, such as Info.plist; - is standard input")
  private static let files = CommandLineTool.Operands(
    "file", count: 1...Int.max, arguments: [file])
  private static let filesAndFolders = CommandLineTool.Operands(
    "file", count: 1...Int.max,
    arguments: [
      .init(
        "file",
        summary: "A property list, such as Info.plist, or a folder; - is standard input")
    ])
  private static let newFiles = CommandLineTool.Operands(
    "file", count: 1...Int.max,
    arguments: [
      .init("file", summary: "The file to create, such as new.plist; - is standard output")
    ])
  /// The options of verbs that write, for the destination.
  private static let placing = [Option.silent, Option.output, Option.ending]
  /// The options of verbs that write, for the layout of the result.
  private static let layout = [Option.readable, Option.noNewline, Option.lossy]
  /// The options of verbs that change a value, for the layout of the result.
  private static let editing = layout + [Option.reformat]
}
