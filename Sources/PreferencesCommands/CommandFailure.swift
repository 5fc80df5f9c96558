/// Why a command was not done.
struct CommandFailure: Error {
  /// What standard error is told, line by line.
  var lines: [String]

  /// A failure of these lines.
  init(_ lines: String...) {
    self.lines = lines
  }
}
