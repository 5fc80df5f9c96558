internal import FoundationEssentials

extension PlistValue: CustomStringConvertible {
  /// The value in the style of OpenStep text, as `defaults read` on macOS prints it.
  ///
  /// The text is for people: it does not show all types, and it abridges long data. Where it would
  /// exceed ``PlistLimits/maximumExpansion``, because the value shares parts, it ends with `…`.
  public var description: String { DescriptionWriter.describe(self) }

  /// Returns the description; throws if it would exceed ``PlistLimits/maximumExpansion``.
  package func wholeDescription() throws(PlistError) -> String {
    try DescriptionWriter.describeWhole(self)
  }
}

extension PlistDictionary: CustomStringConvertible {
  /// The dictionary in the style of ``PlistValue/description``.
  public var description: String { DescriptionWriter.describe(.dictionary(self)) }
}

struct DescriptionWriter: ~Copyable {
  private var output = OutputBuffer()
  private var walk: PlistTreeWalk
  private var allowance: OutputAllowance

  /// Returns the description of a value, abridged if it is too long.
  static func describe(_ value: PlistValue) -> String {
    var writer = DescriptionWriter(value)
    do throws(PlistError.Kind) {
      try writer.write()
    } catch {
      writer.output.append("…")
    }
    return writer.text()
  }

  /// Returns the description of a value, or throws if it is too long.
  static func describeWhole(_ value: PlistValue) throws(PlistError) -> String {
    var writer = DescriptionWriter(value)
    do throws(PlistError.Kind) {
      try writer.write()
    } catch {
      throw PlistError(error, keyPath: writer.walk.keyPath)
    }
    return writer.text()
  }

  private init(_ value: PlistValue) {
    walk = PlistTreeWalk(value, keyOrder: .sorted)
    allowance = OutputAllowance(for: value)
  }

  private consuming func text() -> String { String(decoding: output.bytes, as: UTF8.self) }

  private mutating func write() throws(PlistError.Kind) {
    while let event = walk.next() {
      try allowance.check(output.count)
      switch event {
      case .open(let container):
        startEntry()
        // An opening bracket is indented once more after its key or in its line.
        indent()
        output.append(Self.brackets(of: container.kind).opening)
        output.append("\n")
      case .leaf(let value):
        startEntry()
        write(leaf: value)
      case .close(let kind, let count):
        if count > 0 { output.append(kind == .dictionary ? ";\n" : "\n") }
        indent()
        output.append(Self.brackets(of: kind).closing)
      }
    }
  }

  /// Writes what comes before a value in its container: the separator, the indentation and the key.
  private mutating func startEntry() {
    guard let kind = walk.containerKind else { return }
    if walk.index > 0 { output.append(kind == .dictionary ? ";\n" : ",\n") }
    indent()
    if let key = walk.key {
      write(text: key)
      output.append(" = ")
    }
  }

  private static func brackets(
    of kind: PlistValue.Kind
  ) -> (opening: StaticString, closing: StaticString) {
    switch kind {
    case .dictionary: ("{", "}")
    case .set: ("{(", ")}")
    default: ("(", ")")
    }
  }

  private mutating func indent() { output.append(repeating: 0x20, count: walk.depth * 4) }

  private mutating func write(leaf value: PlistValue) {
    let text = Self.text(ofLeaf: value)
    // Quotes set strings apart from the container around them; a root has none.
    if value.kind == .data || value.kind == .uid || walk.depth == 0 {
      output.append(text)
    } else {
      write(text: text)
    }
  }

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

  /// Writes text, quoted unless it consists of ASCII letters and digits.
  private mutating func write(text: String) {
    if !text.isEmpty, text.utf8.allSatisfy(Self.isAlphanumeric) { return output.append(text) }
    output.append(openStepQuoted: text, isASCII: true)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte.decimalDigit != nil || 0x61...0x7A ~= byte | 0x20
  }
}
