internal import CommandLineInterface

/// The words after the name of a command, which the command takes one by one.
struct CommandArguments {
  private let command: EditCommand
  private var words: ArraySlice<CommandWord>

  init(_ words: ArraySlice<CommandWord>, of command: EditCommand) {
    self.command = command
    self.words = words
  }

  /// Takes the next word; nil if there is none.
  mutating func next() -> CommandWord? { words.popFirst() }

  /// Takes the next word.
  ///
  /// - Parameter requirement: The beginning of the notice if there is none: `Entry Required`.
  mutating func next(_ requirement: String) throws(PrintedFailure) -> CommandWord {
    guard let word = next() else {
      throw .syntax(
        "\(requirement) for \(command.name) Command", "usage: \(command.forms[0])")
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
