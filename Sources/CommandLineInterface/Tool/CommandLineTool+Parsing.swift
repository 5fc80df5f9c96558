internal import Glibc
internal import PropertyList

extension CommandLineTool {
  /// The meaning of a command line.
  package enum Request: Sendable {
    case invocation(Invocation)
    /// Print the help of the tool, or of one of its verbs: `help`, `-help`, `--help` or `-h`.
    case help(verb: String?)
    /// Print the version: `--version`.
    case version
    /// Print the script that completes command lines in a shell: `--completion`.
    case completion(Shell)
    /// Print the candidates for the last of these words, for such a script: `--candidates`.
    case candidates([String])
    /// Print the manual page: `--manual`.
    case manual
  }

  /// Parses a command line.
  ///
  /// In the mixed layout, the verb is the first word that names one, before any operand; its
  /// arguments follow immediately and are not interpreted, except for `--help`. Options may be
  /// anywhere before `--`; all words after that are operands, and so is `-` everywhere. A tool that
  /// does one thing also accepts one-letter options combined into one word. `help` asks for help
  /// only as the first word.
  ///
  /// In the verbatim layout, options precede the verb, and all words after it are its operands,
  /// except for the options of the operands. The tool must check their number with
  /// ``check(count:of:)``.
  ///
  /// - Parameter words: The command line without the program's own name.
  /// - Throws: The first violation of the table.
  package func parse(_ words: [String]) throws(UsageError) -> Request {
    if words.first == Self.candidatesOption { return .candidates(Array(words.dropFirst())) }
    return switch layout {
    case .mixed: try parseMixed(words)
    case .verbatim: try parseVerbatim(words)
    }
  }

  /// Checks the number of a verb's operands in the verbatim layout, where an operand may consist of
  /// several words that only the tool understands.
  package func check(count: Int, of verb: Verb) throws(UsageError) {
    guard !verb.operands.count.contains(count) else { return }
    let few = count < verb.operands.count.lowerBound
    throw UsageError("too \(few ? "few" : "many") arguments; usage: \(verb.forms.alternatives)")
  }

