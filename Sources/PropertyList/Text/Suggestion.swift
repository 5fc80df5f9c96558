/// Finds the word that was meant by a mistyped one.
package enum Suggestion {
  /// The end of an error's text: `; did you mean …?`, or an empty text if no candidate is near.
  package static func text(for word: String, among candidates: [String]) -> String {
    text(nearest(to: word, among: candidates))
  }

  /// The same for a known suggestion; empty if there is none.
  package static func text(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean \($0)?" } ?? ""
  }

  /// The only candidate that begins with the word, if the word has two letters or more. Otherwise
  /// the first candidate with the smallest edit distance; nil if that is more than one edit for
  /// every three letters.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    // The distance takes quadratic time, and keys of documents may be long.
    let longest = 64
    let start = word.lowercased()
    let word = Array(start.unicodeScalars)
    guard word.count <= longest else { return nil }
    let longer = candidates.filter { $0.lowercased().hasPrefix(start) }
    if longer.count == 1, word.count(where: { $0 != "-" }) > 1 { return longer[0] }
    var nearest: (candidate: String, distance: Int)?
    for candidate in candidates {
      let scalars = Array(candidate.lowercased().unicodeScalars)
      guard scalars.count <= longest else { continue }
      let distance = editDistance(from: word, to: scalars)
      let letters = scalars.count { $0 != "-" }
      if distance <= max(1, letters / 3), distance < letters,
        distance < nearest?.distance ?? .max
      {
        nearest = (candidate, distance)
      }
    }
    return nearest?.candidate
  }

  /// The optimal string alignment distance: the number of insertions, deletions, substitutions and
  /// transpositions of neighbors that turn one word into the other, with no place edited twice.
  private static func editDistance(from word: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var previous = Array(0...other.count)
    for row in word.indices {
      var current = [row + 1]
      for column in other.indices {
        let isSame = word[row] == other[column]
        var distance = min(
          previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, word[row] == other[column - 1], word[row - 1] == other[column] {
          distance = min(distance, before[column - 1] + 1)
        }
        current.append(distance)
      }
      (before, previous) = (previous, current)
    }
    return previous[other.count]
  }
}
