internal import PropertyList

/// A failure that a command reports in its own words.
package struct CommandFailure: Error, CustomStringConvertible {
  /// The lines for standard error.
  package var lines: [String]

  package var description: String { lines.joined(separator: "\n") }
  package init(_ lines: String...) { self.init(lines) }
  package init(_ lines: [String]) { self.lines = lines }
}

/// A command line that the tool does not accept.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// The error for an unexpected word of a kind, such as `format`.
  package init(unknown noun: String, _ word: String, expected names: [String]) {
    description =
      "unknown \(noun): \(word); expected \(names.alternatives)"
      + Suggestion.text(for: word, among: names)
  }
}

extension [String] {
  /// The words as a sentence lists alternatives: `a, b or c`.
  package var alternatives: String {
    count > 1 ? "\(dropLast().joined(separator: ", ")) or \(self[count - 1])" : first ?? ""
  }
}
