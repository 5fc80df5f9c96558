/// Text from a server, made safe to print on one line of an error.
enum PrintableText {
  /// Returns the text without control characters, cut to 200 characters.
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
