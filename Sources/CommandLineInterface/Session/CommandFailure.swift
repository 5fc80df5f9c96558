/// A failure that a command reports in its own words.
package struct CommandFailure: Error, CustomStringConvertible {
  /// The lines for standard error.
  package var lines: [String]

  /// The lines as one text.
  package var description: String { lines.joined(separator: "\n") }

  /// A failure with these lines.
  package init(_ lines: String...) {
    self.init(lines)
  }

  /// A failure with these lines.
  package init(_ lines: [String]) {
    self.lines = lines
  }
}
