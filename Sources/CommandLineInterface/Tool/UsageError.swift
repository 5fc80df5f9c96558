/// A command line that the tool does not allow.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, in one line.
  package var description: String

  /// The error of this text.
  package init(_ description: String) {
    self.description = description
  }
}
