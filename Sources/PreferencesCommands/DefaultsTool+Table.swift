internal import CommandLineInterface
internal import PropertyList

extension CommandLineTool.Option {
  static let currentHost = Self(
    "-currentHost", "Use the preferences that apply only to this machine")
  static let host = Self(
    "-host name",
    """
    Use the preferences that apply only to one machine: this one, by its host name, or any other, by its \
    identifier (see printHostIdentifier)
    """)
  static let root = Self(
    "--root folder",
    "Prefix the paths of all preferences folders with a folder, such as a mounted system image",
    completion: .files)
  static let force = Self(
    "--force", "Write the value even if the manifest of the domain does not allow it")
  static let form = Self(
    "--as form", "The form of the text: \(TextForm.names.alternatives)",
    completion: .words(TextForm.names))
  static let output = Self(
    "-o file", "The file to write, which is replaced; - is standard output", completion: .files)
  static let copies = Self(
    "-copies folder", "The folder with copies of the last good contents", completion: .files)
}

/// The verbs and options of `defaults`.
extension DefaultsTool {
  static let table = CommandLineTool(
    name: "defaults", summary: "read and change preferences", layout: .verbatim,
    options: [.currentHost, .host, .root],
    verbs: verbs,
    notes: notes, sections: [differences], related: ["plutil", "PlistBuddy", "defaults-sync"])