  private func parseVerbatim(_ words: [String]) throws(UsageError) -> Request {
    var given: [String: [String]] = [:]
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if !optionsEnded, word == "--" {
        optionsEnded = true
      } else if !optionsEnded, let request = try takeGeneral(word, from: &rest) {
        return request
      } else if !optionsEnded, let option = options.first(where: { $0.name == word }) {
        try take(option, into: &given, from: &rest)
      } else if !optionsEnded, word.hasPrefix("-") {
        throw unrecognized("option", word, among: options.map(\.name) + Self.generalWords)
      } else if word.lowercased() == Self.helpVerb {
        return .help(verb: try rest.first.map { word throws(UsageError) in try named(word).name })
      } else {
        let verb = try named(word)
        if !verb.isProgram, rest.count == 1, rest.first == "--help" || rest.first == "-help" {
          return .help(verb: verb.name)
        }
        var operands: [String] = []
        while let word = rest.popFirst() {
          let options = verb.operands.options(after: operands)
          if let option = options.first(where: { $0.name == word }) {
            try take(option, into: &given, from: &rest)
          } else {
            operands.append(word)
          }
        }
        return .invocation(
          Invocation(verb: verb, arguments: [], options: given, operands: operands))
      }
    }
    throw noCommand
  }

  private var noCommand: UsageError { UsageError("no command given") }

  private func named(_ word: String) throws(UsageError) -> Verb {
    let dashed = "-" + word
    if let verb = verb(word) ?? self.verb(dashed) { return verb }
    let names = verbs.flatMap { [$0.name] + $0.aliases } + [Self.helpVerb]
    let suggestions = [word, dashed].map { Suggestion.text(for: $0, among: names) }
    throw UsageError("unrecognized command: \(word)\(suggestions.first { !$0.isEmpty } ?? "")")
  }

  private func parseMixed(_ words: [String]) throws(UsageError) -> Request {
    var verb: Verb?
    var arguments: [String] = []
    var given: [String: [String]] = [:]
    var operands: [String] = []
    var earlier: [Invocation] = []
    var rest = words[...]
    var optionsEnded = false

    if rest.first == Self.helpVerb {
      let word = namedVerbs.isEmpty ? nil : rest.dropFirst().first
      return .help(verb: try word.map { word throws(UsageError) in try named(word).name })
    }
    while let word = rest.popFirst() {
      if optionsEnded {
        operands.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else if Self.helpWords.contains(word) {
        // The verb may follow: `-help -convert`.
        return .help(verb: verb?.name ?? rest.first.flatMap { self.verb($0)?.name })
      } else if let request = try takeGeneral(word, from: &rest) {
        return request
      } else if let named = self.verb(word), operands.isEmpty,
        verb == nil
          || named.combination != nil && named.combination?.group == verb?.combination?.group
      {
        if let verb {
          let own = given.filter { given in
            verb.combination?.options.contains { $0.name == given.key } == true
          }
          for option in own.keys { given[option] = nil }
          earlier.append(Invocation(verb: verb, arguments: arguments, options: own, operands: []))
        }
        verb = named
        if rest.prefix(named.arguments.count).contains("--help") { return .help(verb: named.name) }
        arguments = try take(named.arguments, of: word, from: &rest)
      } else if let option = allOptions.first(where: { $0.name == word }) {
        try take(option, into: &given, from: &rest)
      } else if let options = combinedOptions(in: word) {
        for option in options { try take(option, into: &given, from: &rest) }
      } else if word.hasPrefix("-"), word != "-" {
        throw misplaced(word, after: verb)
      } else {
        operands.append(word)
      }
    }

    if verb == nil, let word = operands.first, !optionsEnded, self.verb("-" + word) != nil,
      access(word, F_OK) != 0
    {
      throw UsageError("unrecognized command: \(word)\(Suggestion.text("-" + word))")
    }
    guard let verb = verb ?? defaultVerb.flatMap(self.verb) else {
      if let word = operands.first { _ = try named(word) }
      throw noCommand
    }
    let invocation = Invocation(
      verb: verb, arguments: arguments, options: given, operands: operands, earlier: earlier)
    try check(invocation)
    return .invocation(invocation)
  }

  /// The options of a word such as `-xc`, whose letters are one option each, in any order; nil for
  /// other words. Only tools without named verbs have such words, because verbs may begin with a
  /// dash.
  private func combinedOptions(in word: String) -> [Option]? {
    guard namedVerbs.isEmpty, word.hasPrefix("-"), word.count > 2 else { return nil }
    let options = word.dropFirst().compactMap { letter in
      allOptions.first { $0.name == "-\(letter)" }
    }
    return options.count == word.count - 1 ? options : nil
  }

  /// The error for a word with a dash that is neither an option nor a verb in its place.
  private func misplaced(_ word: String, after verb: Verb?) -> UsageError {
    guard self.verb(word) != nil else {
      return unrecognized(
        "option", word, among: namedVerbs.map(\.name) + allOptions.map(\.name) + Self.generalWords)
    }
    return UsageError(
      verb.map { "\(word) cannot be combined with \($0.name); use one command at a time" }
        ?? "\(word) must come before the \(operandName)s")
  }

  private func check(_ invocation: Invocation) throws(UsageError) {
    let verb = invocation.verb
    for option in invocation.options.keys.sorted()
    where !(options + verb.options).contains(where: { $0.name == option }) {
      throw UsageError("\(option) cannot be used with \(verb.name)")
    }
    let (name, count) = (verb.operands.name, verb.operands.count)
    if invocation.operands.count < count.lowerBound {
      throw UsageError(
        invocation.operands.isEmpty
          ? "No \(name)\(count.upperBound == 1 ? "" : "s") specified."
          : "\(verb.name) takes \(count.lowerBound) \(name)s, not \(invocation.operands.count)")
    }
    if invocation.operands.count > count.upperBound {
      let command = verb.name.isEmpty ? self.name : verb.name
      let names = "\(name)\(count.upperBound == 1 ? "" : "s")"
      throw UsageError(
        "unexpected argument \(invocation.operands[count.upperBound]); \(command) takes "
          + (count.upperBound == 0 ? "none" : "\(count.upperBound) \(names)"))
    }
  }

  static let helpVerb = "help"
  static let candidatesOption = "--candidates"
  private static let helpWords = ["-help", "--help", "-h"]
  private static let generalWords = ["-help", "--help", "--version", "--completion", "--manual"]

  /// Whether a word where a verb is expected asks for help.
  func isHelp(_ word: String) -> Bool {
    Self.helpWords.contains(word) || word.lowercased() == Self.helpVerb
  }

  /// Takes an option that every tool has, and its argument; nil for other words.
  private func takeGeneral(
    _ word: String, from rest: inout ArraySlice<String>
  ) throws(UsageError) -> Request? {
    switch word {
    case _ where Self.helpWords.contains(word): return .help(verb: nil)
    case "--version": return .version
    case "--manual": return .manual
    case "--completion":
      let names = Shell.allCases.map(\.rawValue)
      guard let name = rest.popFirst() else {
        throw UsageError("--completion needs a shell: \(names.alternatives)")
      }
      guard let shell = Shell(rawValue: name) else {
        throw UsageError(unknown: "shell", name, expected: names)
      }
      return .completion(shell)
    default: return nil
    }
  }

  private func unrecognized(
    _ kind: String, _ word: String, among candidates: [String]
  ) -> UsageError {
    UsageError("unrecognized \(kind): \(word)\(Suggestion.text(for: word, among: candidates))")
  }

  private func take(
    _ option: Option, into given: inout [String: [String]], from rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let arguments = try take(option.argument.map { [$0] } ?? [], of: option.name, from: &rest)
    guard given[option.name] == nil || option.repeats else {
      throw UsageError("\(option.name) was given twice")
    }
    given[option.name, default: []].append(arguments.first ?? "")
  }

  private func take(
    _ arguments: [Argument], of word: String, from rest: inout ArraySlice<String>
  ) throws(UsageError) -> [String] {
    guard rest.count >= arguments.count else {
      throw UsageError("\(word) needs \(arguments[rest.count].description)")
    }
    defer { rest = rest.dropFirst(arguments.count) }
    return Array(rest.prefix(arguments.count))
  }
}

/// A parsed command line that runs one of a tool's verbs.
package struct Invocation: Sendable {
  package var verb: CommandLineTool.Verb
  /// The arguments of the verb, as many as the table lists.
  package var arguments: [String]
  /// The arguments of each option that is given, in order, by its name; an empty text for an option
  /// that takes no argument.
  package var options: [String: [String]]
  package var operands: [String]
  /// The verbs before this one with their own options, if several are combined.
  package var earlier: [Invocation] = []

  package func has(_ option: CommandLineTool.Option) -> Bool { options[option.name] != nil }

  package func argument(of option: CommandLineTool.Option) -> String? {
    options[option.name]?.first
  }

  package func arguments(of option: CommandLineTool.Option) -> [String] {
    options[option.name] ?? []
  }
}
