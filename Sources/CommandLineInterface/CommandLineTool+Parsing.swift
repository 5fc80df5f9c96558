extension CommandLineTool {
  /// What a command line asks for.
  package enum Request: Sendable, Hashable {
    /// To do one of the tool's verbs.
    case invocation(Invocation)
    /// To print the help: `-help`, `--help` or `-h`.
    case help
    /// To print the version: `--version`.
    case version
  }

  /// Takes a command line apart.
  ///
  /// The verb is the first of its words that stands before an operand; its arguments follow it at
  /// once. Options stand anywhere before `--`, behind which everything is an operand, as `-` alone
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

  private func parseVerbatim(_ words: [String]) throws(UsageError) -> Request {
    var invocation = Invocation(verb: "", arguments: [], options: [:], operands: [])
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if !optionsEnded, word == "--" {
        optionsEnded = true
      } else if !optionsEnded, Self.helpWords.contains(word) {
        return .help
      } else if !optionsEnded, word == "--version" {
        return .version
      } else if !optionsEnded, let option = options.first(where: { $0.name == word }) {
        try take(option, into: &invocation, from: &rest)
      } else if !optionsEnded, word.hasPrefix("-") {
        throw UsageError("unrecognized option: \(word)")
      } else if word.lowercased() == "help" {
        return .help
      } else if let verb = verb(word.lowercased()) {
        if rest.count == 1, rest.first == "--help" || rest.first == "-help" { return .help }
        invocation.verb = verb.name
        invocation.operands = Array(rest)
        return .invocation(invocation)
      } else {
        throw UsageError("unrecognized command: \(word)")
      }
    }
    throw UsageError("no command is given")
  }

  /// Checks the number of a verb's operands, which in the verbatim layout only the tool knows: some of
  /// them may be of several words.
  package func check(count: Int, of verb: String) throws(UsageError) {
    guard let verb = self.verb(verb), !verb.operands.count.contains(count) else { return }
    let few = count < verb.operands.count.lowerBound
    let synopsis = verb.operands.name.isEmpty ? "" : " " + verb.operands.name
    throw UsageError("too \(few ? "few" : "many") arguments; expected \(verb.name)\(synopsis)")
  }

  private static let helpWords = ["-help", "--help", "-h"]

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
        return .help
      } else if word == "--version" {
        return .version
      } else if let named = self.verb(word), verb == nil, invocation.operands.isEmpty {
        verb = named
        invocation.arguments = try take(named.arguments, of: word, from: &rest)
      } else if let option = option(word) {
        try take(option, into: &invocation, from: &rest)
      } else if word.hasPrefix("-"), word != "-" {
        if let verb, self.verb(word) != nil {
          throw UsageError("\(word) cannot follow \(verb.name); expected one command")
        }
        if self.verb(word) != nil {
          throw UsageError("\(word) must stand before the \(operandName)s")
        }
        throw UsageError("unrecognized option: \(word)")
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

  private func verb(_ name: String) -> Verb? {
    verbs.first { $0.name == name || $0.aliases.contains(name) }
  }

  private func option(_ name: String) -> Option? {
    if let option = options.first(where: { $0.name == name }) { return option }
    for verb in verbs {
      if let option = verb.options.first(where: { $0.name == name }) { return option }
    }
    return nil
  }

  /// Takes an option's argument, and notes both.
  private func take(
    _ option: Option, into invocation: inout Invocation, from rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let argument = try take(option.argument.map { [$0] } ?? [], of: option.name, from: &rest)
    guard invocation.options.updateValue(argument.first ?? "", forKey: option.name) == nil else {
      throw UsageError("\(option.name) is given twice")
    }
  }

  /// Takes the arguments of a verb or option.
  private func take(
    _ arguments: [String], of word: String, from rest: inout ArraySlice<String>
  ) throws(UsageError) -> [String] {
    guard rest.count >= arguments.count else {
      throw UsageError("\(word) needs \(arguments[rest.count])")
    }
    defer { rest = rest.dropFirst(arguments.count) }
    return Array(rest.prefix(arguments.count))
  }

  private func check(_ invocation: Invocation, for verb: Verb) throws(UsageError) {
    for option in invocation.options.keys.sorted()
    where !(options + verb.options).contains(where: { $0.name == option }) {
      throw UsageError("\(option) does not go with \(verb.name)")
    }
    let (name, count) = (verb.operands.name, verb.operands.count)
    if invocation.operands.count < count.lowerBound {
      throw UsageError("no \(name)s specified")
    }
    if invocation.operands.count > count.upperBound {
      throw UsageError(
        "unexpected \(invocation.operands[count.upperBound]); \(verb.name) takes "
          + "\(count.upperBound) \(name)\(count.upperBound == 1 ? "" : "s")")
    }
  }
}
