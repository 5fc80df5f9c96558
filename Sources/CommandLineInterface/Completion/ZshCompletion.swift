/// Writes the completion script of zsh.
struct ZshCompletion {
  let rules: CompletionRules

  var script: String {
    """
    #compdef \(rules.program)
    # Completes command lines of \(rules.program) in zsh.

    _\(rules.program)() {
      local verb= ended= offer= word
      local -a wanted verbs options
      integer operands=0 index
      for ((index = 2; index < CURRENT; index++)); do
        word=${(Q)words[index]}
        if (($#wanted)); then shift wanted; continue; fi
        if [[ -n $ended ]]; then operands+=1; continue; fi
        case $word in
          (--) ended=yes ;;
    \(rules.words.map(recognition).joined(separator: "\n"))
          (*) operands+=1 ;;
        esac
      done

      case $verb in
    \(rules.verbs.map(options).joined(separator: "\n"))
      esac
      if (($#wanted)); then
        offer=$wanted[1]
      else
        if [[ -z $verb && -z $ended && $operands == 0 ]]; then
          verbs=(
    \(rules.verbWords.map(description).joined(separator: "\n"))
          )
          _describe command verbs
        fi
        if [[ -z $ended && $PREFIX == -* ]]; then
          _describe option options
          return
        fi
        case $verb:$operands in
    \(rules.verbs.flatMap(\.offers).map(operands).joined(separator: "\n"))
        esac
      fi
      case $offer in
        (files) _files ;;
        (words*) compadd -- ${=offer#words} ;;
        (output*) compadd -- ${(f)"$(eval ${offer#output})"} ;;
      esac
    }

    # Both as a function that zsh loads by its name and as a script that is read.
    if [[ $funcstack[1] == _\(rules.program) ]]; then
      _\(rules.program) "$@"
    else
      compdef _\(rules.program) \(rules.program)
    fi

    """
  }

  private func recognition(of word: CompletionRules.Word) -> String {
    "      (\(word.names.joined(separator: "|"))) \(rules.commands(recognizing: word)) ;;"
  }

  private func options(of verb: CompletionRules.Verb) -> String {
    let names = verb.names.isEmpty ? "''" : verb.names.joined(separator: "|")
    let options = verb.options.map(description).joined(separator: "\n")
    return "    (\(names)) options=(\n\(options)\n      ) ;;"
  }

  /// A word and its meaning, in the form of `_describe`.
  private func description(of word: CompletionRules.Word) -> String {
    let meaning = word.meaning.replacing(":", with: #"\:"#)
    return "        \(CompletionRules.quoted("\(word.names[0]):\(meaning)"))"
  }

  private func operands(_ patterns: [String], _ offer: String) -> String {
    "      (\(patterns.joined(separator: "|"))) offer=\(CompletionRules.quoted(offer)) ;;"
  }
}
