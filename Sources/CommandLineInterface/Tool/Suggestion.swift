/// Finds what somebody may have meant who wrote something else.
package enum Suggestion {
  /// What an error's text says of it: `; did you mean …?`, or nothing where no candidate is near.
  package static func text(for word: String, among candidates: [String]) -> String {
    nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? ""
  }

  /// The candidate that the fewest slips lead away from, the first of several; nil where it would take
  /// more than one for every three letters.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    // Nobody types a name of this length; documents may have such keys.
    let longest = 64
    let word = Array(word.lowercased().unicodeScalars)
    guard word.count <= longest else { return nil }
    var nearest: (candidate: String, slips: Int)?
    for candidate in candidates {
      let scalars = Array(candidate.lowercased().unicodeScalars)
      guard scalars.count <= longest else { continue }
      let slips = slips(from: word, to: scalars)
      let letters = scalars.count { $0 != "-" }
      if slips <= max(1, letters / 3), slips < letters, slips < nearest?.slips ?? .max {
        nearest = (candidate, slips)
      }
    }
    return nearest?.candidate
  }

  /// How many letters have to be left out, put in, exchanged for another or with their neighbor to
  /// make one word of the other: the distance after Damerau and Levenshtein, in which no place is
  /// changed twice.
  private static func slips(from word: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var previous = Array(0...other.count)
    for row in word.indices {
      var current = [row + 1]
      for column in other.indices {
        let isSame = word[row] == other[column]
        var slips = min(
          previous[column] + (isSame ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, word[row] == other[column - 1], word[row - 1] == other[column] {
          slips = min(slips, before[column - 1] + 1)
        }
        current.append(slips)
      }
      (before, previous) = (previous, current)
    }
    return previous[other.count]
  }
}
