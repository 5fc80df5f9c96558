internal import FoundationEssentials

extension PlistValue: CustomStringConvertible {
  /// The value in the old style of OpenStep, as `defaults read` of macOS prints it.
  ///
  /// It is for people: types get lost in it, and long data is cut in the middle. Parts that a binary
  /// property list shares are described each time they appear, which can make a long text of a small
  /// file.
  public var description: String {
    DescriptionWriter.describe(self)
  }
}

extension PlistDictionary: CustomStringConvertible {
  /// The dictionary in the old style of OpenStep, as ``PlistValue/description`` has it.
  public var description: String {
    DescriptionWriter.describe(.dictionary(self))
  }
}

/// Writes the old-style description of a value.
struct DescriptionWriter: ~Copyable {
  private var output = OutputBuffer()
  private var containers: [ContainerCursor] = []

  /// Describes a whole value.
  static func describe(_ value: PlistValue) -> String {
    var writer = DescriptionWriter()
    writer.write(root: value)
    return String(decoding: writer.output.data(), as: UTF8.self)
  }

  private mutating func write(root value: PlistValue) {
    guard value.isContainer else {
      // Quotes tell a leaf from the container around it; here there is none.
      return output.append(Self.text(ofLeaf: value))
    }
    write(value)
    while let last = containers.indices.last {
      if let next = containers[last].next() {
        if containers[last].index > 0 {
          output.append(containers[last].kind == .dictionary ? ";\n" : ",\n")
        }
        indent(containers.count)
        if let key = containers[last].key {
          write(text: key)
          output.append(" = ")
        }
        write(next)
      } else {
        close(containers.removeLast())
      }
    }
  }

  /// Writes a leaf, or a container's opening bracket behind an indentation of its own.
  private mutating func write(_ value: PlistValue) {
    switch value {
    case .dictionary(let dictionary):
      open(ContainerCursor(dictionary, order: .sorted), bracket: "{\n")
    case .array(let elements):
      open(ContainerCursor(elements), bracket: "(\n")
    case .set(let elements):
      open(ContainerCursor(elements, kind: .set), bracket: "{(\n")
    case .data, .uid:
      output.append(Self.text(ofLeaf: value))
    default:
      write(text: Self.text(ofLeaf: value))
    }
  }

  private mutating func open(_ container: ContainerCursor, bracket: StaticString) {
    indent(containers.count)
    output.append(bracket)
    containers.append(container)
  }

  private mutating func close(_ container: ContainerCursor) {
    if !container.isEmpty { output.append(container.kind == .dictionary ? ";\n" : "\n") }
    indent(containers.count)
    switch container.kind {
    case .dictionary: output.append("}")
    case .set: output.append(")}")
    default: output.append(")")
    }
  }

  private mutating func indent(_ level: Int) {
    output.append(repeating: 0x20, count: level * 4)
  }

  // MARK: Text

  private static func text(ofLeaf value: PlistValue) -> String {
    switch value {
    case .string(let string): string
    case .integer(let number): String(number)
    case .unsignedInteger(let number): String(number)
    case .real(let number): number.descriptionText
    case .float(let number): number.descriptionText
    case .boolean(let boolean): boolean ? "1" : "0"
    case .date(let date): date.descriptionText
    case .data(let data): data.descriptionText
    case .uid(let uid): "<CFKeyedArchiverUID>{value = \(uid)}"
    case .null: "<null>"
    case .dictionary, .array, .set: preconditionFailure("a container as a leaf")
    }
  }

  /// Writes text, in quotes unless it is letters and digits of ASCII alone.
  private mutating func write(text: String) {
    if !text.isEmpty, text.utf8.allSatisfy(Self.isAlphanumeric) { return output.append(text) }
    output.append(openStepQuoted: text, isASCII: true)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte.decimalDigit != nil || 0x61...0x7A ~= byte | 0x20
  }
}

extension PlistValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .dictionary, .array, .set: true
    default: false
    }
  }
}
