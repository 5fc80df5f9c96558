internal import CommandLineInterface

/// A pattern that `-find` searches for: a Swift regular expression.
struct TextPattern {
  /// The bytes of a pattern without special characters, which need no engine; nil for others.
  private let literal: [UInt8]?
  private let expression: Regex<AnyRegexOutput>?

  private static let special = Set(#"\^$.|?*+()[]{}"#.utf8)

  /// - Throws: A usage error if the pattern is malformed.
  init(_ pattern: String) throws(UsageError) {
    guard pattern.utf8.contains(where: Self.special.contains) else {
      literal = Array(pattern.utf8)
      expression = nil
      return
    }
    literal = nil
    do {
      expression = try Regex(pattern).matchingSemantics(.unicodeScalar)
    } catch {
      throw UsageError("invalid regular expression \(pattern): \(Self.defect(of: error))")
    }
  }

  /// The error in the words of people who write patterns, not of those who read them.
  private static func defect(of error: any Error) -> String {
    switch "\(error)" {
    case "expected custom character class members", "expected ']'": "[ is never closed"
    case "expected ')'": "( is never closed"
    case let other: other
    }
  }

  /// Whether the pattern occurs in a text.
  func occurs(in text: String) -> Bool {
    guard let literal else {
      guard let expression else { return false }
      // An error is one of the engine's, for a pattern that matches nothing.
      return (try? expression.firstMatch(in: text)) ?? nil != nil
    }
    var text = text
    return text.withUTF8 { $0.contains(literal) }
  }
}
