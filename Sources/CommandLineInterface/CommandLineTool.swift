/// The table that says what a command-line tool understands. Parsing, help and errors are made from it.
public struct CommandLineTool: Sendable {
  /// The name of the program.
  public var name: String
  /// What the program does, in a few words.
  public var summary: String
  /// The version that `--version` prints.
  public var version: String
  /// What can be done; an invocation does one of them.
  public var verbs: [Verb]
  /// The name of the verb that is meant where none is given; nil where one must be.
  public var defaultVerb: String?
  /// Paragraphs that end the help.
  public var notes: [String]

  /// A tool of these parts.
  public init(
    name: String, summary: String, version: String, verbs: [Verb], defaultVerb: String? = nil,
    notes: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.version = version
    self.verbs = verbs
    self.defaultVerb = defaultVerb
    self.notes = notes
  }

  /// One of the things that a tool does.
  public struct Verb: Sendable {
    /// The word that selects it, with its dash where it has one: `-convert`.
    public var name: String
    /// The names of the arguments that follow it at once, whatever they look like.
    public var arguments: [String]
    /// What it does, in a sentence without a full stop.
    public var summary: String
    /// The options that it takes.
    public var options: [Option]
    /// The operands that it takes.
    public var operands: Operands

    /// A verb of these parts.
    public init(
      _ name: String, arguments: [String] = [], summary: String, options: [Option] = [],
      operands: Operands
    ) {
      self.name = name
      self.arguments = arguments
      self.summary = summary
      self.options = options
      self.operands = operands
    }
  }

  /// Something that changes how a verb is done.
  public struct Option: Sendable, Hashable {
    /// The word, with its dash: `-o`.
    public var name: String
    /// The name of its argument; nil where it takes none.
    public var argument: String?
    /// What it does, in a sentence without a full stop.
    public var summary: String

    /// An option of these parts.
    public init(_ name: String, argument: String? = nil, summary: String) {
      self.name = name
      self.argument = argument
      self.summary = summary
    }
  }

  /// What a verb is done to.
  public struct Operands: Sendable, Hashable {
    /// What an operand is: `file`.
    public var name: String
    /// How many there may be.
    public var count: ClosedRange<Int>

    /// As many operands as the range allows.
    public init(_ name: String, count: ClosedRange<Int>) {
      self.name = name
      self.count = count
    }
  }
}

/// What a user asked a tool to do.
public struct Invocation: Sendable, Hashable {
  /// The name of the verb.
  public var verb: String
  /// The arguments of the verb, as many as its table names.
  public var arguments: [String]
  /// The options that are given, by name; the value is empty for one without an argument.
  public var options: [String: String]
  /// The operands, in order.
  public var operands: [String]
}

/// A command line that the tool's table does not allow.
public struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in one line.
  public var description: String

  /// The error of this text.
  public init(_ description: String) {
    self.description = description
  }
}
