/// What was read from a whole document.
struct ReadText {
  let value: PlistValue
  let warnings: [PlistWarning]
  /// See ``PlistReadOptions/recordsLines``.
  var lines: PlistLines?
  /// See ``PlistReadOptions/recordsIndex``.
  var indexed: IndexedText?

  /// A value that is not recorded.
  init(_ value: PlistValue, _ warnings: [PlistWarning]) {
    self.value = value
    self.warnings = warnings
  }

  /// A value with what the options request to be recorded.
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
  /// The first line break; nil if there is none.
  let firstLineBreak: Range<Int>?

  init(bytes: [UInt8], index: DocumentIndex) {
    self.bytes = bytes
    self.index = index
    firstLineBreak = bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }.map { start in
      let isPair = bytes[start...].starts(with: [0x0D, 0x0A])
      return start..<start + (isPair ? 2 : 1)
    }
  }
}
