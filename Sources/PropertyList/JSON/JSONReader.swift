internal import FoundationEssentials

struct JSONReader: TextFormatReader {
  var scanner: JSONScanner
  private(set) var builder: PlistTreeBuilder
  private(set) var starts: [Int] = []
  /// Whether only the opening bracket of the innermost container has been read.
  private var isAtStart = false

  static func read(_ data: Data, options: PlistReadOptions) throws(PlistError) -> ReadText {
    try data.withBytes { bytes throws(PlistError) in
      guard !bytes.isWideText else { throw PlistError(.unsupportedUnicodeEncoding) }
      let markLength = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return try read(
        text: UnsafeRawBufferPointer(rebasing: bytes[markLength...]), options: options)
    }
  }

  init(_ text: UnsafeRawBufferPointer, options: PlistReadOptions) {
    scanner = JSONScanner(text)
    builder = PlistTreeBuilder(limits: options.limits, recordsIndex: options.needsIndex)
  }

  mutating func read() throws(PlistError.Kind) {
    scanner.skipSpace()
    guard scanner.next != nil else { throw .empty }
    try readValue(expected: "a value")
    while let isInDictionary = builder.isInDictionary { try readNext(inDictionary: isInDictionary) }
    scanner.skipSpace()
    guard scanner.next == nil else { throw unexpected("the end of the document") }
  }

  static func refine(
    _ error: PlistError.Kind, at offset: Int, in text: UnsafeRawBufferPointer
  ) -> (PlistError.Kind, at: Int) {
    let isComment = text.hasBytes("//", at: offset) || text.hasBytes("/*", at: offset)
    return (isComment ? .jsonComment : error, offset)
  }

  /// Reads the next value of the innermost container, with its key in a dictionary, or the end of
  /// the container.
  @inline(__always)
  private mutating func readNext(inDictionary: Bool) throws(PlistError.Kind) {
    scanner.skipSpace()
    if scanner.skip(inDictionary ? "}" : "]") {
      isAtStart = false
      starts.removeLast()
      return builder.attach(builder.close(at: scanner.offset - 1..<scanner.offset))
    }
    var expected: String
    if isAtStart {
      isAtStart = false
      expected = inDictionary ? "a key or }" : "a value or ]"
    } else {
      guard scanner.skip(",") else { throw unexpected(inDictionary ? ", or }" : ", or ]") }
      scanner.skipSpace()
      expected = inDictionary ? "a key" : "a value"
    }
    if inDictionary {
      try readKey(expected: expected)
      expected = "a value"
    }
    try readValue(expected: expected)
  }

  @inline(__always)
  private mutating func readKey(expected: String) throws(PlistError.Kind) {
    let start = scanner.offset
    guard scanner.next == UInt8(ascii: "\"") else { throw unexpected(expected) }
    let key = try scanner.string()
    let end = scanner.offset
    scanner.errorOffset = start
    try builder.key(key, at: .byte(start), to: end)
    scanner.skipSpace()
    guard scanner.skip(":") else { throw unexpected(":") }
    scanner.skipSpace()
  }

  /// Reads a leaf, or the opening bracket of a container.
  @inline(__always)
  private mutating func readValue(expected: String) throws(PlistError.Kind) {
    let start = scanner.offset
    guard let byte = scanner.next else { throw unexpected(expected) }
    let value: PlistValue
    switch byte {
    case UInt8(ascii: "\""): value = .string(try scanner.string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      value = try scanner.number()
      if scanner.hasUnderflow {
        scanner.hasUnderflow = false
        builder.warn(.underflow, at: .byte(start))
      }
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      scanner.errorOffset = start
      try builder.open(dictionary: byte == UInt8(ascii: "{"), at: start, contents: start + 1)
      starts.append(start)
      isAtStart = true
      return scanner.skip()
    case UInt8(ascii: "t") where scanner.skip(word: "true"): value = .boolean(true)
    case UInt8(ascii: "f") where scanner.skip(word: "false"): value = .boolean(false)
    case UInt8(ascii: "n") where scanner.skip(word: "null"): value = .null
    default: throw unexpected(expected)
    }
    scanner.errorOffset = start
    try builder.add(value, from: start, to: scanner.offset)
  }
}

/// Splits JSON text into strings, numbers and punctuation, strictly by the grammar of RFC 8259.
struct JSONScanner: TextScanner {
  let bytes: UnsafeRawBufferPointer
  var offset = 0
  var errorOffset: Int?
  /// Whether a number has been scanned that is too small for a double.
  var hasUnderflow = false
  /// The text so far of a string with escapes.
  private var unescaped: [UInt8] = []

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func skip(word: StaticString) -> Bool {
    guard bytes.hasBytes(word, at: offset) else { return false }
    offset += word.utf8CodeUnitCount
    return true
  }

