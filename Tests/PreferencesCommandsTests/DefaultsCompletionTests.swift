import Foundation
import TestSupport
import Testing

/// Completion of domains, keys and values, also in real shells.
@Suite("defaults, completion")
struct DefaultsCompletionTests {
  private let defaults: Defaults
  private var folder: TemporaryFolder { defaults.folder }

  init() throws {
    defaults = try Defaults()
    try defaults.expect("write", "org.D", "{ size = 1; \"tab width\" = 4; \"a:b\" = 5; }")
    try defaults.expect("-currentHost", "write", "org.Host", "here", "1")
    try defaults.expect("write", "-g", "theme", "dark")
    try defaults.expect("write", "./path", "inFile", "1")
  }

  private static let types = [
    "-string", "-data", "-int", "-integer", "-float", "-bool", "-boolean", "-date",
  ]
  private static let containers = ["-array", "-array-add", "-dict", "-dict-add"]
  private static let options = ["NSGlobalDomain", "-g", "-globalDomain", "-app"]
  private static let booleans = ["true", "false", "yes", "no", "1", "0"]

  /// Words with an unfinished last one, and the candidates; `files` stands for file names.
  static let lines: [([String], [String])] = [
    (["read", ""], ["org.D"] + options), (["read", "-"], ["org.D"] + options),
    (["-currentHost", "read", ""], ["org.Host"] + options),
    (["read", "./"], ["files"]), (["read", "--", ""], ["org.D", "NSGlobalDomain"]),
    (["read", "-app", ""], ["org.D", "NSGlobalDomain"]),
    (["read", "org.D", ""], ["a:b", "size", "tab width"]),
    (["READ-TYPE", "-app", "/usr/bin/org.D", ""], ["a:b", "size", "tab width"]),
    (["-currentHost", "delete", "org.Host", ""], ["here"]),
    (["read", "-g", ""], ["theme"]), (["watch", "Apple Global Domain", ""], ["theme"]),
    (["read", "./path", ""], ["inFile"]), (["read", "none", ""], []),
    (["read", "org.D", "size", ""], []), (["rename", "org.D", "size", ""], []),
    (["import", "org.D", ""], ["files"]),
    (["export", "org.D", "", ""], ["xml1", "binary1", "json", "openstep"]),
    (["inspect", ""], ["org.D"] + options + ["-o", "-copies"]),
    (["inspect", "org.D", ""], ["-o", "-copies"]), (["inspect", "-o", ""], ["files"]),
    (["inspect", "-o", "p.html", "-app", ""], ["org.D", "NSGlobalDomain", "-o", "-copies"]),
    (["inspect", "org.D", "-copies", ""], ["files"]),
    (["inspect", "-o", "a", "-o", "b", ""], ["org.D"] + options + ["-o", "-copies"]),
    (["write", "--force", "org.D", ""], ["a:b", "size", "tab width"]),
    (["write", "org.D", "--force", ""], types + containers),
    (["edit", ""], ["org.D"] + options),
    (["edit", "org.D", ""], ["a:b", "size", "tab width", "--as"]),
    (["edit", "org.D", "size", "--as", ""], ["xml1", "json", "openstep"]),
    (["find", ""], []), (["domains", ""], []), (["read", "-x", ""], []),
    (["write", "org.D", ""], ["a:b", "size", "tab width"]),
    (["write", "org.D", "size", ""], types + containers),
    (["write", "org.D", "size", "-bool", ""], booleans),
    (["write", "org.D", "size", "-int", ""], []), (["write", "org.D", "size", "1", ""], []),
    (["write", "org.D", "size", "-array", "-int", "1", ""], types),
    (["write", "org.D", "size", "-dict-add", "k", "-boolean", ""], booleans),
    (
      ["help", "read-"],
      [
        "read", "read-type", "write", "edit", "rename", "delete", "delete-all", "reset", "import",
        "export", "domains", "find", "printHostIdentifier", "keys", "describe", "check", "layers",
        "inspect", "watch", "sync",
      ]
    ),
  ]

  /// Lines where a manifest describes `org.example.editor`.
  static let describedLines: [([String], [String])] = [
    (["describe", ""], ["org.D", "org.example.editor"] + options),
    (["read", ""], ["org.D"] + options),
    (["check", "org.D", ""], []),
    (["write", ""], ["org.D", "org.example.editor"] + options + ["--force"]),
    (["describe", "org.example.editor", ""], described),
    (["write", "org.example.editor", ""], described),
    (["write", "--force", "org.example.editor", ""], described),
    (["read", "org.example.editor", ""], []),
    (["write", "org.example.editor", "theme", ""], ["light", "dark"] + types + containers),
    (["write", "org.example.editor", "font", ""], ["Mono"] + types + containers),
    (["write", "org.example.editor", "wrap", ""], ["true", "false"] + types + containers),
    (["write", "org.example.editor", "token", ""], types + containers),
    (["write", "org.example.editor", "theme", "light", ""], []),
    (["reset", "org.D", ""], ["a:b", "size", "tab width"]),
    (["reset", "org.D", "size", ""], ["a:b", "size", "tab width"]),
    (["reset", "-app", "org.D", "size", "a:b", ""], ["a:b", "size", "tab width"]),
  ]

