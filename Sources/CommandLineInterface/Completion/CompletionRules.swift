/// The rules by which a shell completes the command lines of a tool.
///
/// The scripts of all shells work alike: they scan the words before the cursor for the verb, count
/// the operands, and determine which arguments are still missing; then they offer the matching
/// completions.
struct CompletionRules {
  /// A word that a script recognizes, with its arguments.
  struct Word {
    var names: [String]
    var meaning: String
    var isVerb: Bool
    /// The completions of its arguments, as ``CommandLineTool/Completion/offer``.
    var arguments: [String]
  }

  /// The words that may follow a verb.
  struct Verb {
    /// Its names; empty for a command line without a verb.
    var names: [String]
    var options: [Word]
    var operands: [CommandLineTool.Completion]

    /// The completions of its operands, by patterns that consist of a name, a colon and the number
    /// of preceding operands.
    var offers: [(patterns: [String], offer: String)] {
      operands.enumerated().map { index, completion in
        let position = index == operands.count - 1 ? "*" : String(index)
        return ((names.isEmpty ? [""] : names).map { "\($0):\(position)" }, completion.offer)
      }
    }
  }

  let program: String
  /// Whether all words after a verb are operands.
  let isVerbatim: Bool
  /// The verbs as words.
  let verbWords: [Word]
  /// The options of all verbs.
  let options: [Word]
  /// The words that may follow each verb, and first those of a command line without a verb.
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
    let defaultVerb = tool.defaultVerb.flatMap(tool.verb)
    let anywhere = Verb(
      names: [], options: (tool.options + (defaultVerb?.options ?? []) + general).map(word),
      operands: tool.layout == .verbatim ? [] : defaultVerb?.operands.completions ?? [])
    verbs =
      [anywhere]
      + tool.namedVerbs.map { verb in
        Verb(
          names: [verb.name] + verb.aliases,
          options: tool.layout == .verbatim ? [] : (tool.options + verb.options).map(word),
          operands: verb.operands.completions)
      }
  }

  /// All verbs and options.
  var words: [Word] { verbWords + options }
}

extension CommandLineTool.Completion {
  /// The completion as a word that the end of each script interprets.
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
