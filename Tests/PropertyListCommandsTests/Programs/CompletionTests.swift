import Foundation
import TestSupport
import Testing

/// Completion in real shells by the scripts of plutil.
@Suite("Completion")
struct CompletionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "first file.plist")
    try folder.write("", to: "second.plist")
  }

  /// Command lines with an unfinished last word, and its completions.
  static let lines: [([String], [String])] = [
    (["-con"], ["-convert"]),
    (["-convert", "xm"], ["xml1"]),
    (["-convert", "j"], ["json"]),
    (["-convert", "xml1", "-e"], ["-e"]),
    (["-lint", "s"], ["second.plist"]),
    (["-lint", "--", "-"], []),
    (["help", "-con"], ["-convert"]), (["help", "-create", "-con"], ["-convert"]),
    (["-extract", "k", "ra"], ["raw"]), (["-o", "s"], ["second.plist"]),
    (["-diff", "second.plist", "f"], ["first file.plist"]),
    (["--completion", "z"], ["zsh"]),
    (["--ver"], ["--version"]),
    (["-diff", "-zz"], []),
  ]

  @Test("works in bash", arguments: lines)
  func bash(words: [String], expected: [String]) throws {
    let list = (["plutil"] + words).map { "'\($0)'" }.joined(separator: " ")
    // `compopt` works only while the shell itself completes.
    let run = try Plutil.shell(
      """
      compopt() { :; }
      PATH=${PLUTIL%/*}:$PATH
      source <($PLUTIL --completion bash)
      COMP_WORDS=(\(list)) COMP_CWORD=\(words.count)
      _plutil
      ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """, in: folder)
    #expect(run.error == "")
    #expect(run.text.split(separator: "\n").map(String.init) == expected)
  }

  @Test("works in fish", arguments: lines)
  func fish(words: [String], expected: [String]) throws {
    try folder.write(
      try Plutil.run(["--completion", "fish"], in: folder).output, to: "plutil.fish")
    let line = (["plutil"] + words).joined(separator: " ")
    let run = try Plutil.shell(
      "PATH=${PLUTIL%/*}:$PATH; fish --no-config -c 'set fish_complete_path $PWD; complete -C \"\(line)\"'",
      in: folder)
    #expect(run.error == "")
    let offered = run.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(offered.map { String($0).replacing(#"\ "#, with: " ") } == expected)
  }

  @Test("works in zsh")
  func zsh() throws {
    try folder.write(try Plutil.run(["--completion", "zsh"], in: folder).output, to: "_plutil")
    let terminal = try PseudoTerminal(
      "/usr/bin/env", ["zsh", "-f", "-i"], in: folder,
      environment: [
        "PS1": "ready> ", "TERM": "dumb", "HOME": folder.path, "PATH": BuiltProgram.searchPath,
      ])
    try terminal.expect("ready> ")
    try terminal.send("fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; echo 'set' up\r")
    try terminal.expect("set up\r\n")
    try terminal.expect("ready> ")
    // The shell prints only the characters that it adds, and ambiguous completions below the line.
    try terminal.send("plutil -con\t")
    try terminal.expect("vert ")
    try terminal.send("xm\t")
    try terminal.expect("l1 ")
    try terminal.send("fir\t")
    try terminal.expect(#"st\ file.plist "#)
    try terminal.send("-\t\t")
    try terminal.expect("Be quiet: print only requested values and errors")
    try terminal.send("\u{15}plutil --completion f\t")
    try terminal.expect("ish ")
    try terminal.send("\u{15}exit\r")
    _ = try terminal.exitStatus()
  }
}
