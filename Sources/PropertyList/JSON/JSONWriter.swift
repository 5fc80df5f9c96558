internal import FoundationEssentials

/// Writes JSON, byte for byte like Apple's plutil, except that a real always has a point or an
/// exponent, so that it is read back as a real.
struct JSONWriter: DocumentWriter, ~Copyable {
  private var output: TextOutput

  init(_ root: PlistValue, options: PlistWriteOptions) {
    output = TextOutput(root, options: options)
  }

  var keyPath: PlistKeyPath { output.walk.keyPath }
  consuming func data() -> Data { output.buffer.data() }

  static func text(ofLeaf value: PlistValue) throws(PlistError.Kind) -> [UInt8] {
    var writer = JSONWriter(value, options: PlistWriteOptions())
    try writer.write(leaf: value)
    return Array(writer.output.buffer.bytes)
  }

  mutating func write() throws(PlistError.Kind) {
    while let event = output.walk.next() {
      switch event {
      case .open(let container):
        try startEntry()
        try open(container)
      case .leaf(let value):
        try startEntry()
        try write(leaf: value)
      case .close(let kind, let count):
        // Apple's writers leave an empty line in an empty container.
        if count == 0, output.options.isPrettyPrinted { output.buffer.append(UInt8(ascii: "\n")) }
        startLine()
        output.buffer.append(UInt8(ascii: kind == .dictionary ? "}" : "]"))
      }
    }
    if output.options.endsLine { output.buffer.append(UInt8(ascii: "\n")) }
    try output.checkSize()
  }

  /// Writes the text before a value in its container: the separator, the line break and the key.
  @inline(__always)
  private mutating func startEntry() throws(PlistError.Kind) {
    guard output.walk.depth > 0 else { return }
    if output.walk.index > 0 { output.buffer.append(UInt8(ascii: ",")) }
    startLine()
    if let key = output.walk.key {
      try output.nodes.add(key: key)
      write(text: key)
      output.buffer.append(output.options.isPrettyPrinted ? " : " : ":")
    }
  }

  @inline(__always)
  private mutating func startLine() {
    guard output.options.isPrettyPrinted else { return }
    output.buffer.append(UInt8(ascii: "\n"))
    output.buffer.append(repeating: 0x20, count: output.walk.depth * 2)
  }

  private mutating func open(_ container: PlistValue) throws(PlistError.Kind) {
    try output.countContainer(container, in: .json)
    output.buffer.append(UInt8(ascii: container.kind == .dictionary ? "{" : "["))
  }

  @inline(__always)
  private mutating func write(leaf original: PlistValue) throws(PlistError.Kind) {
    let value = output.options.allowsLossyConversion ? try text(inPlaceOf: original) : original
    try output.nodes.add(value)
    try output.checkSize()
    switch value {
    case .string(let string): write(text: string)
    case .integer(let number):
      if number < 0 { output.buffer.append(UInt8(ascii: "-")) }
      output.buffer.append(decimal: number.magnitude)
    case .unsignedInteger(let number): output.buffer.append(decimal: number)
    case .real(let number): try write(real: number)
    case .float(let number): try write(real: Double(number))
    case .boolean(let boolean): output.buffer.append(boolean ? "true" : "false")
    case .null: output.buffer.append("null")
    case .date, .data, .uid: throw .unrepresentableKind(value.kind, .json)
    case .dictionary, .array, .set: preconditionFailure("a container as a leaf")
    }
  }

  /// The string that replaces a value with ``PlistWriteOptions/allowsLossyConversion``, or the
  /// value itself.
  private func text(inPlaceOf value: PlistValue) throws(PlistError.Kind) -> PlistValue {
    switch value {
    case .date(let date):
      return .string(try UTCDateTime(date, for: .json, options: output.options).isoText)
    case .data(let data): return .string(data.base64EncodedString())
    default: return value
    }
  }

  private mutating func write(real number: Double) throws(PlistError.Kind) {
    guard number.isFinite else { throw .notFinite(.json) }
    let text = NumberText.text(of: number)
    output.buffer.append(text)
    // Digits alone would be read as an integer.
    if !text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }) {
      output.buffer.append(".0")
    }
  }

  private mutating func write(text: String) {
    output.buffer.append(UInt8(ascii: "\""))
    text.withBytes { bytes in
      var position = output.buffer.append(bytes, from: 0, upTo: Self.escapeMarks)
      while position < bytes.count {
        write(escaped: bytes[position])
        position = output.buffer.append(bytes, from: position + 1, upTo: Self.escapeMarks)
      }
    }
    output.buffer.append(UInt8(ascii: "\""))
  }

  private mutating func write(escaped byte: UInt8) {
    output.buffer.append(UInt8(ascii: "\\"))
    // JSON has no escape for 07 and 0B.
    if let letter = byte.controlLetter, byte != 0x07, byte != 0x0B {
      output.buffer.append(letter)
    } else if byte < 0x20 {
      output.buffer.append(byte < 0x10 ? "u000" : "u001")
      output.buffer.append(hexadecimalDigit: byte)
    } else {
      output.buffer.append(byte)
    }
  }

  /// Marks control characters, `"`, `\` and `/`.
  @inline(__always)
  private static func escapeMarks(_ word: UInt64) -> UInt64 {
    word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
      | word.marks(of: UInt8(ascii: "\\")) | word.marks(of: UInt8(ascii: "/"))
  }
}
