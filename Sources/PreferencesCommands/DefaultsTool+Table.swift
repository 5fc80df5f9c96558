internal import CommandLineInterface
internal import PropertyList

/// The verbs and options of `defaults`.
extension DefaultsTool {
  enum Option {
    static let currentHost = CommandLineTool.Option(
      "-currentHost", summary: "Use the preferences that apply to this machine only")
    static let host = CommandLineTool.Option(
      "-host", argument: "name",
      summary: "Use the preferences that apply to one machine only: this one, by its host name, or "
        + "any other, by its identifier (see printHostIdentifier)")
    static let root = CommandLineTool.Option(
      "--root", argument: .init("folder", completion: .files),
      summary: "Prefix the paths of all preferences folders with a folder, such as a mounted "
        + "system image")
  }

  static let table = CommandLineTool(
    name: "defaults", summary: "read and change preferences", layout: .verbatim,
    options: [Option.currentHost, Option.host, Option.root],
    verbs: [
      read, readType, write, edit, rename, delete, deleteAll, reset, `import`, export, domains,
      find,
      printHostIdentifier, keys, describe, check, layers, inspect, watch, sync,
    ],
    notes: notes, sections: [differences], related: ["plutil", "PlistBuddy", "defaults-sync"])

  // MARK: Verbs

  private static let read = CommandLineTool.Verb(
    "read", summary: "Print a value, a domain, or all of the user's domains",
    operands: operands("[domain [key]]", 0...2, [domain, key]),
    examples: [
      .init("defaults read org.example.Editor fontSize", "Print one value"),
      .init("defaults read org.example.Editor", "Print a domain"),
      .init("defaults -currentHost read", "Print everything that is set for this machine only"),
    ],
    action: actionOnOptionalDomain { tool, domain, words in
      if let domain { try tool.read(words.first, of: domain) } else { try tool.readAll() }
    })

