internal import FoundationEssentials

/// Writes JSON, byte for byte like Apple's plutil, except that a real always has a point or an
/// exponent, so that it is read back as a real.
typealias JSONWriter = TextWriter<JSONSyntax>

enum JSONSyntax: TextSyntax {
  static func write(_ writer: inout JSONWriter) throws(PlistError.Kind) { try writer.writeJSON() }
}

extension TextWriter<JSONSyntax> {
  static func text(ofLeaf value: PlistValue) throws(PlistError.Kind) -> [UInt8] {
    var writer = JSONWriter(value, options: PlistWriteOptions())
    try writer.write(leaf: value)
    return Array(writer.output.buffer.bytes)
  }

  fileprivate mutating func writeJSON() throws(PlistError.Kind) {
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

  /// Writes what comes before a value in its container: the separator, the line break and the key.
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

  // MARK: Values

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
    case .string(let string):
      write(text: string)
    case .integer(let number):
      if number < 0 { output.buffer.append(UInt8(ascii: "-")) }
      output.buffer.append(decimal: number.magnitude)
    case .unsignedInteger(let number):
      output.buffer.append(decimal: number)
    case .real(let number):
      try write(real: number)
    case .float(let number):
      try write(real: Double(number))
    case .boolean(let boolean):
      output.buffer.append(boolean ? "true" : "false")
    case .null:
      output.buffer.append("null")
    case .date, .data, .uid:
      throw .unrepresentableKind(value.kind, .json)
    case .dictionary, .array, .set:
      preconditionFailure("a container as a leaf")
    }
  }

  /// The string that replaces a value with ``PlistWriteOptions/allowsLossyConversion``, or the
  /// value itself.
  private func text(inPlaceOf value: PlistValue) throws(PlistError.Kind) -> PlistValue {
    switch value {
    case .date(let date):
      let dateTime = try UTCDateTime(date, for: .json, options: output.options)
      return .string("\(dateTime.dayText)T\(dateTime.timeText)Z")
    case .data(let data):
      return .string(data.base64EncodedString())
    default:
      return value
    }
  }

  private mutating func write(real number: Double) throws(PlistError.Kind) {
    guard number.isFinite else { throw .notFinite(.json) }
    let text = ScalarText.text(of: number)
    output.buffer.append(text)
    // Digits alone are an integer.
    if !text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }) {
      output.buffer.append(".0")
    }
  }

  // MARK: Text

  /// Writes a string or key in quotes.
  private mutating func write(text: String) {
    output.buffer.append(UInt8(ascii: "\""))
    text.withBytes { bytes in
      var written = 0
      var position = Self.nextToEscape(in: bytes, from: 0)
      while position < bytes.count {
        output.buffer.append(UnsafeRawBufferPointer(rebasing: bytes[written..<position]))
        write(escaped: bytes[position])
        written = position + 1
        position = Self.nextToEscape(in: bytes, from: written)
      }
      output.buffer.append(UnsafeRawBufferPointer(rebasing: bytes[written...]))
    }
    output.buffer.append(UInt8(ascii: "\""))
  }

  private mutating func write(escaped byte: UInt8) {
    output.buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.buffer.append(UInt8(ascii: "b"))
    case 0x09: output.buffer.append(UInt8(ascii: "t"))
    case 0x0A: output.buffer.append(UInt8(ascii: "n"))
    case 0x0C: output.buffer.append(UInt8(ascii: "f"))
    case 0x0D: output.buffer.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      output.buffer.append(byte < 0x10 ? "u000" : "u001")
      output.buffer.append(hexadecimalDigit: byte)
    default: output.buffer.append(byte)
    }
  }

  /// The first byte from a position on that has to be escaped, a control character, `"`, `\` or
  /// `/`; the end if there is none.
  @inline(__always)
  private static func nextToEscape(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position + 8 <= bytes.count {
      let marks = escapeMarks(bytes.word(at: position))
      if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
      position += 8
    }
    // The word is padded with zeros, which are control characters.
    let marks = escapeMarks(bytes.lastWord(of: bytes.count - position))
    return position + marks.trailingZeroBitCount / 8
  }

  @inline(__always)
  private static func escapeMarks(_ word: UInt64) -> UInt64 {
    word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
      | word.marks(of: UInt8(ascii: "\\")) | word.marks(of: UInt8(ascii: "/"))
  }
}
