/// A failure that is reported as Apple's PlistBuddy reports it, with a line on standard output, and
/// explained on standard error.
struct PrintedFailure: Error {
  /// The line for standard output, in the words that scripts match on.
  let notice: String
  /// The tool or the file that the explanation is about.
  let subject: String
  /// The cause, what was expected, and the way out.
  let explanation: String

  /// The line for standard error.
  var line: String { "\(subject): \(explanation)" }

  /// The failure to parse a command or a value.
  static func syntax(_ notice: String, _ explanation: String) -> PrintedFailure {
    PrintedFailure(notice: notice, subject: "PlistBuddy", explanation: explanation)
  }

  /// The failure to read the edited file.
  static func unreadable(_ path: String, _ reason: String) -> PrintedFailure {
    PrintedFailure(notice: "Error Reading File: \(path)", subject: path, explanation: reason)
  }
}