  @inline(__always)
  mutating func skipSpace() {
    while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
  }

  /// Scans a number: an integer if it has no point and no exponent, else a real.
  mutating func number() throws(PlistError.Kind) -> PlistValue {
    let start = offset
    let isNegative = skip("-")
    var integer = IntegerDigits()
    if !skip("0") { try scanDigits { integer.append($0, base: 10) } }
    let integerEnd = offset
    if skip(".") { try scanDigits() }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try scanDigits()
    }
    errorOffset = start
    if offset > integerEnd {
      let text = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
      return .real(try NumberText.real(text, underflow: &hasUnderflow))
    }
    return try integer.value(isNegative: isNegative)
  }

  @inline(__always)
  private mutating func scanDigits(_ body: (UInt8) -> Void = { _ in }) throws(PlistError.Kind) {
    let start = offset
    while let digit = next?.decimalDigit {
      body(digit)
      offset += 1
    }
    if offset == start { throw unexpected("a digit") }
  }

  /// Scans a string, whose opening quote comes next.
  mutating func string() throws(PlistError.Kind) -> String {
    let start = offset
    offset += 1
    let run = try scanRun()
    // Most strings have no escape.
    if skip("\"") { return run.isASCII ? String(ascii: run.bytes) : String(utf8: run.bytes) }

    unescaped.removeAll(keepingCapacity: true)
    unescaped.append(contentsOf: run.bytes)
    while !skip("\"") {
      if skip("\\") {
        try scanEscape()
      } else if next == nil {
        throw error(.unterminated("the string"), at: start)
      } else {
        throw unexpected(#"an escape such as \n or \u0007 for the control character"#)
      }
      unescaped.append(contentsOf: try scanRun().bytes)
    }
    return unescaped.withUnsafeBytes { String(utf8: $0) }
  }

  /// Scans valid UTF-8 up to a quote, a backslash, a control character or the end.
  @inline(__always)
  private mutating func scanRun() throws(PlistError.Kind) -> (
    bytes: UnsafeRawBufferPointer, isASCII: Bool
  ) {
    let start = offset
    let run = scanRun {
      $0.marks(below: 0x20) | $0.marks(of: UInt8(ascii: "\"")) | $0.marks(of: UInt8(ascii: "\\"))
    }
    if !run.isASCII {
      do {
        _ = try UTF8Span(validating: Span(_bytes: run.bytes.bytes))
      } catch let problem {
        throw error(.malformedUTF8, at: start + problem.byteOffsets.lowerBound)
      }
    }
    return run
  }

  private mutating func scanEscape() throws(PlistError.Kind) {
    let start = offset - 1
    // At the end of the text, the caller reports the string as not closed.
    guard let letter = next else { return }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      unescaped.append(letter.controlCharacter ?? letter)
    case UInt8(ascii: "u"):
      offset += 1
      unescaped += try unicodeScalar(letter: "u", digitCounts: 4...4, start: start).utf8
      return
    default:
      throw error(
        .unexpectedText(expected: #"one of \" \\ \/ \b \f \n \r \t and \u with its digits"#),
        at: start)
    }
    offset += 1
  }
}
