internal import CommandLineInterface
internal import PropertyList

/// What `defaults` understands.
extension DefaultsTool {
  enum Verb {
    static let read = "read"
    static let readType = "read-type"
    static let write = "write"
    static let rename = "rename"
    static let delete = "delete"
    static let deleteAll = "delete-all"
    static let `import` = "import"
    static let export = "export"
    static let domains = "domains"
    static let find = "find"
    static let layers = "layers"
    static let watch = "watch"
  }

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
    Verb.read, summary: "Print a value, a domain, or all of the user's domains",
    operands: .init("[domain [key]]", count: 0...2, completions: [domain, .nothing]),
    examples: [
      .init("defaults read org.example.Editor fontSize", "Print one value"),
      .init("defaults -currentHost read", "Print all that is set for this machine alone"),
    ])

  private static let readType = CommandLineTool.Verb(
    Verb.readType, summary: "Print the type of a value",
    operands: .init("domain key", count: 2...2, completions: [domain, .nothing]))

  private static let write = CommandLineTool.Verb(
    Verb.write,
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
    ])

  private static let rename = CommandLineTool.Verb(
    Verb.rename, summary: "Give a value another key",
    operands: .init("domain key new-key", count: 3...3, completions: [domain, .nothing]))

  private static let delete = CommandLineTool.Verb(
    Verb.delete, aliases: ["remove"], summary: "Remove a value, or all of a domain",
    operands: .init("domain [key]", count: 1...2, completions: [domain, .nothing]))

  private static let deleteAll = CommandLineTool.Verb(
    Verb.deleteAll,
    summary: "The same, from the user's preferences for this machine alone as well",
    operands: .init("domain [key]", count: 1...2, completions: [domain, .nothing]))

  private static let `import` = CommandLineTool.Verb(
    Verb.import, summary: "Set all that a property list of any format holds; - is standard input",
    operands: .init("domain file", count: 2...2, completions: [domain, .files]),
    examples: [
      .init(
        #"echo '{"fontSize": 12}' | defaults import org.example.Editor -"#,
        "Set values from JSON")
    ])

  private static let export = CommandLineTool.Verb(
    Verb.export,
    summary: "Write a domain to a file as a binary property list, or to standard output as XML "
      + "for -, unless a format is given: \(PlistFormat.commandLineNames.joined(separator: ", "))",
    operands: .init(
      "domain file [format]", count: 2...3,
      completions: [domain, .files, .words(PlistFormat.commandLineNames)]),
    examples: [
      .init("defaults export org.example.Editor - json", "Print a domain as JSON")
    ])

  private static let domains = CommandLineTool.Verb(
    Verb.domains, summary: "Print the names of the user's domains",
    operands: .init("", count: 0...0, completions: []))

  private static let find = CommandLineTool.Verb(
    Verb.find, summary: "Print the values that have a word in their domain, key or text",
    operands: .init("word", count: 1...1, completions: [.nothing]))

  private static let layers = CommandLineTool.Verb(
    Verb.layers, summary: "Print which file supplies a value, and which others it shadows",
    operands: .init("domain key", count: 2...2, completions: [domain, .nothing]), usageStatus: 2)

  private static let watch = CommandLineTool.Verb(
    Verb.watch,
    summary: "Print each change of a domain or of one value in it, until interrupted",
    details: [
      "A change is one line, printed as soon as it is seen, whoever made it: the key, the value "
        + "before, -> and the value after, with - where there is none."
    ],
    operands: .init("domain [key]", count: 1...2, completions: [domain, .nothing]), usageStatus: 2)

  /// What a shell offers for a domain.
  private static let domain = CommandLineTool.Completion.output(
    of: "defaults domains 2>/dev/null | sed 's/, /\\n/g'; echo NSGlobalDomain")

  // MARK: Notes

  /// The values of `write`.
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
