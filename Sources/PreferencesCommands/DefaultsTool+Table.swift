internal import CommandLineInterface
internal import PropertyList

/// The verbs and options of `defaults`.
extension DefaultsTool {
  enum Option {
    static let currentHost = CommandLineTool.Option(
      "-currentHost", summary: "Use the user's preferences for this machine alone")
    static let host = CommandLineTool.Option(
      "-host", argument: "name",
      summary: "Use the user's preferences for another machine, by the part of their files' names "
        + "before .plist, or for this one, by its host name")
    static let root = CommandLineTool.Option(
      "--root", argument: .init("folder", completion: .files),
      summary: "Put a folder before the paths of all folders that hold domains, as for the system "
        + "within a mounted image")
  }

  static let table = CommandLineTool(
    name: "defaults", summary: "read and change preferences", layout: .verbatim,
    options: [Option.currentHost, Option.host, Option.root],
    verbs: [
      read, readType, write, rename, delete, deleteAll, `import`, export, domains, find, layers,
      watch,
    ],
    notes: notes, related: ["plutil", "PlistBuddy"])

  // MARK: Verbs

  private static let read = CommandLineTool.Verb(
    "read", summary: "Print a value, a domain, or all of the user's domains",
    operands: .init("[domain [key]]", count: 0...2, completions: [domain, .nothing]),
    examples: [
      .init("defaults read org.example.Editor fontSize", "Print one value"),
      .init("defaults -currentHost read", "Print all that is set for this machine alone"),
    ],
    action: actionOnOptionalDomain { tool, domain, words in
      if let domain { try tool.read(words.first, of: domain) } else { try tool.readAll() }
    })

  private static let readType = CommandLineTool.Verb(
    "read-type", summary: "Print the type of a value",
    operands: .init("domain key", count: 2...2, completions: [domain, .nothing]),
    action: actionOnDomain { try $0.readType(of: $2[0], of: $1) })

  private static let write = CommandLineTool.Verb(
    "write",
    summary: "Set the value of a key; given a dictionary in the place of the key, put it in the "
      + "place of all that the domain holds",
    details: [values],
    operands: .init(
      "domain key value...", count: 2...Int.max,
      completions: [domain, .nothing, .words(ValueArguments.typeWords)]),
    examples: [
      .init("defaults write org.example.Editor fontSize -int 12", "Set a number"),
      .init("defaults write -g languages -array en de", "Set an array for all applications"),
      .init(
        "defaults write org.example.Editor '{ fontSize = 12; }'",
        "Replace all that the domain holds"),
    ],
    action: actionOnDomain { tool, domain, words in
      if words.count == 1 {
        try tool.replace(domain, with: words[0])
      } else {
        try tool.write(words[0], of: domain, change: ValueArguments.parse(words[1...]))
      }
    })

  private static let rename = CommandLineTool.Verb(
    "rename", summary: "Give a value another key",
    operands: .init("domain key new-key", count: 3...3, completions: [domain, .nothing]),
    action: actionOnDomain { try $0.rename($2[0], to: $2[1], of: $1) })

  private static let delete = CommandLineTool.Verb(
    "delete", aliases: ["remove"], summary: "Remove a value, or all of a domain",
    operands: .init("domain [key]", count: 1...2, completions: [domain, .nothing]),
    action: actionOnDomain { try $0.delete($2.first, of: $1) })

  private static let deleteAll = CommandLineTool.Verb(
    "delete-all",
    summary: "The same, from the user's preferences for this machine alone as well",
    operands: .init("domain [key]", count: 1...2, completions: [domain, .nothing]),
    action: actionOnDomain { try $0.deleteAll($2.first, of: $1) })

  private static let `import` = CommandLineTool.Verb(
    "import", summary: "Set all that a property list of any format holds; - is standard input",
    operands: .init("domain file", count: 2...2, completions: [domain, .files]),
    examples: [
      .init(
        #"echo '{"fontSize": 12}' | defaults import org.example.Editor -"#,
        "Set values from JSON")
    ],
    action: actionOnDomain { try $0.importFile($2[0], into: $1) })

  private static let export = CommandLineTool.Verb(
    "export",
    summary: "Write a domain to a file as a binary property list, or to standard output as XML "
      + "for -, unless a format is given: \(PlistFormat.commandLineNames.joined(separator: ", "))",
    details: [
      "A device, a pipe, or a descriptor such as /dev/stdout is written to and never replaced."
    ],
    operands: .init(
      "domain file [format]", count: 2...3,
      completions: [domain, .files, .words(PlistFormat.commandLineNames)]),
    examples: [
      .init("defaults export org.example.Editor - json", "Print a domain as JSON")
    ],
    action: actionOnDomain { try $0.export($1, to: $2[0], as: $2.dropFirst().first) })

  private static let domains = CommandLineTool.Verb(
    "domains", summary: "Print the names of the user's domains",
    operands: .init("", count: 0...0, completions: []),
    action: action { tool, _ in try tool.listDomains() })

  private static let find = CommandLineTool.Verb(
    "find", summary: "Print the values that have a word in their domain, key or text",
    operands: .init("word", count: 1...1, completions: [.nothing]),
    action: action { try $0.find($1[0]) })

  private static let layers = CommandLineTool.Verb(
    "layers", summary: "Print which file supplies a value, and which others it shadows",
    operands: .init("domain key", count: 2...2, completions: [domain, .nothing]), usageStatus: 2,
    action: actionOnDomain { try $0.layers(of: $2[0], of: $1) })

  private static let watch = CommandLineTool.Verb(
    "watch",
    summary: "Print each change of a domain or of one value in it, until interrupted",
    details: [
      "A change is one line, printed as soon as it is seen, whoever made it: the key, the value "
        + "before, -> and the value after, with - where there is none."
    ],
    operands: .init("domain [key]", count: 1...2, completions: [domain, .nothing]), usageStatus: 2,
    action: actionOnDomain { try $0.watch($2.first, of: $1) })

  /// The completion of a domain.
  private static let domain = CommandLineTool.Completion.output(
    of: "defaults domains 2>/dev/null | sed 's/, /\\n/g'; echo NSGlobalDomain")

  // MARK: Notes

  /// The details of `write`.
  private static let values = """
    A value is text, which is a string, or a property list where any of "()[]{}<> is in it. After a \
    type it is read as one: -string text, -data hexadecimal-digits, -int[eger] number, -float number, \
    -bool[ean] true|false|yes|no, -date date, -array value..., -array-add value..., -dict key value..., \
    -dict-add key value... Elements may have types of their own, but not those of containers. A date \
    is 2024-01-31T23:59:59Z, "2024-01-31 23:59:59 +0000" or 2024-01-31.
    """

  private static let notes: [CommandLineTool.Note] = [
    """
    A domain is a name such as org.example.Editor; NSGlobalDomain, -g or -globalDomain for what all \
    applications share; -app and a program; or the path of a file, with a slash somewhere and with or \
    without .plist at its end. Behind -- a name may begin with a dash.
    """,
    .init(
      "Files",
      """
      Domains lie in $XDG_CONFIG_HOME or ~/.config, those of one machine in ByHost within it; layers \
      also looks in $XDG_CONFIG_DIRS or /etc/xdg, /usr/local/etc and /etc/xdg/managed.
      """),
    """
    All changes are on the disk when the program ends. A file that cannot be read is never written \
    over.
    """,
    .init(
      "Exit status",
      """
      The exit status is 0, or 1 where anything failed. layers and watch end with 2 when called \
      wrongly.
      """),
  ]
}
