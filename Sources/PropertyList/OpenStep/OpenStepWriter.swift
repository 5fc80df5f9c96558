internal import FoundationEssentials

/// Writes OpenStep property lists and `.strings` tables: indented by tabs, with strings quoted
/// where necessary and data in groups of four bytes, like Apple's descriptions.
struct OpenStepWriter: DocumentWriter, ~Copyable {
  private var output: TextOutput

  init(_ root: PlistValue, options: PlistWriteOptions) {
    output = TextOutput(root, options: options)
  }

  var keyPath: PlistKeyPath { output.walk.keyPath }
  consuming func data() -> Data { output.buffer.data() }

  mutating func write() throws(PlistError.Kind) {
    while let event = output.walk.next() {
      switch event {
      case .open(let container):
        try startEntry()
        try open(container)
      case .leaf(let value):
        try startEntry()
        try write(leaf: value)
        endEntry()
      case .close(let kind, let count):
        close(kind, count: count)
        endEntry()
      }
    }
    if !output.options.writesStringsTable { output.buffer.append("\n") }
    try output.checkSize()
  }

  /// Whether the current value is the root of a `.strings` table, which has no braces.
  private var isTable: Bool { output.options.writesStringsTable && output.walk.depth == 0 }

  /// Whether the current value is an entry of a `.strings` table.
  private var isTableEntry: Bool { output.options.writesStringsTable && output.walk.depth == 1 }

  /// Writes the text before a value in its container: the separator, the line break and the key.
  private mutating func startEntry() throws(PlistError.Kind) {
    guard output.walk.depth > 0 else { return }
    if let key = output.walk.key {
      if !isTableEntry { output.buffer.append("\n") }
      indent()
      try output.nodes.add(key: key)
      write(text: key)
      output.buffer.append(" = ")
    } else {
      output.buffer.append(output.walk.index > 0 ? ",\n" : "\n")
      indent()
    }
  }

  /// Writes the text after a value in a dictionary.
  private mutating func endEntry() {
    if output.walk.containerKind == .dictionary { output.buffer.append(isTableEntry ? ";\n" : ";") }
  }

  private mutating func open(_ container: PlistValue) throws(PlistError.Kind) {
    if isTable {
      guard case .dictionary(let entries) = container else {
        throw .stringsRootNotDictionary(container.kind)
      }
      // An empty document could not be read back.
      if entries.isEmpty { output.buffer.append("/* no entries */\n") }
    }
    try output.countContainer(container, in: .openStep)
    if !isTable { output.buffer.append(UInt8(ascii: container.kind == .dictionary ? "{" : "(")) }
  }

  private mutating func close(_ kind: PlistValue.Kind, count: Int) {
    if isTable { return }
    if count > 0 {
      output.buffer.append("\n")
      indent()
    }
    output.buffer.append(UInt8(ascii: kind == .dictionary ? "}" : ")"))
  }

  private mutating func indent() {
    output.buffer.append(
      repeating: 0x09, count: output.walk.depth - (output.options.writesStringsTable ? 1 : 0))
  }

  /// Returns the text of data, or of a number, a boolean or a date as a typed value.
  static func text(ofLeaf value: PlistValue) throws(PlistError.Kind) -> [UInt8] {
    var options = PlistWriteOptions()
    options.writesTypedValues = true
    var writer = OpenStepWriter(value, options: options)
    try writer.write(leaf: value)
    return Array(writer.output.buffer.bytes)
  }

  private mutating func write(leaf original: PlistValue) throws(PlistError.Kind) {
    if isTable { throw .stringsRootNotDictionary(original.kind) }
    let value =
      output.options.allowsLossyConversion && !output.options.writesTypedValues
      ? try text(inPlaceOf: original) : original
    try output.nodes.add(value)
    try output.checkSize()
    switch value {
    case .string(let string) where output.walk.depth == 0 && original.kind == .string:
      // Any text file with one word would be a bare word.
      output.buffer.append(openStepQuoted: string, isASCII: true)
    case .string(let string): write(text: string)
    case .data(let data): write(data)
    case .integer, .unsignedInteger, .real, .float, .boolean, .date:
      guard output.options.writesTypedValues else {
        throw .unrepresentableKind(value.kind, .openStep)
      }
      output.buffer.append("<*")
      output.buffer.append(try typedText(of: value))
      output.buffer.append(UInt8(ascii: ">"))
    case .uid, .null: throw .unrepresentableKind(value.kind, .openStep)
    case .dictionary, .array, .set: preconditionFailure("a container as a leaf")
    }
  }

