/// Writes the completion script of fish.
struct FishCompletion {
  let rules: CompletionRules

  var script: String {
    """
    # Completes command lines of \(rules.program) in fish.

    function __\(rules.program)_complete
      set -l words (commandline -opc)
      set -l current (commandline -ct)
      set -l verb
      set -l ended
      set -l offer
      set -l wanted
      set -l operands 0
      for word in $words[2..-1]
        if set -q wanted[1]
          set -e wanted[1]
          continue
        end
        if test -n "$ended"
          set operands (math $operands + 1)
          continue
        end
        switch $word
          case --
            set ended yes
    \(rules.words.map(recognition).joined(separator: "\n"))
          case '*'
            set operands (math $operands + 1)
        end
      end

      if set -q wanted[1]
        set offer $wanted[1]
      else
        if test -z "$verb$ended" -a $operands = 0
    \(rules.verbWords.map { description($0, indent: 6) }.joined(separator: "\n"))
        end
        if test -z "$ended"; and string match -q -- '-*' $current
          switch "$verb"
    \(rules.verbs.map(options).joined(separator: "\n"))
          end
          return
        end
        switch "$verb:$operands"
    \(rules.verbs.flatMap(\.offers).map(operands).joined(separator: "\n"))
        end
      end
      switch "$offer"
        case files
          __fish_complete_path $current
        case 'words*'
          string split -n ' ' -- (string replace words '' -- $offer)
        case 'output*'
          eval (string replace output '' -- $offer)
      end
    end

    complete -c \(rules.program) -f -a '(__\(rules.program)_complete)'

    """
  }

  private func recognition(of word: CompletionRules.Word) -> String {
    var lines = ["case \(word.names.map(quoted).joined(separator: " "))"]
    if word.isVerb { lines.append("  test -n \"$verb\"; or set verb $word") }
    if word.isVerb, rules.isVerbatim { lines.append("  set ended yes") }
    lines.append("  set wanted \(word.arguments.map(quoted).joined(separator: " "))")
    return lines.map { "      " + $0 }.joined(separator: "\n")
  }

  private func options(of verb: CompletionRules.Verb) -> String {
    let names = verb.names.isEmpty ? "''" : verb.names.map(quoted).joined(separator: " ")
    return (["        case \(names)"] + verb.options.map { description($0, indent: 10) })
      .joined(separator: "\n")
  }

  private func operands(_ patterns: [String], _ offer: String) -> String {
    "      case \(patterns.map(quoted).joined(separator: " "))\n        set offer \(quoted(offer))"
  }

  /// The command that prints a word and its meaning.
  private func description(_ word: CompletionRules.Word, indent: Int) -> String {
    String(repeating: " ", count: indent)
      + "printf '%s\\t%s\\n' \(quoted(word.names[0])) \(quoted(word.meaning))"
  }

  private func quoted(_ text: String) -> String {
    "'\(text.replacing(#"\"#, with: #"\\"#).replacing("'", with: #"\'"#))'"
  }
}
