/// A reader of one document in a text format that is scanned from left to right. Containers are
/// built with the stack of ``PlistTreeBuilder``. Locations are byte offsets until the end: lines
/// and columns are counted only for an error and for warnings.
protocol TextFormatReader {
  associatedtype Scanner: TextScanner

  var scanner: Scanner { get set }
  var builder: PlistTreeBuilder { get }
  /// The positions where the open containers begin.
  var starts: [Int] { get }

  /// The places of the finished document's values; nil unless they are recorded.
  var index: DocumentIndex? { get }

  /// - Parameter text: The whole document without a byte-order mark, which must outlive the reader.
  init(_ text: UnsafeRawBufferPointer, options: PlistReadOptions)

  mutating func read() throws(PlistError.Kind)

  /// Returns the most helpful error for a document that cannot be read, given the first one and its
  /// position.
  static func refine(
    _ error: PlistError.Kind, at offset: Int, in text: UnsafeRawBufferPointer
  ) -> (PlistError.Kind, at: Int)
}

extension TextFormatReader {
  var index: DocumentIndex? { builder.index }

  static func read(
    text: UnsafeRawBufferPointer, options: PlistReadOptions
  ) throws(PlistError) -> ReadText {
    var reader = Self(text, options: options)
    do {
      try reader.read()
    } catch {
      guard let offset = reader.scanner.errorOffset else {
        throw PlistError(error, keyPath: reader.builder.keyPath)
      }
      let (kind, position) = refine(error, at: offset, in: text)
      throw PlistError(
        kind, at: TextCursor.location(of: position, in: text),
        keyPath: position == offset ? reader.builder.keyPath : PlistKeyPath())
    }
    guard let root = reader.builder.root else { preconditionFailure("a document without a root") }
    return ReadText(root, reader.builder.warnings, reader.index, in: text, options: options)
  }

  /// The error for unexpected text; at the end of the text, the error that the innermost container
  /// is not closed.
  mutating func unexpected(_ expected: String) -> PlistError.Kind {
    if scanner.next == nil, let start = starts.last {
      let container = builder.isInDictionary == true ? "the dictionary" : "the array"
      return scanner.error(.unterminated(container), at: start)
    }
    return scanner.unexpected(expected)
  }
}
