/// Writes the completion script of bash.
struct BashCompletion {
  let rules: CompletionRules

  var script: String {
    """
    # Completes command lines of \(rules.program) in bash.

    _\(rules.program)() {
      local current=${COMP_WORDS[COMP_CWORD]} verb= ended= options= offer= word index
      local operands=0 wanted=()
      COMPREPLY=()
      for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if ((${#wanted[@]})); then wanted=("${wanted[@]:1}"); continue; fi
        if [[ $ended ]]; then operands=$((operands + 1)); continue; fi
        case $word in
          --) ended=yes ;;
    \(rules.words.map(recognition).joined(separator: "\n"))
          *) operands=$((operands + 1)) ;;
        esac
      done

      case $verb in
    \(rules.verbs.map(options).joined(separator: "\n"))
      esac
      if ((${#wanted[@]})); then
        offer=${wanted[0]}
      elif [[ ! $ended && $current == -* ]]; then
        offer="words $options"
      else
        case $verb:$operands in
    \(rules.verbs.flatMap(\.offers).map(operands).joined(separator: "\n"))
        esac
        if [[ ! $verb && ! $ended && $operands == 0 ]]; then
          mapfile -t COMPREPLY < <(compgen -W '\(verbNames)' -- "$current")
        fi
      fi
      case $offer in
        files)
          compopt -o filenames
          mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current") ;;
        words*)
          mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "${offer#words}" -- "$current") ;;
        output*)
          mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY \\
            < <(compgen -W "$(eval "${offer#output}")" -- "$current") ;;
      esac
    }

    complete -F _\(rules.program) \(rules.program)

    """
  }

  private var verbNames: String { rules.verbWords.map { $0.names[0] }.joined(separator: " ") }

  private func recognition(of word: CompletionRules.Word) -> String {
    "      \(word.names.joined(separator: "|"))) \(rules.commands(recognizing: word)) ;;"
  }

  private func options(of verb: CompletionRules.Verb) -> String {
    let verbs = verb.names.isEmpty ? rules.verbWords.map { $0.names[0] } : []
    let words = verbs.filter { $0.hasPrefix("-") } + verb.options.map { $0.names[0] }
    return "    \(pattern(verb))) options='\(words.joined(separator: " "))' ;;"
  }

  private func operands(_ patterns: [String], _ offer: String) -> String {
    "      \(patterns.joined(separator: "|"))) offer=\(CompletionRules.quoted(offer)) ;;"
  }

  private func pattern(_ verb: CompletionRules.Verb) -> String {
    verb.names.isEmpty ? "''" : verb.names.joined(separator: "|")
  }
}
