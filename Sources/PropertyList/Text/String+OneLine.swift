extension String {
  /// The text without what would break out of a line of output: control characters, and the line and
  /// paragraph separators, stand as `\u{…}`.
  package var onOneLine: String { Self.onOneLine(unicodeScalars, limit: .max) }

  /// The beginning of a name from a document, for an error's text.
  var excerpt: String { Self.onOneLine(unicodeScalars, limit: 200) }

  /// The same for any characters, of which those past the limit are not even looked at.
  static func onOneLine(_ scalars: some Sequence<Unicode.Scalar>, limit: Int) -> String {
    var line = ""
    for (count, scalar) in scalars.enumerated() {
      if count == limit { return line + "…" }
      if scalar.properties.generalCategory == .control || scalar == "\u{2028}"
        || scalar == "\u{2029}"
      {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
