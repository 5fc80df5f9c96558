extension CommandLineTool {
  /// The words that complete a command line.
  ///
  /// - Parameter words: The words up to the cursor without the program's own name; the last one is
  ///   unfinished, and its beginning does not restrict the result.
  func candidates(for words: [String]) -> CompletionCandidates {
    let current = words.last ?? ""
    var line = PartialLine()
    for word in words.dropLast() { line.take(word, of: self) }
    return candidates(for: current, after: line)
  }

  private func candidates(for current: String, after line: PartialLine) -> CompletionCandidates {
    var candidates = CompletionCandidates()
    if let expected = line.expected.first {
      candidates.add(expected)
      return candidates
    }
    if line.isHelp {
      addVerbs(to: &candidates)
      return candidates
    }
    if !line.hasEnded {
      if line.isAtVerb {
        addVerbs(to: &candidates)
        if layout == .verbatim { candidates.add(Self.helpVerb, "Show the help") }
      }
      if current.hasPrefix("-") {
        let verb = line.verb ?? (layout == .mixed ? defaultVerb.flatMap(self.verb) : nil)
        for option in options + (verb?.options ?? []) {
          candidates.add(option.name, option.summary)
        }
        if line.verb == nil {
          for (name, meaning) in Self.generalOptions { candidates.add(name, meaning) }
        }
        return candidates
      }
    }
    guard let verb = line.verb ?? defaultVerb.flatMap(self.verb) else { return candidates }
    let before = Invocation(
      verb: verb, arguments: [], options: line.options, operands: line.operands)
    for completion in verb.operands.completion(before, current) { candidates.add(completion) }
    for option in verb.operands.options(after: line.operands) {
      candidates.add(option.name, option.summary)
    }
    return candidates
  }

  private func addVerbs(to candidates: inout CompletionCandidates) {
    for verb in namedVerbs { candidates.add(verb.name, verb.summary) }
  }

  private static let generalOptions = [
    ("--help", "Show the help"), ("--version", "Show the version"),
    ("--completion", "Print the completion script for a shell"),
    ("--manual", "Print the manual page"),
  ]

  /// The words before the cursor, which may be wrong in any way.
  private struct PartialLine {
    var verb: Verb?
    var isHelp = false
    /// Whether all further words are operands.
    var hasEnded = false
    var options: [String: [String]] = [:]
    var operands: [String] = []
    /// The completions of the arguments that must follow.
    var expected: [Completion] = []
    /// The option whose argument follows.
    private var option: String?

    /// Whether a verb may follow.
    var isAtVerb: Bool { verb == nil && operands.isEmpty }

    mutating func take(_ word: String, of tool: CommandLineTool) {
      if isHelp { return }
      if !expected.isEmpty {
        expected.removeFirst()
        if let option { options[option, default: []].append(word) }
        option = nil
      } else if let known = verb?.operands.options(after: operands).first(where: { $0.name == word }
      ) {
        expect(known.argument, of: word)
      } else if hasEnded {
        operands.append(word)
      } else if word == "--" {
        hasEnded = tool.layout == .mixed
      } else if isAtVerb, tool.isHelp(word) {
        isHelp = true
      } else if isAtVerb, let named = tool.verb(word) {
        verb = named
        hasEnded = tool.layout == .verbatim
        expected = named.arguments.map(\.completion)
      } else if let known = tool.allOptions.first(where: { $0.name == word }) {
        expect(known.argument, of: word)
      } else if word == "--completion" {
        expected = [.words(Shell.allCases.map(\.rawValue))]
      } else {
        operands.append(word)
      }
    }

    private mutating func expect(_ argument: Argument?, of option: String) {
      guard let argument else { return options[option, default: []].append("") }
      expected = [argument.completion]
      self.option = option
    }
  }
}

/// The words a shell may complete a command line with.
struct CompletionCandidates: Equatable {
  struct Candidate: Hashable {
    var word: String
    var meaning = ""
  }

  var candidates: [Candidate] = []
  /// Whether file names also complete the command line.
  var includesFiles = false

  mutating func add(_ word: String, _ meaning: String = "") {
    let candidate = Candidate(word: word, meaning: meaning)
    if !candidates.contains(candidate) { candidates.append(candidate) }
  }

