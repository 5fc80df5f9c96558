/// What a shell has to know of a tool to complete its command lines.
///
/// The scripts of all shells go the same way: over the words before the cursor, to find the verb, how
/// many operands there are and which arguments are still wanted; then they offer what fits.
struct CompletionRules {
  /// A word that a script recognizes, with what has to follow it.
  struct Word {
    var names: [String]
    var meaning: String
    var isVerb: Bool
    /// What is offered for each of its arguments, as ``CommandLineTool/Completion/offer``.
    var arguments: [String]
  }

  /// What may stand behind a verb.
  struct Verb {
    /// Its names; none for where no verb is given.
    var names: [String]
    var options: [Word]
    var operands: [CommandLineTool.Completion]

    /// What is offered for its operands, by patterns of a name, a colon and the number of operands that
    /// are there.
    var offers: [(patterns: [String], offer: String)] {
      operands.enumerated().map { index, completion in
        let position = index == operands.count - 1 ? "*" : String(index)
        return ((names.isEmpty ? [""] : names).map { "\($0):\(position)" }, completion.offer)
      }
    }
  }

  let program: String
  /// Whether all words behind a verb are operands.
  let isVerbatim: Bool
  /// The verbs as words.
  let verbWords: [Word]
  /// Every option of any verb.
  let options: [Word]
  /// What may stand where no verb is given, and behind each verb.
  let verbs: [Verb]

  init(_ tool: CommandLineTool) {
    program = tool.name
    isVerbatim = tool.layout == .verbatim
    verbWords = tool.namedVerbs.map { verb in
      Word(
        names: [verb.name] + verb.aliases, meaning: verb.summary, isVerb: true,
        arguments: verb.arguments.map(\.completion.offer))
    }
    func word(_ option: CommandLineTool.Option) -> Word {
      Word(
        names: [option.name], meaning: option.summary, isVerb: false,
        arguments: option.argument.map { [$0.completion.offer] } ?? [])
    }
    let general = [
      CommandLineTool.Option("--help", summary: "Show the help"),
      CommandLineTool.Option("--version", summary: "Show the version"),
      CommandLineTool.Option(
        "--completion",
        argument: .init("shell", completion: .words(Shell.allCases.map(\.rawValue))),
        summary: "Print the completion script of a shell"),
      CommandLineTool.Option("--manual", summary: "Print the manual page"),
    ]
    options = (tool.allOptions + general).map(word)
    let standing = tool.defaultVerb.flatMap(tool.verb)
    let anywhere = Verb(
      names: [], options: (tool.options + (standing?.options ?? []) + general).map(word),
      operands: tool.layout == .verbatim ? [] : standing?.operands.completions ?? [])
    verbs =
      [anywhere]
      + tool.namedVerbs.map { verb in
        Verb(
          names: [verb.name] + verb.aliases,
          options: tool.layout == .verbatim ? [] : (tool.options + verb.options).map(word),
          operands: verb.operands.completions)
      }
  }

  /// All words that something has to follow, or that are verbs or options themselves.
  var words: [Word] { verbWords + options }
}

extension CommandLineTool.Completion {
  /// What is offered, as a word that the end of a script understands.
  var offer: String {
    switch self {
    case .nothing: "nothing"
    case .files: "files"
    case .words(let words): "words \(words.joined(separator: " "))"
    case .output(let command): "output \(command)"
    }
  }
}

extension CommandLineTool {
  /// The script that completes command lines of the tool in a shell.
  package func completion(for shell: Shell) -> String {
    let rules = CompletionRules(self)
    return switch shell {
    case .bash: BashCompletion(rules: rules).script
    case .zsh: ZshCompletion(rules: rules).script
    case .fish: FishCompletion(rules: rules).script
    }
  }
}
