internal import CommandLineInterface

/// One of the commands of PlistBuddy.
struct EditCommand: Sendable {
  /// The case-insensitive word that selects the command.
  let name: String
  /// Other words that select it.
  let aliases: [String]
  /// The words after the name, as in the help: `entry [value]`.
  let arguments: String
  /// What the command does, in a sentence without a full stop.
  let summary: String
  /// A line with the command; nil if it has no arguments.
  let example: String?
  /// Takes the words after the name, and returns what to do with them.
  let parse: @Sendable (inout CommandArguments) throws -> Action

  init(
    _ name: String, aliases: [String] = [], _ arguments: String = "", _ summary: String,
    example: String? = nil, parse: @escaping @Sendable (inout CommandArguments) throws -> Action
  ) {
    self.name = name
    self.aliases = aliases
    self.arguments = arguments
    self.summary = summary
    self.example = example
    self.parse = parse
  }

  /// The name and the words after it.
  var synopsis: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

  /// The code that runs a command.
  typealias Body = @Sendable (inout PlistEditor) throws -> Void

  /// A command with its arguments.
  enum Action: Sendable {
    /// Reads the edited value.
    case look(Body)
    /// Changes the edited value.
    case change(Body)
    /// Leaves the command to the caller.
    case request(PlistEditor.Request)

    /// Whether the command may lead to a change of the file.
    var mayChangeFile: Bool {
      switch self {
      case .change, .request(.save): true
      case .look, .request: false
      }
    }
  }

  /// Parses a command.
  static func parse(_ line: String) throws -> Action {
    let words = try CommandWord.split(line)
    let command = try named(words.first?.text ?? "")
    var arguments = CommandArguments(words.dropFirst(), of: command)
    let action = try command.parse(&arguments)
    try arguments.finish()
    return action
  }

  /// The command of a name or alias.
  private static func named(_ name: String) throws(PrintedFailure) -> EditCommand {
    let lowercase = name.lowercased()
    let command = all.first { $0.name.lowercased() == lowercase || $0.aliases.contains(lowercase) }
    if let command { return command }
    let suggestion = Suggestion.text(for: name, among: all.map(\.name))
    throw .syntax(
      "Unrecognized Command",
      name.isEmpty
        ? "the command is empty"
        : "unrecognized command: \(name)\(suggestion.isEmpty ? "; try Help" : suggestion)"
    )
  }
}