  mutating func add(_ completion: CommandLineTool.Completion) {
    switch completion {
    case .nothing: break
    case .files: includesFiles = true
    case .words(let words): for word in words { add(word) }
    case .terms(let terms): for term in terms { add(term.term, term.meaning) }
    }
  }

  /// The lines that the scripts read: first `files` or `words`, then the candidates, each with a tab
  /// and its meaning if it has one. Candidates with control characters are left out.
  var lines: String {
    let words = candidates.filter { candidate in
      !candidate.word.isEmpty && !candidate.word.unicodeScalars.contains { $0.value < 0x20 }
    }
    let lines = words.map { $0.meaning.isEmpty ? $0.word : "\($0.word)\t\($0.meaning)" }
    return ([includesFiles ? "files" : "words"] + lines).joined(separator: "\n") + "\n"
  }
}

extension CommandLineTool {
  /// The script that completes command lines of the tool in a shell. It passes the words up to the
  /// cursor to the tool itself, which prints the candidates as ``CompletionCandidates/lines``.
  package func completion(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion
    case .zsh: zshCompletion
    case .fish: fishCompletion
    }
  }

  // bash also ends words at colons and equals signs, and replaces only what follows the last one.
  private var bashCompletion: String {
    #"""
    # Completes command lines of \#(name) in bash.

    _\#(name)() {
      local words=() lines=() word line current replaced prefix joins= quotes="[\"']"
      for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ( $joins || $word == [:=]* ) ]]; then
          words[-1]+=$word
        else
          words+=("$word")
        fi
        joins=; [[ $word == *[:=] ]] && joins=yes
      done
      ((${#words[@]})) || words=('')
      words=("${words[@]#$quotes}"); words=("${words[@]%$quotes}"); words=("${words[@]//\\/}")
      current=${words[-1]}
      replaced=${COMP_WORDS[COMP_CWORD]}; [[ $replaced == [:=]* ]] && replaced=
      prefix=${current%"${current##*[:=]}"}
      [[ $replaced == $quotes* ]] && prefix=

      COMPREPLY=()
      mapfile -t lines < <(\#(name) \#(Self.candidatesOption) "${words[@]}" 2> /dev/null)
      if [[ ${lines[0]} == files ]]; then
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
      fi
      for line in "${lines[@]:1}"; do
        word=${line%%$'\t'*}
        [[ $word == "$current"* ]] || continue
        word=${word#"$prefix"}
        [[ $replaced == $quotes* ]] || printf -v word %q "$word"
        COMPREPLY+=("$word")
      done
    }

    complete -F _\#(name) \#(name)

    """#
  }

  private var zshCompletion: String {
    #"""
    #compdef \#(name)
    # Completes command lines of \#(name) in zsh.

    _\#(name)() {
      local -a before lines candidates
      local line word meaning
      ((CURRENT > 2)) && before=("${(@Q)words[2,CURRENT-1]}")
      before+=("${(Q)PREFIX}")
      lines=(${(f)"$(\#(name) \#(Self.candidatesOption) "${before[@]}" 2> /dev/null)"})
      for line in ${lines[2,-1]}; do
        word=${line%%$'\t'*}
        meaning=
        [[ $line == *$'\t'* ]] && meaning=:${line#*$'\t'}
        word=${word//\\/\\\\}
        candidates+=("${word//:/\\:}$meaning")
      done
      (($#candidates)) && _describe word candidates
      [[ $lines[1] == files ]] && _files
    }

    # Both as a function that zsh loads by its name and as a script that is read.
    if [[ $funcstack[1] == _\#(name) ]]; then
      _\#(name) "$@"
    else
      compdef _\#(name) \#(name)
    fi

    """#
  }

  private var fishCompletion: String {
    #"""
    # Completes command lines of \#(name) in fish.

    function __\#(name)_complete
      set -l words (commandline -opc)
      set -l current (commandline -ct | string replace -r '^["\']' '' | string replace -ra '\\\\(.)' '$1')
      set -l lines (\#(name) \#(Self.candidatesOption) $words[2..-1] "$current" 2> /dev/null)
      if test "$lines[1]" = files
        __fish_complete_path (commandline -ct)
      end
      if set -q lines[2]
        printf '%s\n' $lines[2..-1]
      end
    end

    complete -c \#(name) -f -a '(__\#(name)_complete)'

    """#
  }
}

/// A shell that can complete command lines.
package enum Shell: String, Sendable, Hashable, CaseIterable {
  case bash
  case zsh
  case fish
}
