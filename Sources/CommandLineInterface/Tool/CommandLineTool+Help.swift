extension CommandLineTool {
  /// The help, in lines of at most 80 columns.
  package var help: String {
    var lines = ["\(name): \(summary)", "", "Usage: \(synopsis)"]
    if !namedVerbs.isEmpty {
      let orDefault = defaultVerb.map { " (\($0) is the default)" } ?? ""
      lines += ["", "Commands\(orDefault):"]
      for verb in namedVerbs {
        let forms = briefSynopses(of: verb)
        lines += forms.dropLast().map { "  " + $0 }
        lines += Self.entry(forms[forms.count - 1], verb.summary + Self.aliases(of: verb))
      }
    }

    lines += ["", "Options:"]
    for option in allOptions {
      let users = namedVerbs.filter { $0.options.contains(option) }
      let scope =
        users.isEmpty || users.count == verbs.count
        ? "" : " (with \(users.map(\.name).joined(separator: ", ")))"
      lines += Self.entry(Self.term(of: option), option.summary + scope)
    }
    for (term, meaning) in generalOptions { lines += Self.entry(term, meaning) }

    for note in notes { lines += [""] + Self.wrapped(note.text, width: 80) }
    for section in sections where section.isInHelp { lines += [""] + Self.lines(of: section) }

    if !namedVerbs.isEmpty {
      lines += ["", "Run \"\(name) help command\" for more about a command."]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  package func help(of verb: Verb) -> String {
    var lines = Self.wrapped(
      "\(name) \(verb.name): \(verb.summary)\(Self.aliases(of: verb))", width: 80)
    lines.append("")
    for (index, synopsis) in synopses(of: verb).enumerated() {
      let margin = index == 0 ? "Usage:" : "      "
      lines += Self.wrapped(synopsis, width: 73).enumerated()
        .map { ($0 == 0 ? margin : "      ") + " " + $1 }
    }

    let arguments = Self.explained(verb)
    if !arguments.isEmpty { lines += ["", "Arguments:"] }
    for argument in arguments { lines += Self.entry(argument.name, argument.summary) }

    let options = options(of: verb)
    if !options.isEmpty { lines += ["", "Options:"] }
    for option in options { lines += Self.entry(Self.term(of: option), option.summary) }

    for detail in verb.details { lines += [""] + Self.wrapped(detail, width: 80) }

    if !verb.examples.isEmpty { lines += ["", "Examples:"] }
    for example in verb.examples {
      lines += ["  " + example.command]
      lines += Self.wrapped(example.meaning, width: 74).map { "      " + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func options(of verb: Verb) -> [Option] {
    options.filter { !verb.excludedOptions.contains($0) } + verb.options
  }

  var synopsis: String {
    switch layout {
    case .mixed where namedVerbs.isEmpty: synopses(of: verbs[0])[0]
    case .mixed: "\(name) [command] [options] \(operandName)..."
    case .verbatim: "\(name) [options] command [argument]..."
    }
  }

  func synopses(of verb: Verb) -> [String] {
    let options = options(of: verb).map { option in
      "[\(Self.term(of: option))]\(option.repeats ? "..." : "")"
    }
    var words = [name]
    if layout == .verbatim { words += options }
    if !verb.name.isEmpty { words.append(verb.name) }
    words += verb.arguments.map(\.name)
    if layout == .mixed { words += options }
    return verb.operands.forms.map { form in
      let operands = form.isEmpty ? [] : [Self.term(of: form, verb.operands.count, layout)]
      return (words + operands).joined(separator: " ")
    }
  }

  /// The forms of a verb with its arguments, and in the verbatim layout its operands.
  func briefSynopses(of verb: Verb) -> [String] {
    let words = [verb.name] + verb.arguments.map(\.name)
    return verb.operands.forms.map { form in
      (words + (layout == .mixed || form.isEmpty ? [] : [form])).joined(separator: " ")
    }
  }

  /// The arguments and operands of a verb whose meanings are known.
  static func explained(_ verb: Verb) -> [Argument] {
    (verb.arguments + verb.operands.arguments).filter { !$0.summary.isEmpty }
  }

  /// The options that every tool has, and their summaries.
  var generalOptions: [(term: String, meaning: String)] {
    var options: [(String, String)] = []
    let orVerb = namedVerbs.isEmpty ? "" : ", or the help for a command"
    switch layout {
    case .mixed:
      options.append(("--", "Treat all remaining arguments as \(operandName) names"))
      options.append(("help, -h, -help, --help", "Show this help\(orVerb)"))
    case .verbatim: options.append(("help, -help, --help", "Show this help\(orVerb)"))
    }
    options.append(("--version", "Show the version"))
    let shells = Shell.allCases.map(\.rawValue).alternatives
    options.append(("--completion shell", "Print the completion script for a shell: \(shells)"))
    options.append(("--manual", "Print the manual page, as input for \"man -l -\""))
    return options
  }

  static func term(of option: Option) -> String {
    ([option.name] + (option.argument.map { [$0.name] } ?? [])).joined(separator: " ")
  }

  private static func term(of form: String, _ count: ClosedRange<Int>, _ layout: Layout) -> String {
    guard layout == .mixed else { return form }
    if count == 0...1 { return "[\(form)]" }
    let needed = Array(repeating: form, count: count.lowerBound)
    let more = count.upperBound > count.lowerBound ? "..." : ""
    return needed.joined(separator: " ") + more
  }

  static func aliases(of verb: Verb) -> String {
    verb.aliases.isEmpty ? "" : " (also: \(verb.aliases.joined(separator: ", ")))"
  }

  package static func help(of sections: [Section]) -> String {
    sections.map { lines(of: $0).joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func lines(of section: Section) -> [String] {
    var lines = [section.title + ":"]
    for (number, paragraph) in section.paragraphs.enumerated() {
      if number > 0 { lines.append("") }
      lines += wrapped(paragraph, width: 78).map { "  " + $0 }
    }
    for term in section.terms {
      lines += entry(term.term, term.meaning)
      if let example = term.example { lines += entry("", "Example: \(example)") }
    }
    return lines
  }

  /// The lines of a term and its meaning, side by side if the term is short.
  private static func entry(_ term: String, _ meaning: String) -> [String] {
    let column = 26
    let margin = String(repeating: " ", count: column)
    var lines = wrapped(meaning, width: 80 - column).map { margin + $0 }
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
