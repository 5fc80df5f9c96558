/// Why a command was not done, in words of its own.
package struct CommandFailure: Error {
  /// What standard error is told, line by line.
  package var lines: [String]

  /// A failure of these lines.
  package init(_ lines: String...) {
    self.lines = lines
  }
}
