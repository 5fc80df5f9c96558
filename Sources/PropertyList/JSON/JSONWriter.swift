internal import FoundationEssentials

/// Writes JSON, byte for byte as Apple's plutil does but for one point: a real has a point or an
/// exponent always, so that it is read back as one.
struct JSONWriter: DocumentWriter, ~Copyable {
  private let options: PlistWriteOptions
  private var walk: PlistTreeWalk
  private var output = OutputBuffer()
  private var nodes: NodeCount

  init(_ root: PlistValue, options: PlistWriteOptions) {
    self.options = options
    walk = PlistTreeWalk(root, keyOrder: options.keyOrder)
    nodes = NodeCount(limits: options.limits)
  }

  var keyPath: PlistKeyPath { walk.keyPath }

  consuming func data() -> Data { output.data() }

  mutating func write() throws(PlistError.Kind) {
    while let event = walk.next() {
      switch event {
      case .open(let container):
        try startEntry()
        try open(container)
      case .leaf(let value):
        try startEntry()
        try write(leaf: value)
      case .close(let kind, let count):
        // Apple's writers leave a line empty in a container without values.
        if count == 0, options.isPrettyPrinted { output.append(UInt8(ascii: "\n")) }
        startLine()
        output.append(UInt8(ascii: kind == .dictionary ? "}" : "]"))
      }
    }
    try checkSize()
  }

  /// Writes what comes before a value in its container: the separator, the line break and the key.
  @inline(__always)
  private mutating func startEntry() throws(PlistError.Kind) {
    guard walk.depth > 0 else { return }
    if walk.index > 0 { output.append(UInt8(ascii: ",")) }
    startLine()
    if let key = walk.key {
      try nodes.add(key: key)
      write(text: key)
      output.append(options.isPrettyPrinted ? " : " : ":")
    }
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
    output.append(repeating: 0x20, count: walk.depth * 2)
  }

  // MARK: Values

  private mutating func open(_ container: PlistValue) throws(PlistError.Kind) {
    try nodes.addContainer()
    try checkSize()
    if container.kind == .set { throw .unrepresentableKind(.set, .json) }
    guard walk.depth < options.limits.maximumDepth else {
      throw .tooDeep(limit: options.limits.maximumDepth)
    }
    output.append(UInt8(ascii: container.kind == .dictionary ? "{" : "["))
  }

  @inline(__always)
  private mutating func write(leaf original: PlistValue) throws(PlistError.Kind) {
    let value = options.allowsLossyConversion ? try text(inPlaceOf: original) : original
    try nodes.add(value)
    try checkSize()
    switch value {
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
    case .date, .data, .uid:
      throw .unrepresentableKind(value.kind, .json)
    case .dictionary, .array, .set:
      preconditionFailure("a container as a leaf")
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
