internal import CommandLineInterface

/// One word of a command.
///
/// Words are separated by white space. Single and double quotes preserve white space and each
/// other. A backslash escapes a quote, white space, a colon or another backslash, and is literal
/// before any other character.
struct CommandWord: Equatable {
  /// The word as typed, without its quotes.
  let spelling: String
  /// The white space before it.
  let space: String

  /// The word without escapes.
  var text: String { Self.unescape(spelling.unicodeScalars) }

  /// The words of a command.
  static func split(_ line: String) throws(CommandFailure) -> [CommandWord] {
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
    guard quote == nil else { throw CommandFailure("Parse Error: Unclosed Quotes") }
    if let spelling = word { words.append(CommandWord(spelling: spelling, space: space)) }
    return words
  }

  /// Words joined to one text, with the white space between them.
  static func text(of words: ArraySlice<CommandWord>) -> String {
    guard let first = words.first else { return "" }
    return words.dropFirst().reduce(first.text) { $0 + $1.space + $1.text }
  }

  /// A text without its escapes.
  static func unescape(_ spelling: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in spelling {
      if isEscaped {
        if !isSpecial(scalar) { text.append("\\") }
        text.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        text.append(scalar)
      }
    }
    if isEscaped { text.append("\\") }
    return String(text)
  }

  /// Whether a backslash escapes a character.
  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\\", "\"", "'", ":": true
    default: isSpace(scalar)
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\n", "\r": true
    default: false
    }
  }
}
