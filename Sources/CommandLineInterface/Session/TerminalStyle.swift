internal import FileStorage
internal import Glibc

/// The role of a text. A terminal shows it in a color of the user's palette.
package enum TerminalStyle: String, Sendable {
  case key = "34"
  case string = "32"
  case number = "36"
  case constant = "35"
  case heading = "1"
  case removed = "31"
  case added = "92"

  /// Whether standard output is a terminal that shows colors, and `NO_COLOR` is not set.
  static var isShown: Bool {
    let isDeclined = Environment.value(of: "NO_COLOR").map { !$0.isEmpty } ?? false
    let isPlain = Environment.value(of: "TERM").map { $0 == "dumb" } ?? true
    return !isDeclined && !isPlain && isatty(STDOUT_FILENO) == 1
  }

  /// The text in this style, by the control sequence SGR of ECMA-48. It must not contain control
  /// characters itself.
  func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
