internal import FoundationEssentials

/// Takes OpenStep text apart into strings, data, and what stands between them.
struct OpenStepScanner {
  private let bytes: UnsafeRawBufferPointer
  /// How far the text has been taken.
  private(set) var offset = 0
  /// Where an error that is thrown now belongs; nil for the document as a whole.
  var place: Int?

  /// - Parameter bytes: The text in UTF-8 that has been found valid. It has to be there as long as the
  ///   scanner.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The byte that comes next; nil at the end.
  @inline(__always)
  var next: UInt8? { byte(at: offset) }

  @inline(__always)
  private func byte(at offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  @inline(__always)
  func isAt(_ character: Unicode.Scalar) -> Bool {
    next == UInt8(ascii: character)
  }

  var isAtQuote: Bool { isAt("\"") || isAt("'") }

  var isAtTypedValue: Bool { isAt("<") && byte(at: offset + 1) == UInt8(ascii: "*") }

  /// Takes the next byte.
  @inline(__always)
  mutating func skip() {
    offset += 1
  }

  /// Takes a character if it comes next.
  @inline(__always)
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard isAt(character) else { return false }
    offset += 1
    return true
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

  // MARK: White space and comments

  /// Takes white space and comments, and returns whether there was a comment.
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
    default:
      return false
    }
  }

  /// Whether U+2028 or U+2029 stands at an offset, which end lines.
  private func isLineSeparator(at offset: Int) -> Bool {
    guard bytes[offset] == 0xE2, byte(at: offset + 1) == 0x80 else { return false }
    return byte(at: offset + 2) == 0xA8 || byte(at: offset + 2) == 0xA9
  }

  // MARK: Strings

  /// Takes a quoted string or a word; nil, with nothing taken, where neither begins.
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
    let run = takeRun(until: quote)
    // Most strings have no escape.
    if next == quote {
      offset += 1
      return run.isASCII ? String(ascii: run.bytes) : String(utf8: run.bytes)
    }
    var text = Array(run.bytes)
    while next == UInt8(ascii: "\\") {
      try readEscape(into: &text)
      text.append(contentsOf: takeRun(until: quote).bytes)
    }
    guard next == quote else { throw error(.unterminated("the string"), at: start) }
    offset += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Takes what is neither the quote nor a backslash, and says whether all of it is ASCII.
  private mutating func takeRun(
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

  /// Takes a backslash and what belongs to it.
  private mutating func readEscape(into text: inout [UInt8]) throws(PlistError.Kind) {
    let start = offset
    offset += 1
    // At the end it is the string that is not closed.
    guard let byte = next else { return }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = 0
      let end = offset + 3
      while offset < end, let digit = next?.decimalDigit, digit < 8 {
        code = code * 8 + Int(digit)
        offset += 1
      }
      guard let scalar = NeXTSTEPEncoding.scalar(code) else {
        throw error(.unexpectedText(expected: "an octal escape from \\0 to \\375"), at: start)
      }
      text += scalar.utf8
    case UInt8(ascii: "U"):
      offset += 1
      text += try unicodeScalar(at: start).utf8
    default:
      offset += 1
      text.append(Self.control(byte) ?? byte)
    }
  }

  /// The control character that a letter behind a backslash means.
  private static func control(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "a"): 0x07
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "v"): 0x0B
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    default: nil
    }
  }

  /// Takes the digits behind `\U`, and the second escape of a surrogate pair.
  private mutating func unicodeScalar(at start: Int) throws(PlistError.Kind) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), skip("\\"), skip("U") {
      let second = try codeUnit()
      let offset = UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)
      if UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(0x10000 + offset) {
        return scalar
      }
    }
    throw error(.unexpectedText(expected: "\\U escapes of a whole surrogate pair"), at: start)
  }

  /// Takes one to four hexadecimal digits.
  private mutating func codeUnit() throws(PlistError.Kind) -> UInt16 {
    let start = offset
    var unit: UInt16 = 0
    while offset < start + 4, let digit = next?.hexadecimalDigit {
      unit = unit << 4 | UInt16(digit)
      offset += 1
    }
    if offset == start { throw unexpected("hexadecimal digits after \\U") }
    return unit
  }

  // MARK: Data and typed values

  /// Takes data, from its `<` on.
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

  /// Takes a typed value of GNUstep, from its `<*` on. Its text may stand in quotes.
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
    place = textStart
    return try type.value(text, options)
  }
}
