internal import CommandLineInterface

extension Plutil {
  /// The verbs that read files.
  static let examiningVerbs: [CommandLineTool.Verb] = [
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
        """
        If a manifest is installed for the domain that a file is named after (see -describe), also prints the titles and \
        descriptions of the domain and of its keys in the file.
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
        The files are preference manifests, or property lists, whose current value is printed as well. The manifest of a \
        property list is the one that --manifest names, and otherwise the one that is installed for the domain that the file is \
        named after: domain.plist or domain.manifest in preferences/manifests of $XDG_DATA_HOME or ~/.local/share, or of one of \
        $XDG_DATA_DIRS or /usr/local/share and /usr/share. Prints the title, the description, the type, the allowed values, the default, and \
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
        If a manifest is installed for the domain that a file is named after (see -describe), the page also has titles, \
        descriptions and defaults, and what differs from these. Values that it marks as sensitive are left out.
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
  ]

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

  private static let pattern = CommandLineTool.Argument(
    "pattern", summary: "A regular expression, such as example[.]org")
}
