internal import CommandLineInterface
internal import PropertyList

/// A command of PlistBuddy. It takes the words after its name, and returns what to do with them.
typealias EditCommand = CommandLineTool.Command<
  @Sendable (inout CommandArguments) throws -> EditAction
>

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

  init(parsing line: String) throws {
    let words = try CommandWord.split(line)
    let command = try Self.command(words.first?.text ?? "")
    var arguments = CommandArguments(words.dropFirst(), of: command)
    self = try command.action(&arguments)
    try arguments.finish()
  }

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

/// The words after the name of a command, which the command takes one by one.
struct CommandArguments {
  private let command: EditCommand
  private var words: ArraySlice<CommandWord>

  init(_ words: ArraySlice<CommandWord>, of command: EditCommand) {
    (self.command, self.words) = (command, words)
  }

  /// Takes the next word; nil if there is none.
  mutating func next() -> CommandWord? { words.popFirst() }

  /// Takes the next word; the requirement begins the notice if there is none: `Entry Required`.
  mutating func next(_ requirement: String) throws(PrintedFailure) -> CommandWord {
    guard let word = next() else {
      throw .syntax("\(requirement) for \(command.name) Command", "usage: \(command.forms[0])")
    }
    return word
  }

  /// Takes an option, if it is the next word.
  mutating func take(option: String) -> Bool {
    guard words.first?.text.lowercased() == option else { return false }
    words.removeFirst()
    return true
  }

  /// Takes all words that are left, as one text; nil if there are none.
  mutating func rest() -> String? {
    guard !words.isEmpty else { return nil }
    defer { words = [] }
    return CommandWord.text(of: words)
  }

  /// Rejects words that are left.
  func finish() throws(PrintedFailure) {
    guard !words.isEmpty else { return }
    let quotes = command.operands.name.isEmpty ? "" : "; quote a word that contains spaces"
    throw .syntax(
      "Too Many Arguments for \(command.name) Command", "usage: \(command.forms[0])\(quotes)")
  }
}
