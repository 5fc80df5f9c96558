/// Text of a server, made fit for one line of an error.
enum PrintableText {
  /// Returns the text without control characters, and not longer than 200 characters.
  static func make(_ text: String) -> String {
    let line = String(
      text.unicodeScalars.lazy.prefix(201).map { scalar -> Character in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
          .unassigned:
          " "
        default: Character(scalar)
        }
      })
    return line.count > 200 ? line.prefix(200) + "..." : line
  }
}
