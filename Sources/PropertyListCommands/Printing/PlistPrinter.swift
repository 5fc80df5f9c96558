internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The texts of values as `plutil -p` prints them.
///
/// Quotes, backslashes and control characters in strings are escaped, so that a string cannot be
/// mistaken for something else or control the terminal.
enum PlistPrinter {
  /// A leaf on one line; for a container only whether it is empty.
  static func text(of leaf: PlistValue) -> String {
    switch leaf {
    case .dictionary(let dictionary): dictionary.isEmpty ? "{}" : "{…}"
    case .array(let elements): elements.isEmpty ? "[]" : "[…]"
    case .set(let elements): elements.isEmpty ? "{()}" : "{(…)}"
    case .string(let string): quoted(string)
    case .integer(let number): String(number)
    case .unsignedInteger(let number): String(number)
    case .real(let number): "\(number)"
    case .float(let number): "\(number)"
    case .boolean(let boolean): String(boolean)
    case .date(let date): date.descriptionText
    case .data(let data): data.descriptionText
    case .uid(let uid): "<CFKeyedArchiverUID>{value = \(uid)}"
    case .null: "null"
    }
  }

  /// The style of a leaf.
  static func style(of leaf: PlistValue) -> TextStyle {
    switch leaf.kind {
    case .string: .string
    case .integer, .real, .date: .number
    default: .constant
    }
  }

  /// A string in quotes, with control characters escaped.
  static func quoted(_ string: String) -> String { string.quoted { !$0.isControl } }
}
