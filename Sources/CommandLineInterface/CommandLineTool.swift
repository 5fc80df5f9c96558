/// The table that says what a command-line tool understands. Parsing, help and errors are made from it.
package struct CommandLineTool: Sendable {
  /// The name of the program.
  package var name: String
  /// What the program does, in a few words.
  package var summary: String
  /// The version that `--version` prints.
  package var version: String
  /// How its command lines are laid out.
  package var layout: Layout
  /// The options that go with every verb and stand before it.
  package var options: [Option]
  /// What can be done; an invocation does one of them.
  package var verbs: [Verb]
  /// The name of the verb that is meant where none is given; nil where one must be.
  package var defaultVerb: String?
  /// Paragraphs that end the help.
  package var notes: [String]

  /// A tool of these parts.
  package init(
    name: String, summary: String, version: String, layout: Layout = .mixed,
    options: [Option] = [], verbs: [Verb], defaultVerb: String? = nil, notes: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.layout = layout
    self.options = options
    self.verbs = verbs
    self.defaultVerb = defaultVerb
    self.notes = notes
  }

  /// What an operand is called where no verb is in sight.
  var operandName: String { verbs.first?.operands.name ?? "operand" }

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
    /// The names of the arguments that follow it at once, whatever they look like.
    package var arguments: [String]
    /// What it does, in a sentence without a full stop.
    package var summary: String
    /// The options that it takes.
    package var options: [Option]
    /// The operands that it takes.
    package var operands: Operands

    /// A verb of these parts.
    package init(
      _ name: String, aliases: [String] = [], arguments: [String] = [], summary: String,
      options: [Option] = [], operands: Operands
    ) {
      self.name = name
      self.aliases = aliases
      self.arguments = arguments
      self.summary = summary
      self.options = options
      self.operands = operands
    }
  }

  /// Something that changes how a verb is done.
  package struct Option: Sendable, Hashable {
    /// The word, with its dash: `-o`.
    package var name: String
    /// The name of its argument; nil where it takes none.
    package var argument: String?
    /// What it does, in a sentence without a full stop.
    package var summary: String

    /// An option of these parts.
    package init(_ name: String, argument: String? = nil, summary: String) {
      self.name = name
      self.argument = argument
      self.summary = summary
    }
  }

  /// What a verb is done to.
  package struct Operands: Sendable, Hashable {
    /// What an operand is: `file`; in the verbatim layout what all of them are: `domain [key]`.
    package var name: String
    /// How many there may be.
    package var count: ClosedRange<Int>

    /// As many operands as the range allows.
    package init(_ name: String, count: ClosedRange<Int>) {
      self.name = name
      self.count = count
    }
  }
}
