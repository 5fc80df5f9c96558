internal import CommandLineInterface

extension Plutil {
  static let examiningVerbs: [CommandLineTool.Verb] = [
    .init(
      "-lint",
      options: [
        .manifest, .programVersion, .silent, .strict, .json,
        .github, .allFiles,
      ], operands: filesAndFolders,
      """
      Check that files are valid property lists, and warn about oddities
      \(folderDetails)
      For each file, OK or the error is printed, both to standard output. For folders, only errors and \
      warnings are printed, and at the end the number of property lists that were checked. With -s, only \
      errors are printed.
      There are also warnings about an Info.plist without CFBundleIdentifier, and about keys of a launchd job \
      that are unknown to launchd or have the wrong type.
      With --json, each error or warning is an object with file, line and column (or byte, in a binary \
      file), keyPath, severity and message, as far as they are known. Nothing is printed for valid files.
      \(manifestDetails)
      Wrong types and values, and missing keys, are errors. Unknown keys and keys without effect are warnings. \
      A value that cannot be checked is a note, which is never an error. Objects of --json may also have \
      expected, allowedValues and nearestName. Preference manifests among the files are themselves checked.
      $ plutil -lint *.plist  # Check all files, and print OK for valid ones
      $ plutil -lint --strict --github .  # Check a checkout in a GitHub workflow
      $ plutil -lint .  # Check all property lists in the working directory
      $ plutil -lint --manifest org.example.editor.manifest org.example.editor.plist  # Check the keys and \
      values of preferences
      $ plutil -lint --json . > problems.jsonl  # Write the problems for a program
      """, action: lint),
    .init(
      "-find", arguments: [pattern],
      options: [
        .onlyKeys, .onlyValues, .onlyType, .silent, .json,
        .allFiles,
      ], operands: filesAndFolders, usageStatus: troubleStatus,
      """
      Find keys and values with a regular expression
      The pattern is a Swift regular expression, which may match any part of a key or value; (?i) at its \
      beginning ignores case. A value that is not a string is searched in the form that -p prints; a date also \
      in its XML form, and data in hexadecimal digits and as UTF-8 text.
      Each line has the file, the line number in a text format, the key path, and the value, separated by \
      colons. A container matches by its key; its contents are not printed. The empty pattern matches \
      everything.
      \(folderDetails)
      The exit status is 0 if anything was found, 1 if nothing was, and 2 on failure.
      $ plutil -find example.org .  # Find a text in all property lists in a folder
      $ plutil -find '^CFBundle.*Version' --keys Info.plist  # Find keys
      $ plutil -find cafe0102 --values --type data *.plist  # Find bytes in data
      $ plutil -find '' --type date Info.plist  # List all dates
      """, action: find),
    .init(
      "-info", options: [.json, .allFiles], operands: filesAndFolders,
      """
      Describe files: format, contents and likely purpose
      Prints the format and encoding, the size, the number of keys and of values of each type, the depth, the \
      range of dates, the largest top-level values by their size in binary form, duplicate keys and other \
      warnings, and what the file seems to be: an Info.plist, entitlements, a launchd job, a profile, a keyed \
      archive with its class, a strings table, an Xcode project, or the preferences of a domain.
      For folders, prints one line for each property list, and at the end the number of property lists of \
      each format and purpose.
      If a manifest is installed for the domain that a file is named after (see -describe), also prints the \
      titles and descriptions of the domain and of its keys in the file.
      \(folderDetails)
      $ plutil -info Info.plist  # Describe a file
      $ plutil -info ~/.config  # List the property lists in a folder
      """, action: inform),
    .init(
      "-describe", arguments: [keyPath], options: [.manifest, .json], operands: files,
      """
      Print what a preference manifest says about a key
      The files are preference manifests, or property lists, whose current value is also printed. For a \
      property list, --manifest names the manifest; otherwise the manifest installed for the domain that the \
      file is named after is used: domain.plist or domain.manifest in preferences/manifests of $XDG_DATA_HOME \
      or ~/.local/share, or of one of $XDG_DATA_DIRS or /usr/local/share and /usr/share. Prints the title, the \
      description, the type, the allowed values, the default, and what else the manifest says. For the empty \
      key path, prints the keys of the domain. Defaults and values of sensitive keys are never printed.
      $ plutil -describe tabWidth org.example.editor.manifest  # Describe a key
      $ plutil -describe '' org.example.editor.manifest  # List the keys of a domain
      $ plutil -describe tabWidth --manifest manifests org.example.editor.plist  # Describe a key and its \
      value
      """, action: describe),
    .init(
      "-inspect", options: [.output, .comparing, .silent, .allFiles],
      operands: filesAndFolders,
      """
      Write a page that shows property lists in a browser
      The page is one file that needs neither a network nor a server. It shows values as a tree that can be \
      expanded and searched, with types, key paths to copy, lines, warnings at their place, dates in local \
      time, and data as hexadecimal digits, text, image or property list. For a binary property list, it also \
      shows the bytes, with the objects, the offset table, and unused parts; for a keyed archive, its \
      objects. A file that is not a valid property list is shown as text or bytes, with the error at its \
      place. The page of a folder opens with a summary: how many property lists there are, and which have \
      errors or warnings.
      If a manifest is installed for the domain that a file is named after (see -describe), the page also has \
      titles, descriptions and defaults, and shows which values differ from their defaults. Values that it \
      marks as sensitive are left out.
      Without -o the page goes to standard output if that is not a terminal, and otherwise to a new file \
      report.html in the working directory. An existing report.html is replaced only if -o names it, and an \
      input never is.
      \(folderDetails)
      The exit status is 0 if the page contains all files, valid or not, and otherwise 1.
      $ plutil -inspect -o report.html Info.plist  # Show a file in a browser
      $ plutil -inspect -o report.html .  # Show all property lists in the working directory
      $ plutil -inspect --compare -o report.html old.plist new.plist  # Show what has changed, side by side
      """, action: inspect),
    .init(
      "-p",
      options: [
        .silent, .at, .depth, .lines, .full, .expand,
        .graph, .json,
      ], operands: files,
      """
      Print property lists in a human-readable form
      The output is meant for people. Keys are sorted regardless of case, with numbers in them by \
      value. Quotes, backslashes and control characters in strings are escaped.
      With -graph, an archive of NSKeyedArchiver is printed as objects with their classes and fields; strings, \
      numbers, dates, data, URLs, UUIDs and collections of Foundation are printed as values. If several places \
      refer to an object, it is printed once, with its number after #, and elsewhere only the number is \
      printed. Objects nested in more than 64 levels follow at the end. With --json, objects are dictionaries \
      with $class and, if other places refer to them, $id; these places have {"$ref": id}. No class is ever \
      loaded.
      With -expand, property lists in data are printed below the data, nested up to eight levels deep; with \
      -graph, archives in data are also printed as objects.
      \(envelopeDetails)
      $ plutil -p Info.plist  # Show a file, whatever its format
      $ plutil -p -at Tracks -depth 1 library.plist  # Show a part without what is in it
      $ plutil -p -lines -at CFBundleURLTypes Info.plist  # Show where a part is
      $ plutil -p -expand -full state.plist  # Show all bytes, and what data holds
      $ plutil -p -graph archive.plist  # Show the objects of a keyed archive
      """, action: print),
  ]

  private static let manifestDetails = """
    With --manifest, preferences are also checked against a preference manifest, which describes the keys \
    of a domain. A single manifest applies to all named files, whatever their names. Otherwise the \
    manifest is found by the name of the file, such as org.example.editor.plist for the domain \
    org.example.editor. In a configuration profile each payload is checked by its PayloadType.
    """

  private static let envelopeDetails = """
    A property list is also read from a signed message (CMS), such as a profile, whose signature is \
    not checked, and from an executable for Apple's systems (Mach-O); a note on standard error says \
    so. Such a file is never changed in place.
    """

  private static let pattern = CommandLineTool.Argument(
    "pattern", "A regular expression, such as example[.]org")
}
