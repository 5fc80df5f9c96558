/// A position in a text that moves forward over tokens. Its methods are inlined into the scanners
/// of the formats.
protocol TextScanner {
  /// The text, which must outlive the scanner.
  var bytes: UnsafeRawBufferPointer { get }
  /// The position of the next byte.
  var offset: Int { get set }
  /// The position of an error thrown now; nil for the document as a whole.
  var errorOffset: Int? { get set }
}

extension TextScanner {
  /// The next byte; nil at the end.
  @inline(__always)
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  @inline(__always)
  func isAt(_ character: Unicode.Scalar) -> Bool { next == UInt8(ascii: character) }

  @inline(__always)
  mutating func skip() { offset += 1 }

  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    offset += 1
    return true
  }

  mutating func unexpected(_ expected: String) -> PlistError.Kind {
    error(.unexpectedText(expected: expected), at: offset)
  }

  mutating func error(_ kind: PlistError.Kind, at offset: Int) -> PlistError.Kind {
    errorOffset = offset
    return kind
  }

  /// Scans up to the first marked byte or the end, and returns whether all bytes before it are ASCII.
  @inline(__always)
  mutating func scanRun(
    upTo marks: (UInt64) -> UInt64
  ) -> (bytes: UnsafeRawBufferPointer, isASCII: Bool) {
    let start = offset
    var highBits: UInt64 = 0
    while true {
      let rest = bytes.count - offset
      let word = rest >= 8 ? bytes.word(at: offset) : bytes.lastWord(of: rest)
      let length = min(marks(word).trailingZeroBitCount / 8, rest)
      if length < 8 {
        highBits |= word & ~(UInt64.max << UInt64(8 * length))
        offset += length
        let run = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
        return (run, highBits & UInt64.highBits == 0)
      }
      highBits |= word
      offset += 8
    }
  }

  /// Scans the digits after a Unicode escape with this letter, and the second escape of a surrogate
  /// pair. The backslash of the first is at the start.
  mutating func unicodeScalar(
    letter: Unicode.Scalar, digitCounts: ClosedRange<Int>, start: Int
  ) throws(PlistError.Kind) -> Unicode.Scalar {
    let first = try codeUnit(letter: letter, digitCounts: digitCounts)
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), skip("\\"), skip(letter) {
      let second = try codeUnit(letter: letter, digitCounts: digitCounts)
      let offset = UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)
      if UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(0x10000 + offset) {
        return scalar
      }
    }
    throw error(
      .unexpectedText(expected: "\\\(letter) escapes of a complete surrogate pair"), at: start)
  }

  private mutating func codeUnit(
    letter: Unicode.Scalar, digitCounts: ClosedRange<Int>
  ) throws(PlistError.Kind) -> UInt16 {
    let start = offset
    var unit: UInt16 = 0
    while offset < start + digitCounts.upperBound, let digit = next?.hexadecimalDigit {
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    guard offset - start >= digitCounts.lowerBound else {
      let digits = digitCounts == 4...4 ? "four hexadecimal digits" : "hexadecimal digits"
      throw unexpected("\(digits) after \\\(letter)")
    }
    return unit
  }
}
