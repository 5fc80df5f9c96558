package import FoundationEssentials

/// Reads OpenStep property lists and `.strings` tables, which are dictionaries without braces.
struct OpenStepReader: TextFormatReader {
  private let options: PlistReadOptions
  var scanner: OpenStepScanner
  private(set) var builder: PlistTreeBuilder
  /// The positions where the open containers begin, except a table, which has no bracket.
  private(set) var starts: [Int] = []
  private var hasOctalEscape = false

  static func read(_ data: Data, options: PlistReadOptions) throws(PlistError) -> ReadText {
    let result = try text(of: data, encoding: options.encoding).withUnsafeBytes { text in
      Result { () throws(PlistError) in try read(text: text, options: options) }
    }
    return try result.get()
  }

  init(_ text: UnsafeRawBufferPointer, options: PlistReadOptions) {
    self.options = options
    scanner = OpenStepScanner(text, recordsComments: options.needsIndex)
    builder = PlistTreeBuilder(limits: options.limits, recordsIndex: options.needsIndex)
  }

  var index: DocumentIndex? {
    var index = builder.index
    index?.comments = scanner.comments
    return index
  }

  mutating func read() throws(PlistError.Kind) {
    try scanner.skipSpace()
    if scanner.next != nil {
      try readRoot()
    } else {
      // White space and comments alone are an empty table.
      builder.attach([:])
    }
    while builder.depth > 0 { try readNext() }
    try scanner.skipSpace()
    guard scanner.next == nil else { throw unexpected("the end of the document") }
  }

  /// Reads the root if it is a leaf, and otherwise its beginning.
  private mutating func readRoot() throws(PlistError.Kind) {
    let start = scanner.offset
    let isWord = !scanner.isAtQuote
    guard let string = try scanner.string() else {
      return try readValue(expected: "a property list")
    }
    let end = scanner.offset
    scanner.errorOffset = start
    try scanner.skipSpace()
    if scanner.next == nil {
      warnOfOctalEscape()
      try builder.add(.string(string), from: start, to: end)
      if isWord { builder.warn(.bareWord, at: .byte(start)) }
    } else if scanner.isAt("=") || scanner.isAt(";") {
      try builder.open(dictionary: true, at: start, contents: 0)
      try readEntry(key: string, start..<end)
    } else {
      throw unexpected("=, ; or the end of the document")
    }
  }

  /// Reads the next leaf of the innermost container, the beginning of the next container, or the
  /// end.
  private mutating func readNext() throws(PlistError.Kind) {
    try scanner.skipSpace()
    guard builder.isInDictionary == true else {
      if scanner.skip(")") { return try close() }
      return try readValue(expected: "a value or )")
    }
    let isTable = starts.isEmpty
    if isTable ? scanner.next == nil : scanner.skip("}") { return try close() }
    let start = scanner.offset
    guard let key = try scanner.string() else { throw unexpected(isTable ? "a key" : "a key or }") }
    try readEntry(key: key, start..<scanner.offset)
  }

  /// Reads the rest of an entry after the key in a range; a key alone is its own value.
  private mutating func readEntry(key: String, _ range: Range<Int>) throws(PlistError.Kind) {
    let (start, end) = (range.lowerBound, range.upperBound)
    try builder.key(key, at: .byte(start), to: end)
    warnOfOctalEscape()
    try scanner.skipSpace()
    if scanner.skip("=") {
      try scanner.skipSpace()
      try readValue(expected: "a value")
    } else if scanner.isAt(";") {
      try add(.string(key), at: end..<end, from: start)
    } else {
      throw missing("= or ;", after: end)
    }
  }

  /// Reads a leaf, or the opening bracket of a container.
  private mutating func readValue(expected: String) throws(PlistError.Kind) {
    let start = scanner.offset
    if scanner.isAt("{") || scanner.isAt("(") {
      scanner.errorOffset = start
      try builder.open(dictionary: scanner.isAt("{"), at: start, contents: start + 1)
      starts.append(start)
      scanner.skip()
    } else if scanner.isAt("<") {
      let typed = options.allowsTypedValues && scanner.isAtTypedValue
      let value = typed ? try scanner.typedValue(options) : .data(try scanner.data())
      if scanner.hasUnderflow {
        scanner.hasUnderflow = false
        builder.warn(.underflow, at: .byte(start))
      }
      try add(value, at: start..<scanner.offset, from: start)
    } else if let string = try scanner.string() {
      warnOfOctalEscape()
      try add(.string(string), at: start..<scanner.offset, from: start)
    } else {
      throw unexpected(expected)
    }
  }

