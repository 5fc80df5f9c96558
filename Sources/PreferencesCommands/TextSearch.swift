internal import PropertyList

/// A case-insensitive search for a word.
struct TextSearch {
  private let word: [Unicode.Scalar]

  /// A search for a word.
  init(_ word: String) {
    self.word = Array(word.lowercased().unicodeScalars)
  }

  /// Whether a text contains the word.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.lowercased().unicodeScalars)
    guard scalars.count >= word.count else { return false }
    return (0...scalars.count - word.count).contains { scalars[$0...].starts(with: word) }
  }

  /// Whether a key or string within a value contains the word.
  func matches(_ value: PlistValue) -> Bool {
    var remaining = [value]
    // Containers that a value shares are searched once.
    var searched = ContainerMemo<Void>()
    while let value = remaining.popLast() {
      if searched.result(for: value) != nil { continue }
      searched.insert((), for: value)
      switch value {
      case .string(let string):
        if matches(string) { return true }
      case .array(let elements), .set(let elements):
        remaining += elements
      case .dictionary(let dictionary):
        for (key, value) in dictionary {
          if matches(key) { return true }
          remaining.append(value)
        }
      default: break
      }
    }
    return false
  }
}
