// What the scripts of bash and zsh have in common; fish has a language of its own.
extension CompletionRules {
  /// The commands for a word that is recognized: they note what it is and what has to follow it.
  func commands(recognizing word: Word) -> String {
    var commands: [String] = []
    if word.isVerb { commands.append("verb=${verb:-$word}") }
    if word.isVerb, isVerbatim { commands.append("ended=yes") }
    commands.append("wanted=(\(word.arguments.map(Self.quoted).joined(separator: " ")))")
    return commands.joined(separator: " ")
  }

  /// A text as one word of the shell, whatever is in it.
  static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: #"'\''"#))'"
  }
}
