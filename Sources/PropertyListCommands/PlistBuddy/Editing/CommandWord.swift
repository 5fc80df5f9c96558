/// One word of a command. Words are separated by white space. Single and double quotes preserve
/// white space and each other. A backslash preserves the character after it, except that `\n` is a
/// line feed and `\t` a tab.
struct CommandWord: Equatable, Sendable {
  /// The word as typed, without its quotes.
  let spelling: String
  /// The white space before it.
  let space: String

  /// The word without escapes. `\:` stays as it is: only the keys of entries need it.
  var text: String { Self.unescape(spelling.unicodeScalars) { $0 == ":" ? "\\:" : String($0) } }

  /// The words of a command.
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

  /// A text without its escapes. A backslash at the end stands for itself.
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
