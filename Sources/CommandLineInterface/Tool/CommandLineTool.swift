/// The table that says what a command-line tool understands. Parsing, errors, help, the manual page and
/// the completion of shells are made from it.
package struct CommandLineTool: Sendable {
  /// The name of the program.
  package var name: String
  /// What the program does, in a few words.
  package var summary: String
  /// The version that `--version` prints.
  package var version: String
  /// How its command lines are laid out.
  package var layout: Layout
  /// The options that go with every verb; in the verbatim layout they stand before it.
  package var options: [Option]
  /// What can be done; an invocation does one of them. A tool that does one thing has one verb, whose
  /// name is empty.
  package var verbs: [Verb]
  /// The name of the verb that is meant where none is given; nil where one must be.
  package var defaultVerb: String?
  /// What else there is to know.
  package var notes: [Note]
  /// The tools whose manual pages go with this one's.
  package var related: [String]

  /// A tool of these parts.
  package init(
    name: String, summary: String, version: String = Release.version, layout: Layout = .mixed,
    options: [Option] = [], verbs: [Verb], defaultVerb: String? = nil, notes: [Note] = [],
    related: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.layout = layout
    self.options = options
    self.verbs = verbs
    self.defaultVerb = defaultVerb
    self.notes = notes
    self.related = related
  }

  /// What an operand is called where no verb is in sight.
  var operandName: String { verbs.first?.operands.name ?? "operand" }

  /// The verb that a word selects.
  func verb(_ name: String) -> Verb? {
    let name = layout == .verbatim ? name.lowercased() : name
    return verbs.first { $0.name == name || $0.aliases.contains(name) }
  }

  /// The verbs with names, which can be asked for.
  var namedVerbs: [Verb] { verbs.filter { !$0.name.isEmpty } }

  /// The options of all verbs, each once.
  var allOptions: [Option] {
    var all = options
    for option in verbs.flatMap(\.options) where !all.contains(option) { all.append(option) }
    return all
  }

  /// The orders in which the parts of a command line may stand.
  package enum Layout: Sendable {
    /// A verb and its arguments, with options and operands in any order behind it:
    /// `plutil -convert xml1 file -o path`.
    case mixed
    /// Options, a verb in letters of any case, and its operands, which are taken as they are, with
    /// dashes or without: `defaults -currentHost write domain key -5`.
    case verbatim
  }

  /// One of the things that a tool does.
  package struct Verb: Sendable {
    /// The word that selects it, with its dash where it has one: `-convert`.
    package var name: String
    /// Other words that select it.
    package var aliases: [String]
    /// The arguments that follow it at once, whatever they look like.
    package var arguments: [Argument]
    /// What it does, in a sentence without a full stop.
    package var summary: String
    /// Paragraphs that say the rest, in the help of this verb and in the manual page.
    package var details: [String]
    /// The options that it takes.
    package var options: [Option]
    /// The operands that it takes.
    package var operands: Operands
    /// Command lines that show it at work.
    package var examples: [Example]
    /// The exit status for a command line with this verb that the table does not allow.
    package var usageStatus: Int32

    /// A verb of these parts.
    package init(
      _ name: String, aliases: [String] = [], arguments: [Argument] = [], summary: String,
      details: [String] = [], options: [Option] = [], operands: Operands,
      examples: [Example] = [], usageStatus: Int32 = 1
    ) {
      self.name = name
      self.aliases = aliases
      self.arguments = arguments
      self.summary = summary
      self.details = details
      self.options = options
      self.operands = operands
      self.examples = examples
      self.usageStatus = usageStatus
    }
  }

  /// A word that a verb or an option needs behind it.
  package struct Argument: Sendable, Hashable, ExpressibleByStringLiteral {
    /// What the help calls it.
    package var name: String
    /// What a shell offers in its place.
    package var completion: Completion

    /// An argument of these parts.
    package init(_ name: String, completion: Completion = .nothing) {
      self.name = name
      self.completion = completion
    }

    /// An argument of which a shell knows nothing.
    package init(stringLiteral name: String) {
      self.init(name)
    }
  }

  /// What a shell offers in the place of a word.
  package enum Completion: Sendable, Hashable {
    /// Nothing: the word is the user's own.
    case nothing
    /// The names of files.
    case files
    /// These words.
    case words([String])
    /// The lines that a command of the shell prints.
    case output(of: String)
  }

  /// Something that changes how a verb is done.
  package struct Option: Sendable, Hashable {
    /// The word, with its dash: `-o`.
    package var name: String
    /// Its argument; nil where it takes none.
    package var argument: Argument?
    /// What it does, in a sentence without a full stop.
    package var summary: String
    /// Whether it may be given more than once.
    package var repeats: Bool

    /// An option of these parts.
    package init(
      _ name: String, argument: Argument? = nil, summary: String, repeats: Bool = false
    ) {
      self.name = name
      self.argument = argument
      self.summary = summary
      self.repeats = repeats
    }
  }

  /// What a verb is done to.
  package struct Operands: Sendable, Hashable {
    /// What an operand is: `file`; in the verbatim layout what all of them are: `domain [key]`.
    package var name: String
    /// How many there may be.
    package var count: ClosedRange<Int>
    /// What a shell offers for the first operand and those behind it; the last of these goes for all
    /// that follow.
    package var completions: [Completion]

    /// As many operands as the range allows.
    package init(_ name: String, count: ClosedRange<Int>, completions: [Completion] = [.files]) {
      self.name = name
      self.count = count
      self.completions = completions
    }
  }

  /// A command line and what it does.
  package struct Example: Sendable, Hashable {
    /// The command line, as typed into a shell.
    package var command: String
    /// What it does, in a sentence without a full stop.
    package var meaning: String

    /// An example of these parts.
    package init(_ command: String, _ meaning: String) {
      self.command = command
      self.meaning = meaning
    }
  }

  /// A paragraph about a tool.
  package struct Note: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The heading that the manual page has above it; nil where it belongs to the description.
    package var title: String?
    /// The paragraph.
    package var text: String

    /// A paragraph under a heading.
    package init(_ title: String?, _ text: String) {
      self.title = title
      self.text = text
    }

    /// A paragraph of the description.
    package init(stringLiteral text: String) {
      self.init(nil, text)
    }
  }
}
