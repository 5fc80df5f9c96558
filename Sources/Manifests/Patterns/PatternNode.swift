/// A part of a regular expression.
indirect enum PatternNode: Sendable {
  case empty
  case set(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A part that occurs this many times; any number from the least on without a maximum.
  case repetition(PatternNode, minimum: Int, maximum: Int?)

  /// About the number of instructions and items of sets that the part takes, at least one, up to the
  /// largest integer.
  var size: Int {
    switch self {
    case .empty, .assertion: 1
    case .set(let set): set.itemCount
    case .sequence(let parts), .choice(let parts):
      parts.reduce(parts.count + 1) { $0.addingSaturating($1.size) }
    case .repetition(let part, let minimum, let maximum):
      (part.size.addingSaturating(2)).multiplyingSaturating(
        by: max(1, maximum ?? (minimum == .max ? minimum : minimum + 1)))
    }
  }
}

/// A condition on a position of the text.
enum PatternAssertion: Sendable {
  case textStart
  case textEnd
  /// The end of the text, or before the line break that ends it.
  case finalLineEnd
  case lineStart
  case lineEnd
  case wordBoundary
  case noWordBoundary

  func holds(at position: Int, in text: [Unicode.Scalar]) -> Bool {
    switch self {
    case .textStart: position == 0
    case .textEnd: position == text.count
    case .finalLineEnd:
      position == text.count || position == text.count - 1 && text[position].isLineBreak
        || position == text.count - 2 && text[position] == "\r" && text[position + 1] == "\n"
    case .lineStart: position == 0 || text[position - 1].isLineBreak
    case .lineEnd: position == text.count || text[position].isLineBreak
    case .wordBoundary: Self.isWordBoundary(position, in: text)
    case .noWordBoundary: !Self.isWordBoundary(position, in: text)
    }
  }

  private static func isWordBoundary(_ position: Int, in text: [Unicode.Scalar]) -> Bool {
    let before = position > 0 && text[position - 1].isWordCharacter
    let after = position < text.count && text[position].isWordCharacter
    return before != after
  }
}

extension Int {
  fileprivate func addingSaturating(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  fileprivate func multiplyingSaturating(by other: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? .max : product
  }
}
