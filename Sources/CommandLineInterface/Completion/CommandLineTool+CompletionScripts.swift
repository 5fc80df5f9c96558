extension CommandLineTool {
  /// The script that completes command lines of the tool in a shell.
  ///
  /// It passes the words up to the cursor to the tool itself, which prints the candidates as
  /// ``CompletionCandidates/lines``.
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
