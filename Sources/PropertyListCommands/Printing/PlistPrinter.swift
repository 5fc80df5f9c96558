internal import CommandLineInterface
internal import PropertyList

/// How `plutil -p` prints values.
enum PlistPrinter {
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