  private static let described = [
    "account", "font", "old", "proxy", "recent", "tabWidth", "theme", "token", "window", "wrap",
  ]

  @Test("offers keys and values that a manifest describes", arguments: describedLines)
  func describedCandidates(words: [String], expected: [String]) throws {
    try EditorManifest.install(in: folder)
    try candidates(words: words, expected: expected)
  }

  @Test("shows the titles of a manifest")
  func titles() throws {
    try EditorManifest.install(in: folder)
    #expect(
      try defaults.run(["--candidates", "write", "org.example.editor", "t"]).text
        .contains("\ntabWidth\tTab width\ntheme\n"))
    try defaults.expect("write", "org.example.editor", "tabWidth", "8")
    try defaults.expect(
      "--candidates", "read", "org.example.editor", "", output: "words\ntabWidth\tTab width\n")
    #expect(
      try defaults.run(["--candidates", "write", "org.example.editor", "theme", ""]).text
        .hasPrefix("words\nlight\tLight\ndark\tDark\n-string\n"))
  }

  @Test("offers what may follow", arguments: lines)
  func candidates(words: [String], expected: [String]) throws {
    let run = try defaults.run(["--candidates"] + words)
    #expect(run.error == "")
    let lines = run.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    let files = lines.first == "files" ? ["files"] : []
    #expect(lines.dropFirst() + files == expected)
  }

  @Test("does not fail for a domain that cannot be read")
  func unreadable() throws {
    try folder.write("{ a = ", to: "user/org.D.plist")
    try defaults.expect("--candidates", "read", "org.D", "", output: "words\n")
  }

  /// Words as they are typed, and what they are completed to.
  static let shellLines: [([String], [String])] = [
    (["read", "org.D", "si"], ["size"]),
    (["read", "org.D", "ta"], [#"tab\ width"#]),
    (["read", "org.D", #"tab\ w"#], [#"tab\ width"#]),
    (["read", "or"], ["org.D"]),
    (["read", "-gl"], ["-globalDomain"]),
    (["help", "rena"], ["rename"]),
    (["write", "org.D", "size", "-bool", "t"], ["true"]),
    (["-currentHost", "read", "org.Host", ""], ["here"]),
  ]

  @Test("works in bash", arguments: shellLines)
  func bash(words: [String], expected: [String]) throws {
    try expectBash(words, expected)
  }

  @Test("works in bash within quotes and after a colon, at which bash ends words")
  func bashWords() throws {
    try expectBash(["read", "org.D", "'tab "], ["tab width"])
    try expectBash(["read", "org.D", "a", ":", "b"], ["b"])
    try expectBash(["read", "org.D", "a", ":"], ["b"])
  }

  private func expectBash(_ words: [String], _ expected: [String]) throws {
    let list = (["defaults"] + words).map { "'\($0.replacing("'", with: #"'\''"#))'" }
    let run = try defaults.shell(
      """
      compopt() { :; }
      PATH=${DEFAULTS%/*}:$PATH
      source <($DEFAULTS --completion bash)
      COMP_WORDS=(\(list.joined(separator: " "))) COMP_CWORD=\(words.count)
      _defaults
      ((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(run.error == "")
    #expect(run.text.split(separator: "\n").map(String.init) == expected)
  }

  @Test("works in fish", arguments: shellLines)
  func fish(words: [String], expected: [String]) throws {
    try folder.write(try defaults.run(["--completion", "fish"]).output, to: "defaults.fish")
    try folder.write((["defaults"] + words).joined(separator: " "), to: "line")
    let run = try defaults.shell(
      """
      PATH=${DEFAULTS%/*}:$PATH
      fish --no-config -c 'set fish_complete_path $PWD; complete -C (cat line | string collect)'
      """)
    #expect(run.error == "")
    #expect(
      run.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        == expected.map { $0.replacing(#"\ "#, with: " ") })
  }

  @Test("works in zsh")
  func zsh() throws {
    try EditorManifest.install(in: folder)
    try folder.write(try defaults.run(["--completion", "zsh"]).output, to: "_defaults")
    let terminal = try PseudoTerminal(
      "/usr/bin/env", ["zsh", "-f", "-i"], in: folder,
      environment: [
        "PS1": "ready> ", "TERM": "dumb", "HOME": folder.path, "PATH": BuiltProgram.searchPath,
        "XDG_CONFIG_HOME": folder.path("user"), "XDG_DATA_HOME": folder.path("data"),
      ])
    try terminal.expect("ready> ")
    try terminal.send("fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; echo 'set' up\r")
    try terminal.expect("set up\r\n")
    try terminal.expect("ready> ")
    // The shell prints only the characters that it adds. Control-U begins a new line.
    for (typed, added) in [
      ("defaults read-\t", "type "), ("or\t", "g.D "), ("tab\t", #"\ width "#),
      ("\u{15}defaults read org.D a\t", ":b "),
      ("\u{15}defaults -currentHost read org.Host \t", "here "),
      ("\u{15}defaults write org.e\t", "xample.editor "), ("the\t", "me "), ("li\t", "ght "),
    ] {
      try terminal.send(typed)
      try terminal.expect(added)
    }
    try terminal.send("\u{15}exit\r")
    _ = try terminal.exitStatus()
  }
}
