/// The words a shell may complete a command line with.
struct CompletionCandidates: Equatable {
  /// A word, and what it means.
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
