/// The result of reading a whole document.
struct ReadText {
  let value: PlistValue
  let warnings: [PlistWarning]
  /// See ``PlistReadOptions/recordsLines``.
  var lines: PlistLines?
  /// See ``PlistReadOptions/recordsIndex``.
  var indexed: IndexedText?

  init(_ value: PlistValue, _ warnings: [PlistWarning]) {
    (self.value, self.warnings) = (value, warnings)
  }

  /// A value, with the records that the options request.
  init(
    _ value: PlistValue, _ warnings: [PlistWarning], _ index: DocumentIndex?,
    in text: UnsafeRawBufferPointer, options: PlistReadOptions
  ) {
    self.init(value, TextCursor.locate(warnings, in: text))
    guard let index else { return }
    if options.recordsLines { lines = PlistLines(index, in: text) }
    if options.recordsIndex { indexed = IndexedText(bytes: Array(text), index: index) }
  }
}

/// The text of a document, and where its values are.
struct IndexedText: Sendable {
  /// The text in UTF-8 without a byte-order mark.
  let bytes: [UInt8]
  let index: DocumentIndex
  let firstLineBreak: Range<Int>?

  init(bytes: [UInt8], index: DocumentIndex) {
    (self.bytes, self.index) = (bytes, index)
    firstLineBreak = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }.map { start in
      let isPair = bytes[start...].starts(with: [0x0D, 0x0A])
      return start..<start + (isPair ? 2 : 1)
    }
  }
}

/// Lines and white space.
extension IndexedText {
  /// Whether a byte is white space within a line.
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C
  }

  static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  func lineStart(of position: Int) -> Int {
    guard firstLineBreak != nil else { return 0 }
    var start = position
    while start > 0, !Self.isLineBreak(bytes[start - 1]) { start -= 1 }
    return start
  }

  func blankStart(before position: Int) -> Int {
    var start = position
    while start > 0, Self.isBlank(bytes[start - 1]) { start -= 1 }
    return start
  }

  func blankEnd(after position: Int) -> Int {
    var end = position
    while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
    return end
  }

  /// Whether only blanks precede a position on its line.
  func startsLine(_ position: Int) -> Bool {
    let start = blankStart(before: position)
    return start == 0 || Self.isLineBreak(bytes[start - 1])
  }

  /// Returns the start of the next line, or the end of the text, if only blanks follow a position
  /// on its line; nil otherwise.
  func nextLine(after position: Int) -> Int? {
    let end = blankEnd(after: position)
    return end == bytes.count ? end : lineBreakEnd(at: end)
  }

  func lineBreakEnd(at position: Int) -> Int? {
    guard position < bytes.count, Self.isLineBreak(bytes[position]) else { return nil }
    let isPair =
      bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
    return position + (isPair ? 2 : 1)
  }

  /// Returns the number of line breaks in a range; nil if it has more than white space.
  func lineBreakCount(in range: Range<Int>) -> Int? {
    var count = 0
    var position = range.lowerBound
    while position < range.upperBound {
      if let end = lineBreakEnd(at: position) {
        count += 1
        position = end
      } else if Self.isBlank(bytes[position]) {
        position += 1
      } else {
        return nil
      }
    }
    return count
  }

  func indentation(at position: Int) -> [UInt8] {
    let start = lineStart(of: position)
    return Array(bytes[start..<min(blankEnd(after: start), position)])
  }

  /// The line break before the line of a position; if there is none, the first one in the document,
  /// or a line feed.
  func lineBreak(before position: Int) -> [UInt8] {
    let start = lineStart(of: position)
    guard start > 0 else { return lineBreak }
    let isPair = start > 1 && bytes[start - 1] == 0x0A && bytes[start - 2] == 0x0D
    return Array(bytes[(start - (isPair ? 2 : 1))..<start])
  }

  private var lineBreak: [UInt8] { firstLineBreak.map { Array(bytes[$0]) } ?? [0x0A] }

  func comments(in range: Range<Int>) -> ArraySlice<Range<Int>> {
    var (low, high) = (0, index.comments.count)
    while low < high {
      let middle = (low + high) / 2
      if index.comments[middle].lowerBound < range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return index.comments[low...].prefix { $0.upperBound <= range.upperBound }
  }
}
