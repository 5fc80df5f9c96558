internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// Prints values as `plutil -p` does: two spaces a level, sorted keys, quoted strings.
///
/// Quotes, backslashes and control characters in strings are escaped, so that a string cannot be mistaken for
/// something else or control the terminal.
struct PlistPrinter {
  private let session: Session
  private var containers: [ContainerCursor] = []

  /// Prints a value to standard output.
  static func print(_ value: PlistValue, in session: Session) {
    var printer = PlistPrinter(session: session)
    printer.print(value)
  }

  private init(session: Session) {
    self.session = session
  }

  private mutating func print(_ root: PlistValue) {
    write(root)
    while let last = containers.indices.last {
      if let value = containers[last].next() {
        indent(containers.count)
        if let key = containers[last].key {
          session.print(Self.quoted(key), in: .key)
          session.print(" => ")
        } else if containers[last].kind == .array {
          session.print("\(containers[last].index) => ")
        }
        write(value)
      } else {
        let closed = containers.removeLast()
        indent(containers.count)
        switch closed.kind {
        case .dictionary: session.print("}\n")
        case .array: session.print("]\n")
        default: session.print(")}\n")
        }
      }
    }
  }

  /// Prints a leaf, or a container's opening.
  private mutating func write(_ value: PlistValue) {
    switch value {
    case .dictionary(let dictionary):
      session.print("{\n")
      containers.append(ContainerCursor(dictionary, order: .sorted))
    case .array(let elements):
      session.print("[\n")
      containers.append(ContainerCursor(elements))
    case .set(let elements):
      session.print("{(\n")
      containers.append(ContainerCursor(elements, kind: .set))
    default:
      session.print(Self.text(of: value), in: Self.style(of: value))
      session.print("\n")
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

  private func indent(_ level: Int) {
    session.print(String(repeating: "  ", count: level))
  }

  /// A string in quotes, with control characters escaped.
  private static func quoted(_ string: String) -> String { string.quoted { !$0.isControl } }
}
