/// Texts from documents in messages, on one line and cut off.
extension String {
  /// The text with the characters that would break out of a line of output, control characters and
  /// the line and paragraph separators, escaped as `\u{…}`.
  package var onOneLine: String { Self.onOneLine(unicodeScalars, limit: .max) }

  /// The number of characters after which a text from a document is cut off in a message, with `…`.
  static var excerptLimit: Int { 200 }

  /// The beginning of the text on one line, for a text from a document in a message.
  package var excerpt: String { Self.onOneLine(unicodeScalars, limit: Self.excerptLimit) }

  /// Escapes characters as ``onOneLine`` does. Characters beyond the limit are not examined.
  static func onOneLine(_ scalars: some Sequence<Unicode.Scalar>, limit: Int) -> String {
    var line = ""
    for (count, scalar) in scalars.enumerated() {
      if count == limit { return line + "…" }
      if scalar.isControl || scalar == "\u{2028}" || scalar == "\u{2029}" {
        line += scalar.codePointEscape
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
