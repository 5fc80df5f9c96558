/// A command line that the tool does not accept.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason, in one line.
  package var description: String

  /// An error with this text.
  package init(_ description: String) {
    self.description = description
  }
}
