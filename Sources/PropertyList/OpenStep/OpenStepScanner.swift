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

  /// Scans a quoted string or a word; nil, without skipping anything, if neither begins here.
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

  private mutating func scanRun(
    until quote: UInt8
  ) -> (bytes: UnsafeRawBufferPointer, isASCII: Bool) {
    scanRun { $0.marks(of: quote) | $0.marks(of: UInt8(ascii: "\\")) }
  }

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
