internal import FoundationEssentials

extension PlistValue: CustomStringConvertible {
  /// The value in the style of OpenStep text, as `defaults read` on macOS prints it.
  ///
  /// The text is for people: it does not show all types, and it abridges long data. If it would
  /// exceed ``PlistLimits/maximumExpansion``, because the value shares parts, it ends with `…`.
  public var description: String {
    let (text, error) = DescriptionWriter.describe(self)
    return error == nil ? text : text + "…"
  }

  /// Returns the description; throws if it would exceed ``PlistLimits/maximumExpansion``.
  package func wholeDescription() throws(PlistError) -> String {
    let (text, error) = DescriptionWriter.describe(self)
    if let error { throw error }
    return text
  }
}

extension PlistDictionary: CustomStringConvertible {
  /// The dictionary in the style of ``PlistValue/description``.
  public var description: String { PlistValue.dictionary(self).description }
}

struct DescriptionWriter: ~Copyable {
  private var output = OutputBuffer()
  private var walk: PlistTreeWalk
  private var allowance: ExpansionLimit

  /// Returns the description of a value, cut off if it is too long, and then the error.
  static func describe(_ value: PlistValue) -> (text: String, PlistError?) {
    var writer = DescriptionWriter(value)
    var failure: PlistError?
    do throws(PlistError.Kind) {
      try writer.write()
    } catch {
      failure = PlistError(error, keyPath: writer.walk.keyPath)
    }
    return (String(decoding: writer.output.bytes, as: UTF8.self), failure)
  }

  private init(_ value: PlistValue) {
    walk = PlistTreeWalk(value, keyOrder: .sorted)
    allowance = ExpansionLimit(for: value)
  }

  private mutating func write() throws(PlistError.Kind) {
    while let event = walk.next() {
      try allowance.check(output.count)
      switch event {
      case .open(let container):
        startEntry()
        // An opening bracket is indented again after its key or on its own line.
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

  /// Writes the text before a value in its container: the separator, the indentation and the key.
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
    // Quotes distinguish a string from the text around it in a container; a root has no text around
    // it.
    if value.kind == .data || value.kind == .uid || walk.depth == 0 {
      output.append(text)
    } else {
      write(text: text)
    }
  }

  private static func text(ofLeaf value: PlistValue) -> String {
    switch value {
    case .string(let string): string
    case .real(let number): number.descriptionText
    case .float(let number): number.descriptionText
    case .boolean(let boolean): boolean ? "1" : "0"
    case .null: "<null>"
    default: value.leafText
    }
  }

  /// Writes text, quoted unless it consists of ASCII letters and digits.
  private mutating func write(text: String) {
    if !text.isEmpty, text.utf8.allSatisfy({ $0.isASCIILetter || $0.decimalDigit != nil }) {
      return output.append(text)
    }
    output.append(openStepQuoted: text, isASCII: true)
  }
}
