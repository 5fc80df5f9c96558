internal import CommandLineInterface

/// One of the commands of PlistBuddy.
struct EditCommand: Sendable {
  /// The case-insensitive word that selects the command.
  let name: String
  /// The words after the name, as in the help: `entry [value]`.
  let arguments: String
  /// The allowed number of words after the name.
  let count: ClosedRange<Int>
  /// What the command does, in a sentence without a full stop.
  let summary: String
  let action: Action

  init(
    _ name: String, _ arguments: String = "", _ count: ClosedRange<Int> = 0...0, _ summary: String,
    _ action: Action
  ) {
    self.name = name
    self.arguments = arguments
    self.count = count
    self.summary = summary
    self.action = action
  }

  /// The name and the words after it.
  var synopsis: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

  /// The synopsis and the summary.
  var help: String { "\(synopsis): \(summary)." }

  /// The code that runs a command with the words after its name.
  typealias Body = @Sendable (inout PlistEditor, ArraySlice<CommandWord>) throws -> Void

  /// The way in which a command runs.
  enum Action: Sendable {
    /// Reads the edited value.
    case look(Body)
    /// Changes the edited value.
    case change(Body)
    /// Leaves the command to the caller.
    case request(PlistEditor.Request)
  }

  /// Whether the command may change the edited value.
  var isMutating: Bool {
    if case .change = action { true } else { false }
  }

  /// The command of a name.
  static func named(_ name: String) throws(CommandFailure) -> EditCommand {
    let lowercase = name.lowercased()
    if let command = all.first(where: { $0.name.lowercased() == lowercase }) { return command }
    throw CommandFailure(
      "Unrecognized Command" + Suggestion.text(for: name, among: all.map(\.name)))
  }
}
