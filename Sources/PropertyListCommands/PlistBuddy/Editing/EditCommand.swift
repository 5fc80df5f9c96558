internal import CommandLineInterface
internal import PropertyList

/// A command of PlistBuddy. It takes the words after its name, and returns what to do with them.
typealias EditCommand = CommandLineTool.Command<
  @Sendable (inout CommandArguments) throws -> EditAction
>

/// A command with its arguments.
enum EditAction: Sendable {
  /// The code that runs a command.
  typealias Body = @Sendable (inout PlistEditor) throws -> Void

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

  /// Parses a command.
  init(parsing line: String) throws {
    let words = try CommandWord.split(line)
    let command = try Self.command(words.first?.text ?? "")
    var arguments = CommandArguments(words.dropFirst(), of: command)
    self = try command.action(&arguments)
    try arguments.finish()
  }

  /// The command of a name or alias.
  private static func command(_ name: String) throws(PrintedFailure) -> EditCommand {
    let commands = PlistBuddyTool.commands
    if let command = commands.first(where: { $0.hasName(name) }) { return command }
    let suggestion = Suggestion.text(for: name, among: commands.map(\.name))
    throw .syntax(
      "Unrecognized Command",
      name.isEmpty
        ? "the command is empty"
        : "unrecognized command: \(name)\(suggestion.isEmpty ? "; try Help" : suggestion)"
    )
  }
}
