import Testing

@testable import CommandLineInterface

@Suite("Completion candidates")
struct CompletionCandidatesTests {
  private static let general = ["--help", "--version", "--completion", "--manual"]
  private static let verbs = ["-open", "-fill", "empty", "-swap"]

  /// Command lines with an unfinished last word, and the candidates; `files` stands for file names.
  static let mixedLines: [([String], [String])] = [
    ([], verbs + ["files"]), ([""], verbs + ["files"]),
    (["-"], verbs + ["-q"] + general), (["-q", "-"], verbs + ["-q"] + general),
    (["-fill", ""], ["jam", "ink"]), (["-fill", "jam", ""], []),
    (["-fill", "jam", "slowly", ""], ["files"]),
    (["-fill", "jam", "slowly", "-"], ["-q", "-o", "-l"]),
    (["-fill", "jam", "slowly", "-o", ""], []), (["a", "-"], ["-q"] + general),
    (["-swap", "-"], []), (["-swap", "--", "-"], ["files"]), (["--", ""], ["files"]),
    (["help", ""], verbs), (["-help", ""], verbs), (["help", "-fill", ""], verbs),
    (["a", "help", ""], ["files"]),
    (["--completion", ""], ["bash", "zsh", "fish"]),
  ]

  @Test("are the words that may follow", arguments: mixedLines)
  func candidates(words: [String], expected: [String]) {
    expect(words, expected, tool: CommandLineToolTests.tool)
  }

  static let verbatimLines: [([String], [String])] = [
    ([""], ["put", "countAll", "help"]),
    (["-"], ["put", "countAll", "help", "-q", "-o"] + general),
    (["-o", ""], []), (["-o", "x", ""], ["put", "countAll", "help"]),
    (["HELP", ""], ["put", "countAll"]), (["countAll", ""], ["files"]),
    (["-o", "x", "-q", "Place", "-q", "--", "y"], ["-q", "--", "-o", "y", "files"]),
  ]

  @Test("are those of an operand after all words before it", arguments: verbatimLines)
  func verbatimCandidates(words: [String], expected: [String]) {
    expect(words, expected, tool: CommandLineToolTests.verbatim)
  }

  private func expect(_ words: [String], _ expected: [String], tool: CommandLineTool) {
    let candidates = tool.candidates(for: words)
    #expect(
      candidates.candidates.map(\.word) + (candidates.includesFiles ? ["files"] : []) == expected)
  }

  @Test("are printed in lines, with their meanings")
  func printing() {
    #expect(
      CommandLineToolTests.tool.candidates(for: ["-swap", "--", ""]).lines == "files\n")
    var candidates = CommandLineToolTests.verbatim.candidates(for: ["help", ""])
    candidates.add("two words")
    candidates.add("two\nlines")
    candidates.add("")
    #expect(
      candidates.lines == "words\nput\tPut jars somewhere\ncountAll\tCount jars\ntwo words\n")
  }
}
