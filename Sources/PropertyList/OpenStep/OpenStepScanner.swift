internal import FoundationEssentials

/// Splits OpenStep text into strings, data and punctuation.
struct OpenStepScanner: TextScanner {
  let bytes: UnsafeRawBufferPointer
  var offset = 0
  var errorOffset: Int?
  /// The position of the first octal escape above `\177`.
  private(set) var octalEscape: Int?
  /// Whether a real has been scanned that is too small for a double.
  var hasUnderflow = false

  private let recordsComments: Bool
  /// The comments so far, if they are recorded.
  private(set) var comments: [Range<Int>] = []

  /// - Parameter bytes: Valid UTF-8.
  init(_ bytes: UnsafeRawBufferPointer, recordsComments: Bool = false) {
    (self.bytes, self.recordsComments) = (bytes, recordsComments)
  }

  @inline(__always)
  private func byte(at offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtQuote: Bool { isAt("\"") || isAt("'") }
  var isAtTypedValue: Bool { isAt("<") && byte(at: offset + 1) == UInt8(ascii: "*") }

  /// Skips white space and comments, and returns whether there was a comment.
  @discardableResult
  mutating func skipSpace() throws(PlistError.Kind) -> Bool {
    var hasComment = false
    while let byte = next {
      if byte.isOpenStepSpace {
        offset += 1
      } else if isLineSeparator(at: offset) {
        offset += 3
      } else if byte == UInt8(ascii: "/"), try skipComment() {
        hasComment = true
      } else {
        break
      }
    }
    return hasComment
  }

  private mutating func skipComment() throws(PlistError.Kind) -> Bool {
    let start = offset
    defer { if recordsComments, offset > start { comments.append(start..<offset) } }
    switch byte(at: offset + 1) {
    case UInt8(ascii: "/"):
      while let byte = next, byte != 0x0A, byte != 0x0D, !isLineSeparator(at: offset) {
        offset += 1
      }
      return true
    case UInt8(ascii: "*"):
      offset += 2
      while next != nil {
        if skip("*") {
          if skip("/") { return true }
        } else {
          offset += 1
        }
      }
      throw error(.unterminated("the comment"), at: start)
    default: return false
    }
  }

  /// Whether U+2028 or U+2029, which end lines, is at an offset.
  private func isLineSeparator(at offset: Int) -> Bool {
    guard bytes[offset] == 0xE2, byte(at: offset + 1) == 0x80 else { return false }
    return byte(at: offset + 2) == 0xA8 || byte(at: offset + 2) == 0xA9
  }

  /// Scans a quoted string or a word; nil, and nothing is skipped, where neither begins.
  mutating func string() throws(PlistError.Kind) -> String? {
    if isAtQuote { return try quotedString() }
    let start = offset
    while let byte = next, byte.isOpenStepWord { offset += 1 }
    if offset == start { return nil }
    return String(ascii: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
  }

  private mutating func quotedString() throws(PlistError.Kind) -> String {
    let start = offset
    let quote = bytes[offset]
    offset += 1
    let run = scanRun(until: quote)
    // Most strings have no escape.
    if next == quote {
      offset += 1
      return run.isASCII ? String(ascii: run.bytes) : String(utf8: run.bytes)
    }
    var text = Array(run.bytes)
    while next == UInt8(ascii: "\\") {
      try scanEscape(into: &text)
      text.append(contentsOf: scanRun(until: quote).bytes)
    }
    guard next == quote else { throw error(.unterminated("the string"), at: start) }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Scans up to the quote, a backslash or the end, and returns whether all of it is ASCII.
  private mutating func scanRun(
    until quote: UInt8
  ) -> (bytes: UnsafeRawBufferPointer, isASCII: Bool) {
    let start = offset
    var highBits: UInt64 = 0
    while bytes.count - offset >= 8 {
      let word = bytes.word(at: offset)
      let marks = word.marks(of: quote) | word.marks(of: UInt8(ascii: "\\"))
      if marks != 0 { break }
      highBits |= word
      offset += 8
    }
    while let byte = next, byte != quote, byte != UInt8(ascii: "\\") {
      highBits |= UInt64(byte)
      offset += 1
    }
    let run = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    return (run, highBits & UInt64.highBits == 0)
  }

  /// Scans an escape from its backslash on.
  private mutating func scanEscape(into text: inout [UInt8]) throws(PlistError.Kind) {
    let start = offset
    offset += 1
    // At the end of the text, the caller reports the string as not closed.
    guard let byte = next else { return }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = 0
      let end = offset + 3
      while offset < end, let digit = next?.decimalDigit, digit < 8 {
        code = code * 8 + Int(digit)
        offset += 1
      }
      if code >= 0x80, octalEscape == nil { octalEscape = start }
      text += NeXTSTEPEncoding.scalar(code).utf8
    case UInt8(ascii: "U"):
      offset += 1
      text += try unicodeScalar(letter: "U", digitCounts: 1...4, start: start).utf8
    default:
      offset += 1
      text.append(byte.controlCharacter ?? byte)
    }
  }

  /// Scans data, from its `<` on.
  mutating func data() throws(PlistError.Kind) -> Data {
    let start = offset
    offset += 1
    var data: [UInt8] = []
    var high: UInt8?
    while let byte = next {
      if let digit = byte.hexadecimalDigit {
        if let first = high {
          data.append(first << 4 | digit)
          high = nil
        } else if let second = self.byte(at: offset + 1)?.hexadecimalDigit {
          data.append(digit << 4 | second)
          offset += 1
        } else {
          high = digit
        }
      } else if byte == UInt8(ascii: ">") {
        if high != nil { throw unexpected("another hexadecimal digit") }
        offset += 1
        return Data(data)
      } else if !byte.isOpenStepSpace {
        throw unexpected("hexadecimal digits or >")
      }
      offset += 1
    }
    throw error(.unterminated("the data"), at: start)
  }

  /// Scans a typed value of GNUstep, from its `<*` on. Its text may be quoted.
  mutating func typedValue(_ options: PlistReadOptions) throws(PlistError.Kind) -> PlistValue {
    let start = offset
    offset += 2
    guard let letter = next else { throw error(.unterminated("the typed value"), at: start) }
    guard let type = GNUstepTypedValue(rawValue: Unicode.Scalar(letter)) else {
      throw unexpected("I, R, B or D")
    }
    offset += 1
    let textStart = offset
    let text: String
    if isAtQuote {
      text = try quotedString()
    } else {
      while let byte = next, byte != UInt8(ascii: ">") { offset += 1 }
      text = String(decoding: bytes[textStart..<offset], as: UTF8.self)
    }
    if next == nil { throw error(.unterminated("the typed value"), at: start) }
    guard skip(">") else { throw unexpected(">") }
    errorOffset = textStart
    return try type.value(text, options, underflow: &hasUnderflow)
  }
}

/// The values that GNUstep adds to OpenStep text: `<*I5>`, `<*R1.5>`, `<*BY>` and
/// `<*D2024-01-01 00:00:00 +0000>`.
private enum GNUstepTypedValue: Unicode.Scalar {
  /// The types by their letters.
  case integer = "I"
  case real = "R"
  case boolean = "B"
  case date = "D"

  /// Parses a value of the type.
  func value(
    _ text: String, _ options: PlistReadOptions, underflow: inout Bool
  ) throws(PlistError.Kind) -> PlistValue {
    switch self {
    case .integer: return try ScalarText.integer(text.utf8)
    case .real: return .real(try ScalarText.real(text.utf8, underflow: &underflow))
    case .boolean:
      guard text == "Y" || text == "N" else { throw .unexpectedText(expected: "Y or N") }
      return .boolean(text == "Y")
    case .date: return .date(try Self.date(text, options))
    }
  }

  /// Parses a date, which differs from XML in its separators and always has an offset from UTC.
  private static func date(
    _ text: String, _ options: PlistReadOptions
  ) throws(PlistError.Kind) -> Date {
    let malformed = PlistError.Kind.unexpectedText(
      expected: "a date such as 2024-01-01 00:00:00 +0000")
    let parts = text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, options.allowsLenientDates || parts[1].count == "00:00:00".utf8.count,
      let sign = parts[2].first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    else { throw malformed }
    do {
      let xmlText = Array(parts[0]) + [UInt8(ascii: "T")] + parts[1] + parts[2]
      return try ScalarText.date(xmlText, lenient: true)
    } catch {
      throw error == .malformedDate ? malformed : .dateOutOfRange
    }
  }
}

/// The character encoding of NeXTSTEP, in which octal escapes of OpenStep text are encoded.
private enum NeXTSTEPEncoding {
  /// The character of a code of at most three octal digits. Codes that the encoding does not define
  /// are those of Unicode.
  static func scalar(_ code: Int) -> Unicode.Scalar {
    let isUpper = 0x80..<0x80 + upperHalf.count ~= code
    return Unicode.Scalar(isUpper ? upperHalf[code - 0x80] : UInt16(code)) ?? "\u{FFFD}"
  }

  /// The characters from 0x80 to 0xFD.
  private static let upperHalf: [UInt16] = [
    0x00A0, 0x00C0, 0x00C1, 0x00C2, 0x00C3, 0x00C4, 0x00C5, 0x00C7,
    0x00C8, 0x00C9, 0x00CA, 0x00CB, 0x00CC, 0x00CD, 0x00CE, 0x00CF,
    0x00D0, 0x00D1, 0x00D2, 0x00D3, 0x00D4, 0x00D5, 0x00D6, 0x00D9,
    0x00DA, 0x00DB, 0x00DC, 0x00DD, 0x00DE, 0x00B5, 0x00D7, 0x00F7,
    0x00A9, 0x00A1, 0x00A2, 0x00A3, 0x2044, 0x00A5, 0x0192, 0x00A7,
    0x00A4, 0x2019, 0x201C, 0x00AB, 0x2039, 0x203A, 0xFB01, 0xFB02,
    0x00AE, 0x2013, 0x2020, 0x2021, 0x00B7, 0x00A6, 0x00B6, 0x2022,
    0x201A, 0x201E, 0x201D, 0x00BB, 0x2026, 0x2030, 0x00AC, 0x00BF,
    0x00B9, 0x02CB, 0x00B4, 0x02C6, 0x02DC, 0x00AF, 0x02D8, 0x02D9,
    0x00A8, 0x00B2, 0x02DA, 0x00B8, 0x00B3, 0x02DD, 0x02DB, 0x02C7,
    0x2014, 0x00B1, 0x00BC, 0x00BD, 0x00BE, 0x00E0, 0x00E1, 0x00E2,
    0x00E3, 0x00E4, 0x00E5, 0x00E7, 0x00E8, 0x00E9, 0x00EA, 0x00EB,
    0x00EC, 0x00C6, 0x00ED, 0x00AA, 0x00EE, 0x00EF, 0x00F0, 0x00F1,
    0x0141, 0x00D8, 0x0152, 0x00BA, 0x00F2, 0x00F3, 0x00F4, 0x00F5,
    0x00F6, 0x00E6, 0x00F9, 0x00FA, 0x00FB, 0x0131, 0x00FC, 0x00FD,
    0x0142, 0x00F8, 0x0153, 0x00DF, 0x00FE, 0x00FF,
  ]
}

/// The character classes of OpenStep text.
extension UInt8 {
  /// Whether the byte is white space, including vertical tab and form feed.
  @inline(__always)
  var isOpenStepSpace: Bool { 0x09...0x0D ~= self || self == 0x20 }

  /// Whether the byte is allowed in an unquoted string: a letter, a digit or one of `_$/:.+-`.
  @inline(__always)
  var isOpenStepWord: Bool {
    // One bit for each ASCII character.
    let bits: UInt64 = self < 64 ? 0x07FF_E810_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return self < 0x80 && bits >> UInt64(self & 63) & 1 == 1
  }
}
