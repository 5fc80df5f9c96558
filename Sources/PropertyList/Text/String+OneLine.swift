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
