internal import FoundationEssentials

/// Takes JSON text apart into strings, numbers, and what stands between them, by the grammar of
/// RFC 8259 and no other.
struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  /// How far the text has been taken.
  private(set) var offset = 0
  /// Where an error that is thrown now belongs; nil for the document as a whole.
  var place: Int?
  /// What is gathered of a string with escapes.
  private var gathered: [UInt8] = []

  /// - Parameter bytes: The text, which has to be there as long as the scanner.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The byte that comes next; nil at the end.
  @inline(__always)
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Takes the next byte.
  @inline(__always)
  mutating func skip() {
    offset += 1
  }

  /// Takes a character if it comes next.
  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  /// Takes a word if it comes next.
  mutating func skip(word: StaticString) -> Bool {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count,
      bytes[offset..<end].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { return false }
    offset = end
    return true
  }

  /// Takes white space, which is that of XML.
  @inline(__always)
  mutating func skipSpace() {
    while offset < bytes.count, bytes[offset].isXMLSpace { offset += 1 }
  }

  // MARK: Errors

  /// The error that something else comes next than what must.
  mutating func unexpected(_ expected: String) -> PlistError.Kind {
    error(.unexpectedText(expected: expected), at: offset)
  }

  private mutating func error(_ kind: PlistError.Kind, at offset: Int) -> PlistError.Kind {
    place = offset
    return kind
  }

  // MARK: Numbers

  /// Takes a number: an integer where it has no point and no exponent, else a real.
  mutating func number() throws(PlistError.Kind) -> PlistValue {
    let start = offset
    let negative = skip("-")
    var magnitude: UInt64 = 0
    var overflowed = false
    if !skip("0") {
      try takeDigits { digit in
        let (product, productOverflowed) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, sumOverflowed) = product.addingReportingOverflow(UInt64(digit))
        overflowed = overflowed || productOverflowed || sumOverflowed
        magnitude = sum
      }
    }
    let end = offset
    if skip(".") { try takeDigits() }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try takeDigits()
    }
    place = start
    if offset > end {
      return .real(try ScalarText.real(UnsafeRawBufferPointer(rebasing: bytes[start..<offset])))
    }
    guard !overflowed else { throw .integerOutOfRange }
    if negative {
      guard magnitude <= Int64.min.magnitude else { throw .integerOutOfRange }
      return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return Int64(exactly: magnitude).map { .integer($0) } ?? .unsignedInteger(magnitude)
  }

  /// Takes one digit or more.
  @inline(__always)
  private mutating func takeDigits(
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

  /// Takes a string with its quotes, of which the first has been seen.
  mutating func string() throws(PlistError.Kind) -> String {
    let start = offset
    offset += 1
    let run = try takeRun()
    // Most strings have no escape.
    if skip("\"") { return run.isASCII ? String(ascii: run.bytes) : String(utf8: run.bytes) }

    gathered.removeAll(keepingCapacity: true)
    gathered.append(contentsOf: run.bytes)
    while !skip("\"") {
      if skip("\\") {
        try takeEscape()
      } else if next == nil {
        throw error(.unterminated("the string"), at: start)
      } else {
        throw unexpected(#"an escape such as \n or \u0007 for the control character"#)
      }
      gathered.append(contentsOf: try takeRun().bytes)
    }
    return gathered.withUnsafeBytes { String(utf8: $0) }
  }

  /// Takes what is no quote, no backslash and no control character, all of it valid UTF-8.
  @inline(__always)
  private mutating func takeRun() throws(PlistError.Kind) -> (
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

  /// Moves to the next quote, backslash or control character, or the end, and says whether all
  /// before that is ASCII.
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
        // Beyond the end there are zeros, which are control characters.
        let length = marks.trailingZeroBitCount / 8
        highBits |= word & ~(UInt64.max << UInt64(8 * length))
        offset += length
        return highBits & UInt64.highBits == 0
      }
    }
  }

  /// Takes what belongs to a backslash.
  private mutating func takeEscape() throws(PlistError.Kind) {
    let start = offset - 1
    // At the end it is the string that is not closed.
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
      gathered.append(contentsOf: try unicodeScalar(at: start).utf8)
      return
    default:
      throw error(
        .unexpectedText(expected: #"one of \" \\ \/ \b \f \n \r \t and \u with its digits"#),
        at: start)
    }
    offset += 1
    gathered.append(character)
  }

  /// Takes the digits behind `\u`, and the second escape of a surrogate pair.
  private mutating func unicodeScalar(at start: Int) throws(PlistError.Kind) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), skip(word: "\\u") {
      let second = try codeUnit()
      let offset = UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)
      if UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(0x10000 + offset) {
        return scalar
      }
    }
    throw error(.unexpectedText(expected: #"\u escapes of a whole surrogate pair"#), at: start)
  }

  /// Takes four hexadecimal digits.
  private mutating func codeUnit() throws(PlistError.Kind) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next?.hexadecimalDigit else {
        throw unexpected(#"four hexadecimal digits after \u"#)
      }
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    return unit
  }
}