  private static let verbs: [CommandLineTool.Verb] = [
    .init(
      "read", operands: operands("[domain [key]]", count: 0...2, [domain, key]),
      """
      Print a value, a domain, or all of the user's domains
      $ defaults read org.example.Editor fontSize  # Print one value
      $ defaults read org.example.Editor  # Print a domain
      $ defaults -currentHost read  # Print everything that is set for this machine only
      """,
      action: actionOnOptionalDomain { tool, domain, words in
        if let domain { try tool.read(words.first, of: domain) } else { try tool.readAll() }
      }),
    .init(
      "read-type", operands: operands("domain key", count: 2...2, [domain, key]),
      """
      Print the type of a value
      $ defaults read-type org.example.Editor fontSize  # Print "Type is integer"
      """, action: actionOnDomain { try $0.readType(of: $2[0], of: $1) }),
    .init(
      "write",
      operands: operands(
        "[--force] domain key value...", "[--force] domain '{...}'", count: 2...Int.max,
        options: [.force], after: 0...0, [domain, key, value, wholeDomain]),
      """
      Set the value of a key, or replace a whole domain
      \(values)
      \(manifests)
      $ defaults write org.example.Editor fontSize -int 12  # Set a number
      $ defaults write org.example.editor tabWidth 4  # Set a number, if the manifest of the domain says that it \
      is one
      $ defaults write -g languages -array en de  # Set an array for all applications
      $ defaults write org.example.Editor window -dict-add width -int 640  # Set a key in a dictionary, keeping \
      its other keys
      $ defaults write org.example.Editor '{ fontSize = 12; }'  # Replace everything in the domain
      """,
      action: actionOnDomain { try $0.write($2, to: $1) }),
    .init(
      "edit",
      operands: operands(
        "domain [key] [--as form]", count: 1...2, options: [.form], after: 1...(.max),
        [domain, key]),
      """
      Edit a domain, or the value of a key, in an editor
      The editor is the command in $VISUAL or $EDITOR, and otherwise editor, vi or nano. The text is XML, which \
      has a type for every value; --as chooses another form. In JSON, a value of another type is a dictionary, \
      such as {"$date": "2024-01-31T23:59:59Z"}; in openstep, it looks like <*I12>.
      The changes are checked, printed, and merged with what others have saved since the domain was opened. If \
      the text is malformed, or if others have changed the same values, nothing is written. At a terminal you \
      can edit the text again; its first lines then say what is wrong. A text that could not be applied stays in \
      a file, whose path is printed.
      Where a manifest describes the domain, the text has its descriptions in comments that begin with <!--# or \
      //#. They are removed when the text is read, and are never saved. A changed value that the manifest does \
      not allow is treated as a malformed text, and an unknown key is a warning.
      Nothing is changed if the editor fails, or if the text is unchanged or empty.
      $ defaults edit org.example.Editor  # Edit a domain
      $ EDITOR=nano defaults edit org.example.Editor window --as json  # Edit one value as JSON, in nano
      """, action: actionOnDomain { try $0.edit($2.first, of: $1) }),
    .init(
      "rename",
      operands: operands(
        "domain key new-key", count: 3...3,
        [domain, key, .init("new-key", "The new key; any value it already has is replaced")]),
      """
      Rename a key, keeping its value
      $ defaults rename org.example.Editor size fontSize  # Rename the key size to fontSize
      """, action: actionOnDomain { try $0.rename($2[0], to: $2[1], of: $1) }),
    .init(
      "delete", aliases: ["remove"],
      operands: operands("domain [key]", count: 1...2, [domain, key]),
      """
      Delete a key, or everything in a domain
      $ defaults delete org.example.Editor fontSize  # Delete a key
      $ defaults delete org.example.Editor  # Delete everything in a domain
      """, action: actionOnDomain { try $0.delete($2.first, of: $1) }),
    .init(
      "delete-all", operands: operands("domain [key]", count: 1...2, [domain, key]),
      """
      Delete a key, or everything in a domain, including what applies to this machine only
      $ defaults delete-all org.example.Editor  # Delete a domain, also for this machine
      """, action: actionOnDomain { try $0.deleteAll($2.first, of: $1) }),
    .init(
      "reset",
      operands: .init(
        ["domain key..."], count: 2...Int.max, arguments: [domain, key],
        completion: resetCompletions),
      """
      Delete keys of a domain, so that their defaults apply
      The keys are deleted for all hosts and for this one; with -currentHost or -host, only for one. A key \
      that is not set is skipped. A key that is neither set nor in the manifest is an error, and nothing is \
      changed. If another layer still supplies a value, such as a managed file, a line on standard error says \
      so.
      $ defaults reset org.example.editor tabWidth theme  # Go back to two defaults
      """, action: actionOnDomain { try $0.reset($2, of: $1) }),
    .init(
      "import",
      operands: operands(
        "domain file", count: 2...2,
        [
          domain,
          .init("file", "A property list in any format; - is standard input", completion: .files),
        ]),
      """
      Import all keys from a property list, keeping the domain's other keys
      $ defaults import org.example.Editor backup.plist  # Import the keys of a file
      $ echo '{"fontSize": 12}' | defaults import org.example.Editor -  # Set keys from JSON
      """, action: actionOnDomain { try $0.importFile($2[0], into: $1) }),
    .init(
      "export",
      operands: operands(
        "domain file [format]", count: 2...3,
        [
          domain,
          .init(
            "file", "The file to write, which is replaced; - is standard output", completion: .files
          ),
          .init(
            "format",
            """
            \(PlistFormat.commandLineNames.alternatives); by default binary1 for a file and xml1 for standard output
            """, completion: .words(PlistFormat.commandLineNames)),
        ]),
      """
      Export a domain as a property list
      A device, a pipe, or a descriptor such as /dev/stdout is written to and never replaced.
      $ defaults export org.example.Editor backup.plist  # Save a domain to a file
      $ defaults export org.example.Editor - json  # Print a domain as JSON
      """, action: actionOnDomain { try $0.export($1, to: $2[0], as: $2.dropFirst().first) }),
    .init(
      "domains", operands: operands("", count: 0...0, []),
      """
      Print the names of the user's domains
      $ defaults domains  # Print all names on one line, separated by commas
      """, action: action { tool, _ in try tool.listDomains() }),
    .init(
      "find",
      operands: operands(
        "word", count: 1...1, [.init("word", "The text to search for; case is ignored")]),
      """
      Print all keys that contain a word, or whose domain or value contains it
      $ defaults find font  # Find all preferences that mention a font
      """, action: action { try $0.find($1[0]) }),
    .init(
      "printHostIdentifier", operands: operands("", count: 0...0, []),
      """
      Print the identifier of this machine, which is part of the names of the files that apply to it only
      $ ls ~/.config/ByHost/*."$(defaults printHostIdentifier)".plist  # List the files that apply to this \
      machine only
      """, action: action { tool, _ in tool.printHostIdentifier() }),
    .init(
      "keys", excludedOptions: [.currentHost, .host],
      operands: operands("domain", count: 1...1, [domain]),
      """
      Print the names of a domain's keys
      Prints the keys that the manifest of the domain describes, in the order of the manifest, and then all \
      other keys that are set. Keys that all domains share are not printed.
      $ defaults keys org.example.editor  # Print a key on each line
      """, action: actionOnDomain { tool, domain, _ in try tool.listKeys(of: domain) }),
    .init(
      "describe", excludedOptions: [.currentHost, .host],
      operands: operands("domain [key]", count: 1...2, [domain, key]),
      """
      Print what a manifest says about a domain or a key
      Prints the title, the description, the type, the range or the allowed values, the unit, the default, the \
      effective value, the layer and the file that it comes from, and whether it is managed. Secret values are \
      never printed. The key may also be the key path of a value in a dictionary, such as window.width.
      $ defaults describe org.example.editor  # List the keys of a domain with their titles
      $ defaults describe org.example.editor tabWidth  # See what a key means
      """, action: actionOnDomain { try $0.describe($2.first, of: $1) }),
    .init(
      "check", excludedOptions: [.currentHost, .host],
      operands: operands("[domain]", count: 0...1, [domain]), usageStatus: 2,
      """
      Check the values of a domain, or of all domains, against their manifests
      Checks the effective values in the files of the domain. Each finding is a line with the file, the line in \
      it if it is text, and the key path. Unknown keys are warnings. For a domain without errors, OK is printed.
      The exit status is 0 without errors, 1 if there are errors in values, and 2 on failure.
      $ defaults check org.example.editor  # Check one domain
      $ defaults check  # Check all domains that have a manifest
      """, action: actionOnOptionalDomain { tool, domain, _ in try tool.check(domain) }),
    .init(
      "layers", excludedOptions: [.currentHost, .host],
      operands: operands("domain key", count: 2...2, [domain, key]), usageStatus: 2,
      """
      Show which file a value comes from and what it overrides
      $ defaults layers org.example.Editor fontSize  # Find out why an application uses this font size
      """, action: actionOnDomain { try $0.layers(of: $2[0], of: $1) }),
    .init(
      "inspect", excludedOptions: [.currentHost, .host],
      operands: operands(
        "[domain] [-o file] [-copies folder]", count: 0...1, options: [.output, .copies], [domain]),
      usageStatus: 2,
      """
      Write a page for a browser about a domain, or about all of the user's domains
      Where a manifest describes a domain, the page begins with its settings: titles, descriptions, units, \
      defaults, and which values differ from them. Secret values are left out.
      The page has each key with its effective value, the layer that supplies it and the values that it hides, \
      and for each layer the state of its file: format, size, time of change, owner and mode, why it cannot be \
      read, and what was set aside. The page is one file that needs no network and runs nothing from the \
      preferences.
      Without -o the page goes to standard output if that is not a terminal, and otherwise to a new file \
      report.html in the working directory. No file of preferences is ever replaced.
      -copies names the folder in which an application keeps copies of the last good contents of its file, to \
      show whether there is one.
      $ defaults inspect org.example.Editor -o editor.html  # See where each preference of an application comes \
      from
      $ defaults inspect -o all.html  # See all preferences
      """,
      action: actionOnOptionalDomain { tool, domain, _ in try tool.inspect(domain) }),
    .init(
      "watch", operands: operands("domain [key]", count: 1...2, [domain, key]), usageStatus: 2,
      """
      Print each change to a domain, or to one key in it, until interrupted
      Prints each change on one line as soon as it is seen: the key, the old value, -> and the new value. A \
      missing value is printed as -.
      $ defaults watch org.example.Editor  # See what an application changes while it runs
      """, action: actionOnDomain { try $0.watch($2.first, of: $1) }),
    .init(
      "sync", excludedOptions: [.currentHost, .host, .root],
      operands: .init(
        ["[argument...]"], count: 0...Int.max,
        arguments: [.init("argument", "A command of defaults-sync, and what it takes")]
      ) { before, current in SyncProgram.completions(after: before.operands, current) },
      isProgram: true,
      """
      Keep preferences in sync on many machines, with the program defaults-sync
      All words after sync are passed to defaults-sync, which is searched for in the folder of defaults, and \
      then in PATH. Run "defaults sync help" for its commands.
      $ defaults sync status  # See whether this machine is up to date
      $ defaults sync doctor  # Find out why values do not arrive
      """,
      action: { invocation, _ in
        if let option = invocation.options.keys.min() {
          throw UsageError("\(option) cannot be used with sync")
        }
        throw SyncProgram.replaceProcess(invocation.operands)
      }),
  ]

