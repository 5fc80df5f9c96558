/// What parts of a text are, which a terminal shows in colors of its user's own.
package enum TextStyle: String, Sendable {
  case key = "34"
  case string = "32"
  case number = "36"
  case constant = "35"
  case heading = "1"
  case removed = "31"
  /// What came new, as opposed to ``removed``.
  case added = "92"

  /// The text in this style, by the control sequence SGR of ECMA-48. It must hold no control characters
  /// of its own.
  func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
