internal import CommandLineInterface
internal import PropertyList

/// A command of PlistBuddy. It takes the words after its name, and returns its action.
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

/// The words after the name of a command. The command takes them one by one.
struct CommandArguments {
  private let command: EditCommand
  private var words: ArraySlice<CommandWord>

  init(_ words: ArraySlice<CommandWord>, of command: EditCommand) {
    (self.command, self.words) = (command, words)
  }

  mutating func next() -> CommandWord? { words.popFirst() }

  /// Takes the next word; the requirement begins the notice if there is none: `Entry Required`.
  mutating func next(_ requirement: String) throws(PrintedFailure) -> CommandWord {
    guard let word = next() else {
      throw .syntax("\(requirement) for \(command.name) Command", "usage: \(command.forms[0])")
    }
    return word
  }

  mutating func take(option: String) -> Bool {
    guard words.first?.text.lowercased() == option else { return false }
    words.removeFirst()
    return true
  }

  /// Takes all remaining words as one text; nil if there are none.
  mutating func rest() -> String? {
    guard !words.isEmpty else { return nil }
    defer { words = [] }
    return CommandWord.text(of: words)
  }

  /// Rejects remaining words.
  func finish() throws(PrintedFailure) {
    guard !words.isEmpty else { return }
    let quotes = command.operands.name.isEmpty ? "" : "; quote a word that contains spaces"
    throw .syntax(
      "Too Many Arguments for \(command.name) Command", "usage: \(command.forms[0])\(quotes)")
  }
}

/// One word of a command. Words are separated by white space. Single and double quotes preserve
/// white space and each other. A backslash preserves the character after it, except that `\n` is a
/// line feed and `\t` a tab.
struct CommandWord: Equatable, Sendable {
  /// The word as typed, without its quotes.
  let spelling: String
  /// The white space before it.
  let space: String

  /// The word without escapes. `\:` stays, because only the keys of entries need it.
  var text: String { Self.unescape(spelling.unicodeScalars) { $0 == ":" ? "\\:" : String($0) } }

  static func split(_ line: String) throws(PrintedFailure) -> [CommandWord] {
    var words: [CommandWord] = []
    var space = ""
    var word: String?
    var quote: Unicode.Scalar?
    var scalars = line.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == "\\" {
        word = word ?? ""
        word?.unicodeScalars.append(scalar)
        if let next = scalars.next() { word?.unicodeScalars.append(next) }
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "\"" || scalar == "'" {
        quote = scalar
        word = word ?? ""
      } else if quote == nil, isSpace(scalar) {
        if let spelling = word {
          words.append(CommandWord(spelling: spelling, space: space))
          (word, space) = (nil, "")
        }
        space.unicodeScalars.append(scalar)
      } else {
        word = word ?? ""
        word?.unicodeScalars.append(scalar)
      }
    }
    if let quote {
      throw .syntax(
        "Parse Error: Unclosed Quotes",
        "a \(quote == "'" ? "single" : "double") quote is never closed; "
          + "type \\\(quote) for the character itself")
    }
    if let spelling = word { words.append(CommandWord(spelling: spelling, space: space)) }
    return words
  }

  /// Words joined to one text, with the white space between them.
  static func text(of words: ArraySlice<CommandWord>) -> String {
    guard let first = words.first else { return "" }
    return words.dropFirst().reduce(first.text) { $0 + $1.space + $1.text }
  }

  /// The key, or the index, that a part of an entry names.
  static func key(_ spelling: some Sequence<Unicode.Scalar>) -> String {
    unescape(spelling) { String($0) }
  }

  /// A text without its escapes. A backslash at the end represents itself.
  ///
  /// - Parameter meaning: The meaning of an escaped character other than `n` and `t`.
  private static func unescape(
    _ spelling: some Sequence<Unicode.Scalar>, meaning: (Unicode.Scalar) -> String
  ) -> String {
    var text = ""
    var isEscaped = false
    for scalar in spelling {
      if isEscaped {
        switch scalar {
        case "n": text += "\n"
        case "t": text += "\t"
        default: text += meaning(scalar)
        }
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return isEscaped ? text + "\\" : text
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\n", "\r": true
    default: false
    }
  }
}