  private static let readType = CommandLineTool.Verb(
    "read-type", summary: "Print the type of a value",
    operands: operands("domain key", 2...2, [domain, key]),
    examples: [
      .init("defaults read-type org.example.Editor fontSize", #"Print "Type is integer""#)
    ],
    action: actionOnDomain { try $0.readType(of: $2[0], of: $1) })

  private static let write = CommandLineTool.Verb(
    "write", summary: "Set the value of a key, or replace a whole domain",
    details: [values, manifests],
    operands: .init(
      ["[--force] domain key value...", "[--force] domain '{...}'"], count: 2...Int.max,
      arguments: [force, domain, key, value, wholeDomain], completion: writeCompletions),
    examples: [
      .init("defaults write org.example.Editor fontSize -int 12", "Set a number"),
      .init(
        "defaults write org.example.editor tabWidth 4",
        "Set a number, if the manifest of the domain says that it is one"),
      .init("defaults write -g languages -array en de", "Set an array for all applications"),
      .init(
        "defaults write org.example.Editor window -dict-add width -int 640",
        "Set a key in a dictionary, keeping its other keys"),
      .init(
        "defaults write org.example.Editor '{ fontSize = 12; }'",
        "Replace everything in the domain"),
    ],
    action: { invocation, session in
      var invocation = invocation
      let isForced = invocation.operands.first == force.name
      if isForced { invocation.operands.removeFirst() }
      let write = actionOnDomain { try $0.write($2, to: $1, isForced: isForced) }
      try write(invocation, session)
    })

  private static let edit = CommandLineTool.Verb(
    "edit", summary: "Edit a domain, or the value of a key, in an editor",
    details: [
      """
      The editor is the command in $VISUAL or $EDITOR, and otherwise editor, vi or nano. The text is XML, which has \
      a type for every value; --as chooses another form. In JSON, a value of another type is a dictionary, such as \
      {"$date": "2024-01-31T23:59:59Z"}; in openstep, it looks like <*I12>.
      """,
      """
      The changes are checked, printed, and merged with what others have saved since the domain was opened. \
      If the text is malformed, or if others have changed the same values, nothing is written. At a terminal you can edit the \
      text again; its first lines then say what is wrong. A text that could not be applied stays in a file, \
      whose path is printed.
      """,
      """
      Where a manifest describes the domain, the text has its descriptions in comments that begin with <!--# or \
      //#. They are removed when the text is read, and are never saved. A changed value that the manifest does not \
      allow is treated as a malformed text, and an unknown key is a warning.
      """,
      "Nothing is changed if the editor fails, or if the text is unchanged or empty.",
    ],
    operands: .init(
      ["domain [key] [--as form]"], count: 1...4,
      arguments: [
        domain, key,
        .init("--as form", summary: "The form of the text: \(TextForm.names.alternatives)"),
      ], completion: editCompletions),
    examples: [
      .init("defaults edit org.example.Editor", "Edit a domain"),
      .init(
        "EDITOR=nano defaults edit org.example.Editor window --as json",
        "Edit one value as JSON, in nano"),
    ],
    action: actionOnDomain { try $0.edit(EditArguments($2), of: $1) })

  private static let rename = CommandLineTool.Verb(
    "rename", summary: "Rename a key, keeping its value",
    operands: operands(
      "domain key new-key", 3...3,
      [
        domain, key,
        .init("new-key", summary: "The new key; any value it already has is replaced"),
      ]
    ),
    examples: [
      .init("defaults rename org.example.Editor size fontSize", "Rename the key size to fontSize")
    ],
    action: actionOnDomain { try $0.rename($2[0], to: $2[1], of: $1) })

  private static let delete = CommandLineTool.Verb(
    "delete", aliases: ["remove"], summary: "Delete a key, or everything in a domain",
    operands: operands("domain [key]", 1...2, [domain, key]),
    examples: [
      .init("defaults delete org.example.Editor fontSize", "Delete a key"),
      .init("defaults delete org.example.Editor", "Delete everything in a domain"),
    ],
    action: actionOnDomain { try $0.delete($2.first, of: $1) })

  private static let deleteAll = CommandLineTool.Verb(
    "delete-all",
    summary: "Delete a key, or everything in a domain, including what applies to this machine only",
    operands: operands("domain [key]", 1...2, [domain, key]),
    examples: [
      .init("defaults delete-all org.example.Editor", "Delete a domain, also for this machine")
    ],
    action: actionOnDomain { try $0.deleteAll($2.first, of: $1) })

  private static let reset = CommandLineTool.Verb(
    "reset", summary: "Delete keys of a domain, so that their defaults apply",
    details: [
      """
      The keys are deleted for all hosts and for this one, with -currentHost or -host only for one. A key that \
      is not set stays so. One that is neither set nor in the manifest is an error, and nothing is changed. \
      If another layer still supplies a value, such as a managed file, a line on standard error says so.
      """
    ],
    operands: .init(
      ["domain key..."], count: 2...Int.max, arguments: [domain, key], completion: resetCompletions),
    examples: [
      .init("defaults reset org.example.editor tabWidth theme", "Go back to two defaults")
    ],
    action: actionOnDomain { try $0.reset($2, of: $1) })

  private static let `import` = CommandLineTool.Verb(
    "import", summary: "Import all keys from a property list, keeping the domain's other keys",
    operands: operands(
      "domain file", 2...2,
      [
        domain,
        .init(
          "file", summary: "A property list in any format; - is standard input",
          completion: .files),
      ]),
    examples: [
      .init("defaults import org.example.Editor backup.plist", "Import the keys of a file"),
      .init(
        #"echo '{"fontSize": 12}' | defaults import org.example.Editor -"#, "Set keys from JSON"),
    ],
    action: actionOnDomain { try $0.importFile($2[0], into: $1) })

  private static let export = CommandLineTool.Verb(
    "export", summary: "Export a domain as a property list",
    details: [
      "A device, a pipe, or a descriptor such as /dev/stdout is written to and never replaced."
    ],
    operands: operands(
      "domain file [format]", 2...3,
      [
        domain,
        .init(
          "file", summary: "The file to write, which is replaced; - is standard output",
          completion: .files),
        .init(
          "format",
          summary: "\(PlistFormat.commandLineNames.alternatives); by default binary1 for a file "
            + "and xml1 for standard output",
          completion: .words(PlistFormat.commandLineNames)),
      ]),
    examples: [
      .init("defaults export org.example.Editor backup.plist", "Save a domain to a file"),
      .init("defaults export org.example.Editor - json", "Print a domain as JSON"),
    ],
    action: actionOnDomain { try $0.export($1, to: $2[0], as: $2.dropFirst().first) })

  private static let domains = CommandLineTool.Verb(
    "domains", summary: "Print the names of the user's domains",
    operands: operands("", 0...0, []),
    examples: [.init("defaults domains", "Print all names on one line, separated by commas")],
    action: action { tool, _ in try tool.listDomains() })

  private static let find = CommandLineTool.Verb(
    "find", summary: "Print all keys that contain a word, or whose domain or value contains it",
    operands: operands(
      "word", 1...1, [.init("word", summary: "The text to search for; case is ignored")]),
    examples: [.init("defaults find font", "Find all preferences that mention a font")],
    action: action { try $0.find($1[0]) })

  private static let printHostIdentifier = CommandLineTool.Verb(
    "printHostIdentifier",
    summary: "Print the identifier of this machine, which is part of the names of the files that "
      + "apply to it only",
    operands: operands("", 0...0, []),
    examples: [
      .init(
        #"ls ~/.config/ByHost/*."$(defaults printHostIdentifier)".plist"#,
        "List the files that apply to this machine only")
    ],
    action: action { tool, _ in tool.printHostIdentifier() })

  private static let keys = CommandLineTool.Verb(
    "keys", summary: "Print the names of a domain's keys",
    details: [
      """
      Prints the keys that the manifest of the domain describes, in its order, and then those that are only set. \
      Keys that all domains share are not printed.
      """
    ],
    excludedOptions: [Option.currentHost, Option.host],
    operands: operands("domain", 1...1, [domain]),
    examples: [.init("defaults keys org.example.editor", "Print a key on each line")],
    action: actionOnDomain { tool, domain, _ in try tool.listKeys(of: domain) })

  private static let describe = CommandLineTool.Verb(
    "describe", summary: "Describe a domain, or a key of it, as its manifest does",
    details: [
      """
      Prints the title, the description, the type, the range or the allowed values, the unit, the default, the \
      value that applications find, the layer and the file that it comes from, and whether it is managed. Secret \
      values are never printed. The key may also be the key path of a value in a dictionary, such as window.width.
      """
    ],
    excludedOptions: [Option.currentHost, Option.host],
    operands: operands("domain [key]", 1...2, [domain, key]),
    examples: [
      .init("defaults describe org.example.editor", "List the keys of a domain with their titles"),
      .init("defaults describe org.example.editor tabWidth", "See what a key means"),
    ],
    action: actionOnDomain { try $0.describe($2.first, of: $1) })

  private static let check = CommandLineTool.Verb(
    "check", summary: "Check the values of a domain, or of all domains, against their manifests",
    details: [
      """
      Checks the values that applications find in the files of the domain. Each finding is a line with the file, the \
      line in it if it is text, and the key path. Unknown keys are warnings. For a domain without errors, OK \
      is printed.
      """,
      "The exit status is 0 without errors, 1 if there are errors in values, and 2 on failure.",
    ],
    excludedOptions: [Option.currentHost, Option.host],
    operands: operands("[domain]", 0...1, [domain]),
    examples: [
      .init("defaults check org.example.editor", "Check one domain"),
      .init("defaults check", "Check all domains that have a manifest"),
    ],
    usageStatus: 2,
    action: actionOnOptionalDomain { tool, domain, _ in try tool.check(domain) })

  private static let layers = CommandLineTool.Verb(
    "layers", summary: "Show which file a value comes from and what it overrides",
    excludedOptions: [Option.currentHost, Option.host],
    operands: operands("domain key", 2...2, [domain, key]),
    examples: [
      .init(
        "defaults layers org.example.Editor fontSize",
        "Find out why an application uses this font size")
    ],
    usageStatus: 2,
    action: actionOnDomain { try $0.layers(of: $2[0], of: $1) })

  static let inspect = CommandLineTool.Verb(
    "inspect", summary: "Make a page about a domain, or about all of the user's, for a browser",
    details: [
      "Where a manifest describes a domain, the page begins with its settings: titles, descriptions, "
        + "units, defaults, and which values differ from them. Secret values are left out.",
      "The page has each key with the value that counts, the layer that supplies it and the values "
        + "that it hides, and for each layer the state of its file: format, size, time of change, "
        + "owner and mode, why it cannot be read, and what was set aside. It is one file, which "
        + "needs no network, and in which nothing from preferences is run.",
      "Without -o the page goes to standard output if that is not a terminal, and otherwise to a new "
        + "file report.html in the working directory. No file of preferences is ever replaced.",
      "-copies names the folder in which an application keeps copies of the last good contents of "
        + "its file, to show whether there is one.",
    ],
    excludedOptions: [Option.currentHost, Option.host],
    operands: .init(
      ["[domain] [-o file] [-copies folder]"], count: 0...1,
      arguments: [
        domain,
        .init("-o file", summary: "The file to write, which is replaced; - is standard output"),
        .init("-copies folder", summary: "The folder with copies of the last good contents"),
      ], completion: inspectionCompletions),
    examples: [
      .init(
        "defaults inspect org.example.Editor -o editor.html",
        "See where each preference of an application comes from"),
      .init("defaults inspect -o all.html", "See all preferences"),
    ],
    usageStatus: 2,
    action: { invocation, session in
      let tool = try DefaultsTool(invocation, in: session)
      try tool.inspect(InspectionArguments(invocation.operands))
    })

  private static let watch = CommandLineTool.Verb(
    "watch", summary: "Print each change to a domain, or to one key in it, until interrupted",
    details: [
      "Prints each change on one line as soon as it is seen: the key, the old value, -> and the new value. "
        + "A missing value is printed as -."
    ],
    operands: operands("domain [key]", 1...2, [domain, key]),
    examples: [
      .init("defaults watch org.example.Editor", "See what an application changes while it runs")
    ],
    usageStatus: 2,
    action: actionOnDomain { try $0.watch($2.first, of: $1) })

  private static let sync = CommandLineTool.Verb(
    "sync", summary: "Keep preferences in sync on many machines, by the program defaults-sync",
    details: [
      """
      All words after sync are those of defaults-sync, which is searched for in the folder of defaults, then \
      in the folders of PATH. Run "defaults sync help" for its commands.
      """
    ],
    excludedOptions: [Option.currentHost, Option.host, Option.root],
    operands: .init(
      ["[argument...]"], count: 0...Int.max,
      arguments: [.init("argument", summary: "A command of defaults-sync, and what it takes")]
    ) { before, current in
      SyncProgram.completions(after: before.operands, current)
    },
    examples: [
      .init("defaults sync status", "See whether this machine is up to date"),
      .init("defaults sync doctor", "Find out why values do not arrive"),
    ],
    isProgram: true,
    action: { invocation, _ in
      if let option = invocation.options.keys.min() {
        throw UsageError("\(option) cannot be used with sync")
      }
      throw SyncProgram.replaceProcess(invocation.operands)
    })

  // MARK: Operands

  private static func operands(
    _ form: String, _ count: ClosedRange<Int>, _ arguments: [CommandLineTool.Argument]
  ) -> CommandLineTool.Operands {
    operands([form], count, arguments)
  }

  private static func operands(
    _ forms: [String], _ count: ClosedRange<Int>, _ arguments: [CommandLineTool.Argument]
  ) -> CommandLineTool.Operands {
    .init(forms, count: count, arguments: arguments) { before, current in
      completions(of: arguments, after: before, current)
    }
  }

  static let domain = CommandLineTool.Argument(
    "domain",
    summary: "A name, such as org.example.Editor; -g for what all applications share; -app "
      + "and an application; or the path of a property list")
  static let force = CommandLineTool.Argument(
    "--force", summary: "Write the value even if the manifest of the domain does not allow it")
  static let key = CommandLineTool.Argument("key", summary: "A key at the top level of the domain")
  static let value = CommandLineTool.Argument(
    "value", summary: "A string, a property list, or a type followed by a value")
  static let wholeDomain = CommandLineTool.Argument(
    "'{...}'", summary: "A dictionary, in any format, that replaces everything in the domain")

  // MARK: Notes

  /// The details of `write`.
  private static let values = """
    A value without a type is a string, or a property list if it contains any of the characters \
    " ( ) [ ] { } < >. The types are: -string text, -data hexadecimal-digits, -int[eger] \
    number, -float number, -bool[ean] true|false|yes|no|1|0, -date date, -array value..., -array-add \
    value..., -dict key value..., -dict-add key value... Elements, and the keys and values of \
    dictionaries, may have types of their own, but not -array or -dict. Integers are decimal, or \
    hexadecimal after 0x. Dates are written as 2024-01-31T23:59:59Z, "2024-01-31 23:59:59 +0000" or \
    2024-01-31.
    """

  /// The details of `write` with a manifest.
  private static let manifests = """
    If the domain has a manifest, a value without a type has the one that the manifest gives, also within arrays and \
    dictionaries. A value that the manifest does not allow is an error, and nothing is changed; --force \
    writes it. For a key that the manifest does not describe, a warning names the nearest one.
    """

  private static let notes: [CommandLineTool.Note] = [
    """
    A domain is a name such as org.example.Editor; NSGlobalDomain, "Apple Global Domain", -g or \
    -globalDomain for preferences shared by all applications; -app and the name or path of an \
    application; or the path of a property list, which contains a slash; .plist is optional. After \
    --, a name may begin with a dash.
    """,
    .init(
      "Files",
      """
      Domains are stored in $XDG_CONFIG_HOME or ~/.config, and those of a single machine in its \
      subfolder ByHost. The commands layers, inspect, keys, describe and check also look in $XDG_CONFIG_DIRS \
      or /etc/xdg, in /usr/local/etc and in /etc/xdg/managed. The manifest of a domain, which describes its \
      keys, is in preferences/manifests of $XDG_DATA_HOME or ~/.local/share, or of one of $XDG_DATA_DIRS or \
      /usr/local/share and /usr/share, as domain.plist or domain.manifest; the first one found is used.
      """),
    """
    Changes are on disk when the command ends. A file that cannot be read is never overwritten. \
    In a file of text that is named by its path, only the values that change are written: comments, \
    the order of keys and the layout stay.
    """,
    .init(
      "Exit status",
      """
      The exit status is 0 on success and 1 on failure. layers, inspect and watch exit with 2 if \
      their arguments are wrong, and check on any failure but errors in values.
      """),
  ]

  /// How the program differs from the one of macOS, and why.
  private static let differences = CommandLineTool.Section(
    ofManual: "Differences from macOS",
    #"""
    Preferences are plain files, which each command changes under a lock and replaces as a whole. \#
    There is no daemon such as cfprefsd, so other programs may also edit the files.
    Domains are stored where Linux keeps configuration, and machines are identified by a hash of \#
    /etc/machine-id, because there are no hardware UUIDs. There is no ~/Library: for scripts that \#
    use ~/Library/Preferences, make that a symbolic link to ~/.config. Without it such a path is \#
    an error, because its folder does not exist.
    -app takes the file name of the program as the domain, because there are no bundles with \#
    identifiers. delete-all deletes the preferences of this machine as well, because there are no \#
    containers.
    -host takes the identifier of a machine, or the host name of this one. A host for which no \#
    domain has a file is an error, except with write and import. Together with a path -host is an \#
    error, because the path names the file.
    A path may be relative, and may end in .plist. Its folder must exist: a missing one is more \#
    likely a typo. A file of XML, JSON or OpenStep text keeps its format, its comments and its \#
    layout. A value that JSON or OpenStep text has no type for is an error; XML becomes binary for \#
    a character that XML does not allow, with a warning.
    Numbers that are malformed or out of range are errors. macOS stores 0, or the nearest number. \#
    Integers may be hexadecimal, and as large as 18446744073709551615.
    -float stores eight bytes, so that 0.1 is read as 0.1. macOS stores four.
    -data takes pairs of digits, and -date takes the three forms above. A lone digit and words \#
    such as "tomorrow" are errors, because their meaning would be a guess.
    A value that is parsed as a property list may also be JSON, as in '{"a": [1, 2]}', and so may \#
    the file for import.
    rename keeps the value if both keys are the same. write warns if the key is the name of a \#
    type, as in "write domain -bool true", where the key is missing.
    A command that deletes a missing key names that key, and not only the domain.
    A file that is not a property list is reported with the place of the error, and is left \#
    unchanged. macOS says that the domain does not exist.
    export takes a format, and never replaces devices, pipes and descriptors.
    Error messages have no date and no process identifier in front of them, and a malformed \#
    command line is reported in one line, with exit status 1, to suit people and scripts. macOS \#
    prints all of its help and exits with 255.
    edit, reset, keys, describe, check, layers, inspect, watch, --root, --force and help for single \#
    commands are additions, as are manifests.
    """#)
}
