internal import CommandLineInterface
internal import FoundationEssentials
internal import PropertyList

/// The commands that only read.
extension PropertyListTool {
  /// `-lint`
  static func lint(_ invocation: Invocation, in session: Session) {
    let silent = invocation.has(Option.silent)
    for operand in invocation.operands {
      let input = InputFile(operand: operand)
      guard let document = input.read(in: session) else { continue }
      // Any text of one word would pass for a property list otherwise.
      if let bareWord = document.warnings.first(where: { $0.kind == .bareWord }) {
        session.report("\(bareWord)", about: input.name)
        continue
      }
      guard !silent else { continue }
      for warning in document.warnings { session.warn(warning, about: input.name) }
      session.print("\(input.name.onOneLine): OK\n")
    }
  }

  /// `-p`
  static func print(_ invocation: Invocation, in session: Session) {
    for operand in invocation.operands {
      guard let document = InputFile(operand: operand).read(in: session) else { continue }
      PlistPrinter.print(document.value, in: session)
    }
  }

  /// `-type`
  static func type(_ invocation: Invocation, in session: Session) {
    let path = PlistKeyPath(invocation.arguments[0])
    for operand in invocation.operands {
      let input = InputFile(operand: operand)
      guard let source = input.open(whole: false, warns: false, in: session) else { continue }
      if let kind = source.find(at: path, of: input, in: session, source.kind) {
        session.print(typeName(of: kind) + "\n")
      }
    }
  }

  private static func typeName(of kind: PlistValue.Kind) -> String {
    switch kind {
    case .boolean: "bool"
    case .real: "float"
    case .uid: "uid"
    default: kind.rawValue
    }
  }

  /// A value as `-extract … raw` prints it.
  static func rawText(of value: PlistValue) -> String {
    switch value {
    case .dictionary(let dictionary):
      return dictionary.sortedKeys.joined(separator: "\n")
    case .array(let elements), .set(let elements): return String(elements.count)
    case .string(let string): return string
    case .integer(let number): return String(number)
    case .unsignedInteger(let number): return String(number)
    case .real(let number): return number.description
    case .float(let number): return number.description
    case .boolean(let boolean): return boolean ? "true" : "false"
    case .date(let date):
      return date.propertyListText ?? String(date.timeIntervalSinceReferenceDate)
    case .data(let data): return data.base64EncodedString()
    case .uid(let uid): return String(uid)
    case .null: return "null"
    }
  }
}
