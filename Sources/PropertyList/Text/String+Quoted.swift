extension String {
  /// The text in double quotes, with quotes, backslashes and line breaks escaped as in C and Swift.
  ///
  /// - Parameter isPlain: Whether a character needs no escape. Others become `\u{…}`.
  package func quoted(where isPlain: (Unicode.Scalar) -> Bool) -> String {
    var quoted = "\""
    for scalar in unicodeScalars {
      if let escape = scalar.simpleEscape {
        quoted += escape
      } else if isPlain(scalar) {
        quoted.unicodeScalars.append(scalar)
      } else {
        quoted += scalar.codePointEscape
      }
    }
    return quoted + "\""
  }
}

extension Unicode.Scalar {
  /// The escape sequence of a quote, backslash, tab or line break in C and Swift; nil for other
  /// characters.
  package var simpleEscape: String? {
    switch self {
    case "\"": #"\""#
    case "\\": #"\\"#
    case "\n": #"\n"#
    case "\r": #"\r"#
    case "\t": #"\t"#
    default: nil
    }
  }

  /// The escape sequence of any character in Swift: `\u{1b}`.
  package var codePointEscape: String { "\\u{\(String(value, radix: 16))}" }

  /// Whether the character is a control character, which a terminal might interpret. Unicode adds
  /// none to these.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension String {
  /// The text with the characters that would break out of a line of output, control characters and
  /// the line and paragraph separators, escaped as `\u{…}`.
  package var onOneLine: String { Self.onOneLine(unicodeScalars, limit: .max) }

  /// The first 200 characters on one line, for a name from a document in an error's text.
  var excerpt: String { Self.onOneLine(unicodeScalars, limit: 200) }

  /// Escapes characters as ``onOneLine`` does, up to a limit past which none is examined.
  static func onOneLine(_ scalars: some Sequence<Unicode.Scalar>, limit: Int) -> String {
    var line = ""
    for (count, scalar) in scalars.enumerated() {
      if count == limit { return line + "…" }
      if scalar.breaksLine {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLine: Bool {
    isControl || self == "\u{2028}" || self == "\u{2029}"
  }
}
