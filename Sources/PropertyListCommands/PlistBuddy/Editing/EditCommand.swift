internal import CommandLineInterface

/// One of the commands of PlistBuddy: what it is called, what it takes, and what it does.
struct EditCommand: Sendable {
  /// The word that selects it, in letters of any case.
  let name: String
  /// What follows the name: `entry [value]`.
  let arguments: String
  /// How many words may follow the name.
  let count: ClosedRange<Int>
  /// What it does, in a sentence without a full stop.
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

  /// The name and what follows it.
  var synopsis: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

  /// The synopsis and the summary.
  var help: String { "\(synopsis): \(summary)." }

  /// What a command does with its words.
  typealias Body =
    @Sendable (inout PlistEditor, ArraySlice<CommandWord>) throws(EditFailure) -> Void

  /// The ways in which a command is carried out.
  enum Action: Sendable {
    /// By looking at what is edited.
    case look(Body)
    /// By changing it.
    case change(Body)
    /// By what surrounds the editing.
    case request(PlistEditor.Request)
  }

  /// Whether the command may change what is edited.
  var changes: Bool {
    if case .change = action { true } else { false }
  }

  /// The command of a name.
  static func named(_ name: String) throws(EditFailure) -> EditCommand {
    let lowercase = name.lowercased()
    if let command = all.first(where: { $0.name.lowercased() == lowercase }) { return command }
    throw EditFailure("Unrecognized Command" + Suggestion.text(for: name, among: all.map(\.name)))
  }
}
