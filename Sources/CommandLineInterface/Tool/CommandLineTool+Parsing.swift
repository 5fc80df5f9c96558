extension CommandLineTool {
  /// What a command line asks for.
  package enum Request: Sendable, Hashable {
    /// To do one of the tool's verbs.
    case invocation(Invocation)
    /// To print the help of the tool, or of one of its verbs: `-help`, `--help` or `-h`.
    case help(verb: String?)
    /// To print the version: `--version`.
    case version
    /// To print the script that completes command lines in a shell: `--completion`.
    case completion(Shell)
    /// To print the manual page: `--manual`.
    case manual
  }

  /// Takes a command line apart.
  ///
  /// The verb is the first of its words that stands before an operand; its arguments follow it at
  /// once, whatever they look like, but for `--help` among them. Options stand anywhere before `--`, behind which everything is an operand, as `-` alone
  /// is everywhere.
  ///
  /// In the verbatim layout, options stand before the verb, and all that stands behind it is its own;
  /// ``check(count:of:)`` is left to the tool then.
  ///
  /// - Parameter words: The command line without the program's own name.
  /// - Throws: The first thing that the table does not allow.
  package func parse(_ words: [String]) throws(UsageError) -> Request {
    switch layout {
    case .mixed: try parseMixed(words)
    case .verbatim: try parseVerbatim(words)
    }
  }

  /// Checks the number of a verb's operands, which in the verbatim layout only the tool knows: some of
  /// them may be of several words.
  package func check(count: Int, of verb: String) throws(UsageError) {
    guard let verb = self.verb(verb), !verb.operands.count.contains(count) else { return }
    let few = count < verb.operands.count.lowerBound
    let synopsis = verb.operands.name.isEmpty ? "" : " " + verb.operands.name
    throw UsageError("too \(few ? "few" : "many") arguments; expected \(verb.name)\(synopsis)")
  }

  // MARK: Verbatim

  private func parseVerbatim(_ words: [String]) throws(UsageError) -> Request {
    var invocation = Invocation(verb: "", arguments: [], options: [:], operands: [])
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if !optionsEnded, word == "--" {
        optionsEnded = true
      } else if !optionsEnded, let request = try general(word, from: &rest) {
        return request
      } else if !optionsEnded, let option = options.first(where: { $0.name == word }) {
        try take(option, into: &invocation, from: &rest)
      } else if !optionsEnded, word.hasPrefix("-") {
        throw unrecognized("option", word, among: options.map(\.name) + Self.generalWords)
      } else if word.lowercased() == Self.helpVerb {
        return .help(verb: try rest.first.map { word throws(UsageError) in try named(word).name })
      } else {
        let verb = try named(word)
        if rest.count == 1, rest.first == "--help" || rest.first == "-help" {
          return .help(verb: verb.name)
        }
        invocation.verb = verb.name
        invocation.operands = Array(rest)
        return .invocation(invocation)
      }
    }
    throw UsageError("no command is given")
  }

  private func named(_ word: String) throws(UsageError) -> Verb {
    guard let verb = verb(word) else {
      throw unrecognized(
        "command", word, among: verbs.flatMap { [$0.name] + $0.aliases } + [Self.helpVerb])
    }
    return verb
  }

  // MARK: Mixed

  private func parseMixed(_ words: [String]) throws(UsageError) -> Request {
    var verb: Verb?
    var invocation = Invocation(verb: "", arguments: [], options: [:], operands: [])
    var rest = words[...]
    var optionsEnded = false

    while let word = rest.popFirst() {
      if optionsEnded {
        invocation.operands.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else if Self.helpWords.contains(word) {
        // The verb may follow: `-help -convert`.
        return .help(verb: verb?.name ?? rest.first.flatMap { self.verb($0)?.name })
      } else if let request = try general(word, from: &rest) {
        return request
      } else if let named = self.verb(word), verb == nil, invocation.operands.isEmpty {
        verb = named
        if rest.prefix(named.arguments.count).contains("--help") { return .help(verb: named.name) }
        invocation.arguments = try take(named.arguments, of: word, from: &rest)
      } else if let option = allOptions.first(where: { $0.name == word }) {
        try take(option, into: &invocation, from: &rest)
      } else if word.hasPrefix("-"), word != "-" {
        if let verb, self.verb(word) != nil {
          throw UsageError("\(word) cannot follow \(verb.name); expected one command")
        }
        if self.verb(word) != nil {
          throw UsageError("\(word) must stand before the \(operandName)s")
        }
        throw unrecognized(
          "option", word,
          among: namedVerbs.map(\.name) + allOptions.map(\.name) + Self.generalWords)
      } else {
        invocation.operands.append(word)
      }
    }

    guard let verb = verb ?? defaultVerb.flatMap(self.verb) else {
      throw UsageError("no command is given")
    }
    invocation.verb = verb.name
    try check(invocation, for: verb)
    return .invocation(invocation)
  }

  private func check(_ invocation: Invocation, for verb: Verb) throws(UsageError) {
    for option in invocation.options.keys.sorted()
    where !(options + verb.options).contains(where: { $0.name == option }) {
      throw UsageError("\(option) does not go with \(verb.name)")
    }
    let (name, count) = (verb.operands.name, verb.operands.count)
    if invocation.operands.count < count.lowerBound {
      throw UsageError(
        invocation.operands.isEmpty
          ? "no \(name)s specified"
          : "\(verb.name) takes \(count.lowerBound) \(name)s, not \(invocation.operands.count)")
    }
    if invocation.operands.count > count.upperBound {
      throw UsageError(
        "unexpected \(invocation.operands[count.upperBound]); \(verb.name.isEmpty ? self.name : verb.name) "
          + "takes \(count.upperBound) \(name)\(count.upperBound == 1 ? "" : "s")")
    }
  }

  // MARK: Words

  static let helpVerb = "help"
  private static let helpWords = ["-help", "--help", "-h"]
  private static let generalWords = ["-help", "--help", "--version", "--completion", "--manual"]

  /// What every tool does besides its verbs.
  private func general(
    _ word: String, from rest: inout ArraySlice<String>
  ) throws(UsageError) -> Request? {
    switch word {
    case _ where Self.helpWords.contains(word): return .help(verb: nil)
    case "--version": return .version
    case "--manual": return .manual
    case "--completion":
      let names = Shell.allCases.map(\.rawValue)
      guard let name = rest.popFirst() else { throw UsageError("--completion needs shell") }
      guard let shell = Shell(rawValue: name) else {
        throw unrecognized("shell", name, among: names)
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

  /// Takes an option's argument, and notes both.
  private func take(
    _ option: Option, into invocation: inout Invocation, from rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let arguments = try take(option.argument.map { [$0] } ?? [], of: option.name, from: &rest)
    guard invocation.options[option.name] == nil || option.repeats else {
      throw UsageError("\(option.name) is given twice")
    }
    invocation.options[option.name, default: []].append(arguments.first ?? "")
  }

  /// Takes the arguments of a verb or option.
  private func take(
    _ arguments: [Argument], of word: String, from rest: inout ArraySlice<String>
  ) throws(UsageError) -> [String] {
    guard rest.count >= arguments.count else {
      throw UsageError("\(word) needs \(arguments[rest.count].name)")
    }
    defer { rest = rest.dropFirst(arguments.count) }
    return Array(rest.prefix(arguments.count))
  }
}
