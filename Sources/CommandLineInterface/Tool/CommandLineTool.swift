/// The table of a command-line tool: its verbs and options. Parsing, errors, help, the manual page
/// and shell completion are derived from it.
package struct CommandLineTool: Sendable {
  package var name: String
  /// What the program does, in a few words.
  package var summary: String
  /// The version that `--version` prints.
  package var version: String
  /// The order of the parts of a command line.
  package var layout: Layout
  /// The options of every verb; in the verbatim layout they precede the verb.
  package var options: [Option]
  /// The verbs; a command line runs one of them. A tool that does one thing has one verb, with an
  /// empty name.
  package var verbs: [Verb]
  /// The name of the verb of a command line without one; nil if the verb is required.
  package var defaultVerb: String?
  /// Further paragraphs for the help and the manual page.
  package var notes: [Note]
  /// Further parts of the help and the manual page, under headings.
  package var sections: [Section]
  /// The tools that the manual page refers to.
  package var related: [String]

  package init(
    name: String, summary: String, version: String = Release.version, layout: Layout = .mixed,
    options: [Option] = [], verbs: [Verb], defaultVerb: String? = nil, notes: [Note] = [],
    sections: [Section] = [], related: [String] = []
  ) {
    (self.name, self.summary, self.version, self.layout) = (name, summary, version, layout)
    (self.options, self.verbs, self.defaultVerb, self.notes) = (options, verbs, defaultVerb, notes)
    (self.sections, self.related) = (sections, related)
  }

  /// The name of an operand in messages that are about no particular verb.
  var operandName: String { verbs.lazy.map(\.operands.name).first { !$0.isEmpty } ?? "operand" }

  /// The verb of a name or alias.
  func verb(_ name: String) -> Verb? {
    guard layout == .verbatim else {
      return verbs.first { $0.name == name || $0.aliases.contains(name) }
    }
    return verbs.first { $0.hasName(name) }
  }

  /// The verbs that a command line can name.
  var namedVerbs: [Verb] { verbs.filter { !$0.name.isEmpty } }

  /// The options of all verbs, each once.
  var allOptions: [Option] {
    var all = options
    for option in verbs.flatMap(\.options) where !all.contains(option) { all.append(option) }
    return all
  }

  /// An order of the parts of a command line.
  package enum Layout: Sendable {
    /// A verb and its arguments, followed by options and operands in any order:
    /// `plutil -convert xml1 file -o path`.
    case mixed
    /// Options, a case-insensitive verb, and its operands, which are taken as they are even if they
    /// begin with a dash: `defaults -currentHost write domain key -5`.
    case verbatim
  }

  /// The code that runs a verb. It reports in the session what goes wrong, or throws a
  /// ``UsageError`` or a ``CommandFailure``.
  package typealias Action = @Sendable (Invocation, Session) throws -> Void

  /// One of the things that a tool does.
  package typealias Verb = Command<Action>

  /// A row of a table of commands.
  package struct Command<Body: Sendable>: Sendable {
    /// The word that selects the verb, with its dash if it has one: `-convert`.
    package var name: String
    /// Other words that select the verb.
    package var aliases: [String]
    /// The arguments that follow the verb immediately, whatever they look like.
    package var arguments: [Argument]
    /// What the verb does, in a sentence without a full stop.
    package var summary: String
    /// Further paragraphs, for the help of this verb and the manual page.
    package var details: [String]
    /// The options that the verb takes.
    package var options: [Option]
    /// The options of the tool that the verb does not take.
    package var excludedOptions: [Option]
    /// The operands that the verb takes.
    package var operands: Operands
    /// Example command lines.
    package var examples: [Example]
    /// The verbs of one group that may follow one another on a command line, and run together, and
    /// the options that belong to one of them; nil for a verb that stands alone.
    package var combination: (group: String, options: [Option])?
    /// Whether all words after the verb, also those that ask for help, are those of another program.
    package var isProgram: Bool
    /// The exit status for a malformed command line with this verb.
    package var usageStatus: Int32
    /// The code that runs the command.
    package var action: Body

    package init(
      _ name: String, aliases: [String] = [], arguments: [Argument] = [], summary: String,
      details: [String] = [], options: [Option] = [], excludedOptions: [Option] = [],
      combination: (group: String, options: [Option])? = nil, operands: Operands,
      examples: [Example] = [], isProgram: Bool = false, usageStatus: Int32 = 1, action: Body
    ) {
      (self.name, self.aliases, self.arguments, self.summary) = (name, aliases, arguments, summary)
      (self.details, self.options, self.excludedOptions) = (details, options, excludedOptions)
      (self.operands, self.examples, self.combination) = (operands, examples, combination)
      (self.isProgram, self.usageStatus, self.action) = (isProgram, usageStatus, action)
    }

    /// Compares a word, ignoring case, with the name and the aliases.
    package func hasName(_ word: String) -> Bool {
      let word = word.lowercased()
      return name.lowercased() == word || aliases.contains(word)
    }

    /// The name with each form of the operands.
    package var forms: [String] { operands.forms.map { $0.isEmpty ? name : "\(name) \($0)" } }
  }

  /// A word that must follow a verb or an option, or one of a verb's operands.
  package struct Argument: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name in the help.
    package var name: String
    /// What the argument means, in a sentence without a full stop.
    package var summary: String
    /// The words that a shell offers.
    package var completion: Completion

    package init(_ name: String, summary: String = "", completion: Completion = .nothing) {
      (self.name, self.summary, self.completion) = (name, summary, completion)
    }

    /// The argument with its article, and the accepted words if they are few: `a format: xml1 or
    /// binary1`.
    var description: String {
      let article = name.first.map { "aeiou".contains($0) } ?? false ? "an" : "a"
      guard case .words(let words) = completion else { return "\(article) \(name)" }
      return "\(article) \(name): \(words.alternatives)"
    }

    /// An argument that shells do not complete.
    package init(stringLiteral name: String) { self.init(name) }
  }

  /// The words that a shell offers to complete a command line.
  package enum Completion: Sendable, Hashable {
    /// No words.
    case nothing
    /// File names.
    case files
    /// These words.
    case words([String])
    /// These words with their meanings.
    case terms([Term])
  }

  /// The completions of an operand.
  ///
  /// - Parameters:
  ///   - before: The options and operands before it, which may be wrong in any way.
  ///   - current: The beginning of the operand.
  package typealias OperandCompletion =
    @Sendable (_ before: Invocation, _ current: String) -> [Completion]

  /// An option that changes how a verb runs.
  package struct Option: Sendable, Hashable {
    /// The word, with its dash: `-o`.
    package var name: String
    /// The argument; nil if the option takes none.
    package var argument: Argument?
    /// What the option does, in a sentence without a full stop.
    package var summary: String
    /// Whether the option may be given more than once.
    package var repeats: Bool

    package init(
      _ name: String, argument: Argument? = nil, summary: String, repeats: Bool = false
    ) {
      (self.name, self.argument, self.summary, self.repeats) = (name, argument, summary, repeats)
    }
  }

  /// The operands of a verb.
  package struct Operands: Sendable {
    /// The forms in which they may be given. In the mixed layout there is one, the name of one
    /// operand, such as `file`; in the verbatim layout each has the names of all: `domain [key]`.
    package var forms: [String]
    /// The allowed number of operands.
    package var count: ClosedRange<Int>
    /// What the names in the forms mean.
    package var arguments: [Argument]
    /// The words that a shell offers.
    package var completion: OperandCompletion

    /// The first form.
    package var name: String { forms[0] }

    /// Operands of this name, as many as the range allows, which are files.
    package init(_ name: String, count: ClosedRange<Int> = 0...(.max), arguments: [Argument] = []) {
      self.init([name], count: count, arguments: arguments) { _, _ in [.files] }
    }

    /// Operands of these forms, as many as the range allows.
    package init(
      _ forms: [String], count: ClosedRange<Int>, arguments: [Argument] = [],
      completion: @escaping OperandCompletion
    ) {
      (self.forms, self.count, self.arguments) = (forms, count, arguments)
      self.completion = completion
    }
  }

  /// An example command line.
  package struct Example: Sendable, Hashable {
    /// The command line, as typed into a shell.
    package var command: String
    /// What the command line does, in a sentence without a full stop; empty if that is plain.
    package var meaning: String

    package init(_ command: String, _ meaning: String = "") {
      (self.command, self.meaning) = (command, meaning)
    }
  }

  /// A paragraph about a tool.
  package struct Note: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The heading in the manual page; nil for a paragraph of the description.
    package var title: String?
    /// The text of the paragraph.
    package var text: String

    /// A paragraph under a heading.
    package init(_ title: String?, _ text: String) { (self.title, self.text) = (title, text) }

    /// A paragraph of the description.
    package init(stringLiteral text: String) { self.init(nil, text) }
  }

  /// A part of the help and the manual page: paragraphs, and a list of terms with their meanings.
  package struct Section: Sendable, Hashable {
    package var title: String
    /// The paragraphs before the terms.
    package var paragraphs: [String]
    package var terms: [Term]
    /// Whether the help has the section, and not only the manual page.
    package var isInHelp: Bool

    package init(
      _ title: String, _ paragraphs: [String] = [], terms: [Term] = [], isInHelp: Bool = true
    ) {
      (self.title, self.paragraphs, self.terms) = (title, paragraphs, terms)
      self.isInHelp = isInHelp
    }

    /// A section of the manual page alone. Each line of the text is a paragraph or, around ` | `, a term
    /// and its meaning.
    package init(ofManual title: String, _ text: String) {
      let lines = text.split(separator: "\n").map { $0.split(separator: " | ", maxSplits: 1) }
      self.init(
        title, lines.filter { $0.count == 1 }.map { String($0[0]) },
        terms: lines.filter { $0.count == 2 }.map { Term(String($0[0]), String($0[1])) },
        isInHelp: false)
    }
  }

  /// A term in a list, with its meaning.
  package struct Term: Sendable, Hashable {
    package var term: String
    /// The meaning, in a sentence without a full stop.
    package var meaning: String
    /// An example of the use of the term.
    package var example: String?

    package init(_ term: String, _ meaning: String, example: String? = nil) {
      (self.term, self.meaning, self.example) = (term, meaning, example)
    }
  }
}
