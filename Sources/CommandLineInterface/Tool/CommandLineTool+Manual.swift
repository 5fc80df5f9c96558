extension CommandLineTool {
  /// The manual page, for the macros of man(7).
  package var manual: String {
    var page = [
      ".TH \(name.uppercased()) 1 \"\" \"Larder \(version)\" \"User Commands\"",
      ".SH NAME", "\(Self.text(name)) \\- \(Self.text(summary))",
      ".SH SYNOPSIS",
    ]
    page += [Self.text(synopsis)]

    page += [".SH DESCRIPTION"]
    page += paragraphs(notes.filter { $0.title == nil }.map(\.text))

    if !namedVerbs.isEmpty {
      page += [".SH COMMANDS"]
      if let defaultVerb { page += ["The default is \(Self.bold(defaultVerb))."] }
    }
    // Arguments that several commands share are explained once.
    var explained: Set<Argument> = []
    for verb in namedVerbs {
      page += [".TP"]
      for (index, form) in briefSynopses(of: verb).enumerated() {
        page += (index == 0 ? [] : [".TQ"]) + [Self.bold(form)]
      }
      page += ["\(Self.text(verb.summary + Self.aliases(of: verb)))."]
      if !verb.options.isEmpty {
        let options = verb.options.map { Self.bold($0.name) }.joined(separator: ", ")
        page += [".IP", "Options: \(options)."]
      }
      let arguments = Self.explained(verb).filter { explained.insert($0).inserted }
      if !arguments.isEmpty { page += [".RS"] }
      for argument in arguments {
        page += [".TP", Self.italic(argument.name), "\(Self.text(argument.summary))."]
      }
      if !arguments.isEmpty { page += [".RE"] }
      for detail in verb.details { page += [".IP", Self.text(detail)] }
    }

    page += [".SH OPTIONS"]
    for option in allOptions {
      page += [".TP", Self.bold(Self.term(of: option)), "\(Self.text(option.summary))."]
    }
    for (term, meaning) in generalOptions {
      page += [".TP", Self.bold(term), "\(Self.text(meaning))."]
    }

    var titles: [String] = []
    for case let title? in notes.map(\.title) where !titles.contains(title) { titles.append(title) }
    for title in titles {
      page += [".SH \(Self.text(title.uppercased()))"]
      page += paragraphs(notes.filter { $0.title == title }.map(\.text))
    }

    for section in sections {
      page += [".SH \(Self.text(section.title.uppercased()))"] + paragraphs(section.paragraphs)
      for term in section.terms {
        page += [".TP", Self.bold(term.term), "\(Self.text(term.meaning))."]
        if let example = term.example { page += [".br", "Example: \(Self.bold(example))"] }
      }
    }

    let examples = verbs.flatMap(\.examples)
    if !examples.isEmpty { page += [".SH EXAMPLES"] }
    for example in examples {
      page += [".TP", Self.bold(example.command), "\(Self.text(example.meaning))."]
    }
    if !related.isEmpty {
      page += [".SH SEE ALSO", related.map { "\(Self.bold($0))(1)" }.joined(separator: ", ")]
    }
    return page.joined(separator: "\n") + "\n"
  }

  private func paragraphs(_ texts: [String]) -> [String] {
    texts.enumerated().flatMap { $0 == 0 ? [Self.text($1)] : [".PP", Self.text($1)] }
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// A text as a line that troff does not mistake for a request.
  private static func text(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("\\(aq") ? "\\&" + text : text
  }

  /// A text with the characters that are special to troff escaped.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "\"": escaped += "\\(dq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
