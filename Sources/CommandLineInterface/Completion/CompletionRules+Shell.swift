// Shared by the scripts of bash and zsh; the language of fish differs.
extension CompletionRules {
  /// The commands for a word that the script recognizes: they store the verb, and the completions
  /// of the arguments that follow.
  func commands(recognizing word: Word) -> String {
    var commands: [String] = []
    if word.isVerb { commands.append("verb=${verb:-$word}") }
    if word.isVerb, isVerbatim { commands.append("ended=yes") }
    commands.append("wanted=(\(word.arguments.map(Self.quoted).joined(separator: " ")))")
    return commands.joined(separator: " ")
  }

  /// A text quoted as one word of the shell.
  static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: #"'\''"#))'"
  }
}