  /// Adds a leaf in a range of the document; an error about it is at the start.
  private mutating func add(
    _ value: PlistValue, at range: Range<Int>, from start: Int
  ) throws(PlistError.Kind) {
    scanner.errorOffset = start
    try builder.add(value, from: range.lowerBound, to: range.upperBound)
    try readSeparator()
  }

  private mutating func close() throws(PlistError.Kind) {
    // A table has no bracket.
    let closing = starts.popLast() == nil ? scanner.offset : scanner.offset - 1
    builder.attach(builder.close(at: closing..<scanner.offset))
    try readSeparator()
  }

  private mutating func readSeparator() throws(PlistError.Kind) {
    guard let isInDictionary = builder.isInDictionary else { return }
    let end = scanner.offset
    try scanner.skipSpace()
    if isInDictionary {
      guard scanner.skip(";") else { throw missing(";", after: end) }
    } else {
      guard scanner.skip(",") || scanner.isAt(")") else { throw missing(", or )", after: end) }
    }
  }

  /// The error for something missing after a token. It is at the end of the token if the next token
  /// is on another line.
  private mutating func missing(_ expected: String, after end: Int) -> PlistError.Kind {
    let space = scanner.bytes[end..<scanner.offset]
    guard scanner.next != nil, space.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
      return unexpected(expected)
    }
    return scanner.error(.unexpectedText(expected: expected), at: end)
  }

  /// Warns of the first octal escape whose meaning depends on the reader.
  private mutating func warnOfOctalEscape() {
    guard let offset = scanner.octalEscape, !hasOctalEscape else { return }
    hasOctalEscape = true
    builder.warn(.octalEscape, at: .byte(offset))
  }

  static func refine(
    _ error: PlistError.Kind, at offset: Int, in text: UnsafeRawBufferPointer
  ) -> (PlistError.Kind, at: Int) {
    // JSON with a comment before its first key looks like OpenStep text, which may have comments.
    var scanner = OpenStepScanner(text)
    func skipComment() -> Int? {
      while scanner.next?.isOpenStepSpace == true { scanner.skip() }
      let start = scanner.offset
      return (try? scanner.skipSpace()) == true ? start : nil
    }
    if let start = skipComment(),
      PlistFormat.detect(UnsafeRawBufferPointer(rebasing: text[scanner.offset...])) == .json
    {
      return (.jsonComment, start)
    }
    guard scanner.skip("{"), offset < text.count, text[offset] == UInt8(ascii: ":"),
      let start = skipComment()
    else { return (error, offset) }
    return (.jsonComment, start)
  }
}

extension Plist {
  /// Returns whether OpenStep text with a dictionary as its root is a `.strings` table, which has
  /// no braces.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``.
  package static func isStringsTable(_ data: Data, encoding: String? = nil) -> Bool {
    guard let text = try? OpenStepReader.text(of: data, encoding: encoding) else { return false }
    return text.withUnsafeBytes { bytes in
      var scanner = OpenStepScanner(bytes)
      guard (try? scanner.skipSpace()) != nil else { return false }
      return !scanner.isAt("{")
    }
  }
}

extension OpenStepReader {
  /// Returns the text of a document in UTF-8 without a byte-order mark: from the encoding of its
  /// mark (many `.strings` tables are in UTF-16), otherwise from the named encoding, or else from
  /// UTF-8.
  ///
  /// - Parameter encoding: The name of an encoding, as iconv uses it.
  static func text(of data: Data, encoding: String? = nil) throws(PlistError) -> [UInt8] {
    try data.withBytes { document throws(PlistError) in try decode(document, encoding: encoding) }
  }

  private static func decode(
    _ document: UnsafeRawBufferPointer, encoding: String?
  ) throws(PlistError) -> [UInt8] {
    let mark = TextEncoding.mark(of: document)
    let text = UnsafeRawBufferPointer(rebasing: document.dropFirst(mark?.length ?? 0))
    if mark == nil, let encoding, EncodingConverter(from: encoding) == nil {
      throw PlistError(.unknownEncoding(encoding))
    }
    let source = mark?.encoding ?? encoding.map(TextEncoding.named) ?? .utf8
    guard source == .utf8 else {
      var output = OutputBuffer(capacity: text.count)
      let defect = source.convert(text, to: &output)
      let bytes = Array(output.bytes)
      if let defect { throw malformed(at: defect, in: bytes) }
      return bytes
    }
    let bytes = Array(text)
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw malformed(at: error.byteOffsets.lowerBound, in: bytes)
    }
    return bytes
  }

  private static func malformed(at offset: Int, in bytes: [UInt8]) -> PlistError {
    PlistError(
      .malformedText, at: bytes.withUnsafeBytes { TextCursor.location(of: offset, in: $0) })
  }
}
