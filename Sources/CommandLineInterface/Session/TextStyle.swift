/// The role of a text, which a terminal shows in one of the colors that its user has chosen.
package enum TextStyle: String, Sendable {
  case key = "34"
  case string = "32"
  case number = "36"
  case constant = "35"
  case heading = "1"
  case removed = "31"
  case added = "92"

  /// The text in this style, by the control sequence SGR of ECMA-48. It must not contain control
  /// characters itself.
  func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
