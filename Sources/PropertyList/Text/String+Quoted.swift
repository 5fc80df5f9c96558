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

  /// Whether the character is a control character, which a terminal might interpret. Unicode will
  /// not add more of them.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
