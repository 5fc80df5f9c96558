internal import FoundationEssentials

/// Splits JSON text into strings, numbers and punctuation, by the grammar of RFC 8259 alone.
struct JSONScanner: TextScanner {
  let bytes: UnsafeRawBufferPointer
  var offset = 0
  var errorOffset: Int?
  /// Whether a number has been scanned that is too small for a double.
  var hasUnderflow = false
  /// The text so far of a string with escapes.
  private var unescaped: [UInt8] = []

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Skips a word if it comes next, and returns whether it did.
  mutating func skip(word: StaticString) -> Bool {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[offset..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { return false }
    offset = end
    return true
  }

  /// Skips white space, which is the same as in XML.
  @inline(__always)
  mutating func skipSpace() {
    while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
  }

  // MARK: Numbers

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
      return .real(try ScalarText.real(text, underflow: &hasUnderflow))
    }
    return try integer.value(isNegative: isNegative)
  }

  /// Scans one digit or more.
  @inline(__always)
  private mutating func scanDigits(
    _ body: (UInt8) -> Void = { _ in }
  ) throws(PlistError.Kind) {
    let start = offset
    while let digit = next?.decimalDigit {
      body(digit)
      offset += 1
    }
    if offset == start { throw unexpected("a digit") }
  }

  // MARK: Strings

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
    let isASCII = skipRun()
    let run = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    if !isASCII {
      do {
        _ = try UTF8Span(validating: Span(_bytes: run.bytes))
      } catch let problem {
        throw error(.malformedUTF8, at: start + problem.byteOffsets.lowerBound)
      }
    }
    return (run, isASCII)
  }

  /// Skips to the next quote, backslash or control character, or the end, and returns whether all
  /// bytes before it are ASCII.
  @inline(__always)
  private mutating func skipRun() -> Bool {
    var highBits: UInt64 = 0
    while true {
      let rest = bytes.count - offset
      let word = rest >= 8 ? bytes.word(at: offset) : bytes.lastWord(of: rest)
      let marks = word.marks(below: 0x20) | word.marks(of: 0x22) | word.marks(of: 0x5C)
      if marks == 0 {
        highBits |= word
        offset += 8
      } else {
        // The word is padded with zeros, which are control characters.
        let length = marks.trailingZeroBitCount / 8
        highBits |= word & ~(UInt64.max << UInt64(8 * length))
        offset += length
        return highBits & UInt64.highBits == 0
      }
    }
  }

  /// Scans an escape after its backslash.
  private mutating func scanEscape() throws(PlistError.Kind) {
    let start = offset - 1
    // At the end of the text, the caller reports the string as not closed.
    guard let letter = next else { return }
    let character: UInt8
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): character = letter
    case UInt8(ascii: "b"): character = 0x08
    case UInt8(ascii: "t"): character = 0x09
    case UInt8(ascii: "n"): character = 0x0A
    case UInt8(ascii: "f"): character = 0x0C
    case UInt8(ascii: "r"): character = 0x0D
    case UInt8(ascii: "u"):
      offset += 1
      unescaped.append(
        contentsOf: try unicodeScalar(letter: "u", digitCounts: 4...4, start: start).utf8)
      return
    default:
      throw error(
        .unexpectedText(expected: #"one of \" \\ \/ \b \f \n \r \t and \u with its digits"#),
        at: start)
    }
    offset += 1
    unescaped.append(character)
  }
}
