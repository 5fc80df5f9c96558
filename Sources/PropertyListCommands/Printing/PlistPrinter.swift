internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Prints values as `plutil -p` does: two spaces a level, keys in natural order, quoted
/// strings.
///
/// Quotes, backslashes and control characters in strings are escaped, so that a string cannot be
/// mistaken for something else or control the terminal.
enum PlistPrinter {
  /// Prints a value to standard output.
  ///
  /// - Throws: An error if the text is out of proportion to the value.
  static func print(_ value: PlistValue, in session: Session) throws(PlistError.Kind) {
    var walk = PlistTreeWalk(value, keyOrder: .natural)
    var allowance = OutputAllowance(for: value)
    let start = session.printedSize
    while let event = walk.next() {
      try allowance.check(session.printedSize - start)
      session.print(String(repeating: "  ", count: walk.depth))
      switch event {
      case .open(let container):
        printLabel(of: walk, in: session)
        session.print("\(brackets(of: container.kind).opening)\n")
      case .leaf(let leaf):
        printLabel(of: walk, in: session)
        session.print(text(of: leaf), in: style(of: leaf))
        session.print("\n")
      case .close(let kind, _):
        session.print("\(brackets(of: kind).closing)\n")
      }
    }
  }

  /// Prints the key or index before a value.
  private static func printLabel(of walk: PlistTreeWalk, in session: Session) {
    if let key = walk.key {
      session.print(quoted(key), in: .key)
      session.print(" => ")
    } else if walk.containerKind == .array {
      session.print("\(walk.index) => ")
    }
  }

  private static func brackets(of kind: PlistValue.Kind) -> (opening: String, closing: String) {
    switch kind {
    case .dictionary: ("{", "}")
    case .array: ("[", "]")
    default: ("{(", ")}")
    }
  }

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

  private static func style(of leaf: PlistValue) -> TextStyle {
    switch leaf.kind {
    case .string: .string
    case .integer, .real, .date: .number
    default: .constant
    }
  }

  /// A string in quotes, with control characters escaped.
  private static func quoted(_ string: String) -> String { string.quoted { !$0.isControl } }
}