  // MARK: Operands

  private static func operands(
    _ forms: String..., count: ClosedRange<Int>, options: [CommandLineTool.Option] = [],
    after positions: ClosedRange<Int> = 0...(.max), _ arguments: [CommandLineTool.Argument]
  ) -> CommandLineTool.Operands {
    .init(forms, count: count, options: options, optionsAfter: positions, arguments: arguments) {
      completions(of: arguments, after: $0, $1)
    }
  }

  static let domain = CommandLineTool.Argument(
    "domain",
    "A name, such as org.example.Editor; -g for what all applications share; -app "
      + "and an application; or the path of a property list")
  static let key = CommandLineTool.Argument("key", "A key at the top level of the domain")
  static let value = CommandLineTool.Argument(
    "value", "A string, a property list, or a type followed by a value")
  static let wholeDomain = CommandLineTool.Argument(
    "'{...}'", "A dictionary, in any format, that replaces everything in the domain")

  // MARK: Notes

  /// The details of `write`.
  private static let values = """
    A value without a type is a string, or a property list if it contains any of the characters " ( \
    ) [ ] { } < >. The types are: -string text, -data hexadecimal-digits, -int[eger] number, -float \
    number, -bool[ean] true|false|yes|no|1|0, -date date, -array value..., -array-add value..., \
    -dict key value..., -dict-add key value... Elements, and the keys and values of dictionaries, \
    may have their own types, except -array and -dict. Integers are decimal, or hexadecimal after \
    0x. Dates are written as 2024-01-31T23:59:59Z, "2024-01-31 23:59:59 +0000" or 2024-01-31.
    """

