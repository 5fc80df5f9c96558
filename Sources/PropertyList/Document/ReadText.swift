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
}