  /// The text between the brackets of a GNUstep typed value.
  private func typedText(of value: PlistValue) throws(PlistError.Kind) -> String {
    if case .boolean(let boolean) = value { return boolean ? "BY" : "BN" }
    guard case .string(let text) = try text(inPlaceOf: value) else {
      throw .unrepresentableKind(value.kind, .openStep)
    }
    switch value.kind {
    case .integer: return "I" + text
    case .real: return "R" + text
    default: return "D" + text
    }
  }

  /// The string that replaces a value with ``PlistWriteOptions/allowsLossyConversion``, or the
  /// value itself.
  private func text(inPlaceOf value: PlistValue) throws(PlistError.Kind) -> PlistValue {
    switch value {
    case .integer(let number): return .string(String(number))
    case .unsignedInteger(let number): return .string(String(number))
    case .real(let number): return .string(NumberText.text(of: number))
    case .float(let number): return .string(NumberText.text(of: Double(number)))
    case .boolean(let boolean): return .string(boolean ? "1" : "0")
    case .date(let date):
      return .string(
        try UTCDateTime(date, for: .openStep, options: output.options).descriptionText)
    default: return value
    }
  }

  private mutating func write(_ data: Data) {
    output.buffer.append(UInt8(ascii: "<"))
    data.withUnsafeBytes { bytes in
      for (position, byte) in bytes.enumerated() {
        if position > 0, position % 4 == 0 { output.buffer.append(UInt8(ascii: " ")) }
        output.buffer.append(hexadecimalDigit: byte >> 4)
        output.buffer.append(hexadecimalDigit: byte)
      }
    }
    output.buffer.append(UInt8(ascii: ">"))
  }

  /// Writes a string or key, quoted where necessary and in tables.
  private mutating func write(text: String) {
    if !output.options.writesStringsTable, text.isOpenStepWord {
      output.buffer.append(text)
    } else {
      output.buffer.append(openStepQuoted: text, isASCII: !output.options.writesStringsTable)
    }
  }
}

/// Quoted strings of OpenStep documents and descriptions.
extension OutputBuffer {
  /// Appends a string in double quotes, with OpenStep escapes for unprintable characters.
  ///
  /// - Parameter isASCII: Whether characters beyond ASCII are also escaped.
  mutating func append(openStepQuoted text: String, isASCII: Bool) {
    let others = isASCII ? UInt64.highBits : 0
    func marks(_ word: UInt64) -> UInt64 {
      word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
        | word.marks(of: UInt8(ascii: "\\")) | word.marks(of: 0x7F) | word & others
    }
    append(UInt8(ascii: "\""))
    text.withBytes { bytes in
      var position = append(bytes, from: 0, upTo: marks)
      while position < bytes.count {
        if bytes[position] < 0x80 {
          append(openStepEscaped: bytes[position])
          position += 1
        } else {
          position = append(openStepUnicode: bytes, at: position)
        }
        position = append(bytes, from: position, upTo: marks)
      }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(openStepEscaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    if let letter = byte.controlLetter {
      append(letter)
    } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      append(byte)
    } else {
      for shift in [6, 3, 0] as [UInt8] { append(UInt8(ascii: "0") + byte >> shift & 7) }
    }
  }

  /// Appends the `\U` escapes of the character at a position of valid UTF-8, and returns the
  /// position after it.
  private mutating func append(
    openStepUnicode bytes: UnsafeRawBufferPointer, at position: Int
  ) -> Int {
    let length = (~bytes[position]).leadingZeroBitCount
    var scalar = UInt32(bytes[position] & 0x7F >> UInt8(length))
    for byte in bytes[position + 1..<position + length] {
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    if scalar < 0x10000 {
      append(openStepUnit: scalar)
    } else {
      append(openStepUnit: 0xD800 + (scalar - 0x10000) >> 10)
      append(openStepUnit: 0xDC00 + scalar & 0x3FF)
    }
    return position + length
  }

  private mutating func append(openStepUnit unit: UInt32) {
    append("\\U")
    for shift in [12, 8, 4, 0] as [UInt32] {
      append(hexadecimalDigit: UInt8(truncatingIfNeeded: unit >> shift))
    }
  }

  /// Appends the lowercase hexadecimal digit of a number's lowest four bits.
  @inline(__always)
  mutating func append(hexadecimalDigit number: UInt8) {
    let digit = number & 0x0F
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }
}
