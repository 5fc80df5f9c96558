extension CommandLineTool {
  /// The help, made from the table, in lines of at most 80 columns.
  package var help: String {
    let usage =
      switch layout {
      case .mixed: "[command] [options] \(operandName)..."
      case .verbatim: "[options] command [argument]..."
      }
    var lines = ["\(name): \(summary)", "", "Usage: \(name) \(usage)"]

    let unlessGiven = defaultVerb.map { " (\($0) unless given)" } ?? ""
    lines += ["", "Commands\(unlessGiven):"]
    for verb in verbs {
      var words = [verb.name] + verb.arguments
      if layout == .verbatim, !verb.operands.name.isEmpty { words.append(verb.operands.name) }
      let aliases =
        verb.aliases.isEmpty ? "" : " (also: \(verb.aliases.joined(separator: ", ")))"
      lines += Self.entry(words.joined(separator: " "), verb.summary + aliases)
    }
    lines += Self.entry(
      layout == .verbatim ? "help, -help, --help" : "-help, --help", "Show this help")
    lines += Self.entry("--version", "Show the version")

    var options = self.options
    for option in verbs.flatMap(\.options) where !options.contains(option) {
      options.append(option)
    }
    if !options.isEmpty { lines += ["", "Options:"] }
    for option in options {
      let users = verbs.filter { $0.options.contains(option) }
      let scope =
        users.isEmpty || users.count == verbs.count
        ? "" : " (with \(users.map(\.name).joined(separator: ", ")))"
      let words = [option.name] + (option.argument.map { [$0] } ?? [])
      lines += Self.entry(words.joined(separator: " "), option.summary + scope)
    }
    if layout == .mixed {
      lines += Self.entry("--", "Take everything that follows as a \(operandName)")
    }

    for note in notes { lines += [""] + Self.wrapped(note, width: 80) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A term and what it means, side by side where the term is short.
  private static func entry(_ term: String, _ meaning: String) -> [String] {
    let column = 26
    let indent = String(repeating: " ", count: column)
    var lines = wrapped(meaning, width: 80 - column).map { indent + $0 }
    if term.count + 3 < column {
      let padding = String(repeating: " ", count: column - 2 - term.count)
      lines[0] = "  " + term + padding + lines[0].dropFirst(column)
    } else {
      lines.insert("  " + term, at: 0)
    }
    return lines
  }

  private static func wrapped(_ text: String, width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] += word
      } else if lines[lines.count - 1].count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