  /// The details of `write` with a manifest.
  private static let manifests = """
    If the domain has a manifest, a value without a type gets its type from the manifest, even within arrays and \
    dictionaries. A value that the manifest does not allow is an error, and nothing is changed; --force writes it. \
    For a key that the manifest does not describe, a warning names the nearest one.
    """

  private static let notes = """
    A domain is a name such as org.example.Editor; NSGlobalDomain, "Apple Global Domain", -g or -globalDomain \
    for preferences shared by all applications; -app and the name or path of an application; or the path of a \
    property list, which contains a slash; .plist is optional. After --, a name may begin with a dash.
    Files | Domains are stored in $XDG_CONFIG_HOME or ~/.config, and those of a single machine in its \
    subfolder ByHost. The commands layers, inspect, keys, describe and check also look in $XDG_CONFIG_DIRS or \
    /etc/xdg, in /usr/local/etc and in /etc/xdg/managed. The manifest of a domain, which describes its keys, \
    is in preferences/manifests of $XDG_DATA_HOME or ~/.local/share, or of one of $XDG_DATA_DIRS or \
    /usr/local/share and /usr/share, as domain.plist or domain.manifest; the first one found is used.
    Changes are on disk when the command ends. A file that cannot be read is never overwritten. In a text \
    file given by its path, only the changed values are rewritten: comments, the order of keys and the \
    layout stay.
    Exit status | The exit status is 0 on success and 1 on failure. layers, inspect and watch exit with 2 if \
    their arguments are wrong, and check exits with 2 on any failure other than errors in values.
    """

  /// How the program differs from `defaults` on macOS, and why.
  private static let differences = CommandLineTool.Section(
    "Differences from macOS", isInHelp: false,
    #"""
    Preferences are plain files, which each command changes under a lock and replaces as a whole. \#
    There is no daemon such as cfprefsd, so other programs may also edit the files.
    Domains are stored where Linux keeps configuration, and machines are identified by a hash of \#
    /etc/machine-id, because there are no hardware UUIDs. There is no ~/Library: for scripts that \#
    use ~/Library/Preferences, make that a symbolic link to ~/.config. Without the link, such a \#
    path is an error, because its folder does not exist.
    -app takes the file name of the program as the domain, because there are no bundles with \#
    identifiers. delete-all also deletes the preferences of this machine, because there are no \#
    containers.
    -host takes the identifier of a machine, or the host name of this one. A host for which no \#
    domain has a file is an error, except with write and import. -host with a path is an error, \#
    because the path already names the file.
    A path may be relative, and may end in .plist. Its folder must exist, because a missing one is \#
    probably a typo. A file of XML, JSON or OpenStep text keeps its format, its comments and its \#
    layout. A value for which JSON or OpenStep text has no type is an error. If a value has a \#
    character that XML does not allow, the file becomes binary, with a warning.
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
    Error messages do not begin with a date and a process identifier, and a malformed command \#
    line is reported in one line, with exit status 1, for the convenience of people and scripts. \#
    macOS prints all of its help and exits with 255.
    edit, reset, keys, describe, check, layers, inspect, watch, --root, --force and help for single \#
    commands are additions, as are manifests.
    """#)
}
