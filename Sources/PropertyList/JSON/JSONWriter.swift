internal import FoundationEssentials

/// Writes JSON, byte for byte as Apple's plutil does but for one point: a real has a point or an
/// exponent always, so that it is read back as one.
struct JSONWriter: ~Copyable {
  private let options: PlistWriteOptions
  private var output = OutputBuffer()
  private var containers: [ContainerCursor] = []
  private var nodes: NodeCount

  /// Writes a whole document.
  static func write(
    _ value: PlistValue, options: PlistWriteOptions
  ) throws(PlistError) -> Data {
    var writer = JSONWriter(options: options)
    do {
      try writer.write(document: value)
    } catch {
      throw PlistError(error, keyPath: PlistKeyPath(components: writer.containers.map(\.component)))
    }
    return writer.output.data()
  }

  private init(options: PlistWriteOptions) {
    self.options = options
    nodes = NodeCount(limits: options.limits)
  }

  private mutating func write(document value: PlistValue) throws(PlistError.Kind) {
    try write(value)
    while let last = containers.indices.last {
      if let next = containers[last].next() {
        if containers[last].index > 0 { output.append(UInt8(ascii: ",")) }
        startLine()
        if containers[last].kind == .dictionary {
          let key = containers[last].key(at: containers[last].index)
          try nodes.add(key: key)
          write(text: key)
          output.append(options.isPrettyPrinted ? " : " : ":")
        }
        try write(next)
      } else {
        let closed = containers.removeLast()
        // Apple's writers leave a line empty in a container without values.
        if closed.isEmpty, options.isPrettyPrinted { output.append(UInt8(ascii: "\n")) }
        startLine()
        output.append(UInt8(ascii: closed.kind == .dictionary ? "}" : "]"))
      }
    }
    try checkSize()
  }

  private func checkSize() throws(PlistError.Kind) {
    if output.count > options.limits.maximumSize {
      throw .tooLarge(limit: options.limits.maximumSize)
    }
  }

  @inline(__always)
  private mutating func startLine() {
    guard options.isPrettyPrinted else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(repeating: 0x20, count: containers.count * 2)
  }

  // MARK: Values

  /// Writes a leaf, or a container's opening bracket.
  private mutating func write(_ original: PlistValue) throws(PlistError.Kind) {
    let value = options.allowsLossyConversion ? try text(inPlaceOf: original) : original
    try nodes.add(value)
    try checkSize()
    switch value {
    case .dictionary(let dictionary):
      try open(ContainerCursor(dictionary, order: options.keyOrder), bracket: "{")
    case .array(let elements):
      try open(ContainerCursor(elements), bracket: "[")
    case .string(let string):
      write(text: string)
    case .integer(let number):
      if number < 0 { output.append(UInt8(ascii: "-")) }
      output.append(decimal: number.magnitude)
    case .unsignedInteger(let number):
      output.append(decimal: number)
    case .real(let number):
      try write(real: number)
    case .float(let number):
      try write(real: Double(number))
    case .boolean(let boolean):
      output.append(boolean ? "true" : "false")
    case .null:
      output.append("null")
    case .date, .data, .uid, .set:
      throw .unrepresentableKind(value.kind, .json)
    }
  }

  /// The string that stands for a value under ``PlistWriteOptions/allowsLossyConversion``, or the value itself.
  private func text(inPlaceOf value: PlistValue) throws(PlistError.Kind) -> PlistValue {
    switch value {
    case .date(let date):
      let moment = try ScalarText.Moment(date, for: .json, options: options)
      return .string("\(moment.dayText)T\(moment.timeText)Z")
    case .data(let data):
      return .string(data.base64EncodedString())
    default:
      return value
    }
  }

  private mutating func open(
    _ container: ContainerCursor, bracket: Unicode.Scalar
  ) throws(PlistError.Kind) {
    guard containers.count < options.limits.maximumDepth else {
      throw .tooDeep(limit: options.limits.maximumDepth)
    }
    output.append(UInt8(ascii: bracket))
    containers.append(container)
  }

  private mutating func write(real number: Double) throws(PlistError.Kind) {
    guard number.isFinite else { throw .notFinite(.json) }
    let text = ScalarText.text(of: number)
    output.append(text)
    // Digits alone are an integer.
    if !text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "e") }) {
      output.append(".0")
    }
  }

  // MARK: Text

  /// Writes a string or key in its quotes.
  private mutating func write(text: String) {
    output.append(UInt8(ascii: "\""))
    text.withBytes { bytes in
      var written = 0
      var position = Self.nextNotable(in: bytes, from: 0)
      while position < bytes.count {
        output.append(UnsafeRawBufferPointer(rebasing: bytes[written..<position]))
        write(escaped: bytes[position])
        written = position + 1
        position = Self.nextNotable(in: bytes, from: written)
      }
      output.append(UnsafeRawBufferPointer(rebasing: bytes[written...]))
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func write(escaped byte: UInt8) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x00..<0x20:
      output.append(byte < 0x10 ? "u000" : "u001")
      output.append(hexadecimalDigit: byte)
    default: output.append(byte)
    }
  }

  /// The first byte, from a position on, that has to be escaped: a control character, `"`, `\` or
  /// `/`; the end where there is none.
  @inline(__always)
  private static func nextNotable(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position + 8 <= bytes.count {
      let marks = notableMarks(bytes.word(at: position))
      if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
      position += 8
    }
    // Beyond the end there are zeros, which are control characters.
    let marks = notableMarks(bytes.lastWord(of: bytes.count - position))
    return position + marks.trailingZeroBitCount / 8
  }

  @inline(__always)
  private static func notableMarks(_ word: UInt64) -> UInt64 {
    word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
      | word.marks(of: UInt8(ascii: "\\")) | word.marks(of: UInt8(ascii: "/"))
  }
}
