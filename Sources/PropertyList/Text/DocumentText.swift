package import FoundationEssentials

/// A document in a text format as UTF-8. Errors count its lines and columns.
package struct DocumentText {
  /// The document, converted to UTF-8 unless it is in UTF-8 or its encoding is unknown.
  /// It begins with index 0.
  package let data: Data
  /// Whether the document has an encoding other than UTF-8.
  package let isConverted: Bool
  /// The length of the byte-order mark in `data`, which is not counted.
  private let markLength: Int

  /// The text of a document in the encoding of its byte-order mark or its XML declaration.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``. Text that is invalid in this encoding
  ///   ends at the first defect.
  package init(_ document: Data, encoding: String? = nil) {
    let mark = document.withUnsafeBytes { TextEncoding.mark(of: $0) }
    if let text = Self.convert(document, mark, encoding: encoding) {
      (data, isConverted, markLength) = (text, true, 0)
    } else {
      data = document.startIndex == 0 ? document : Data(document)
      (isConverted, markLength) = (false, mark?.length ?? 0)
    }
  }

  /// Returns a document converted to UTF-8, without a byte-order mark; nil if it is already in
  /// UTF-8.
  private static func convert(
    _ document: Data, _ mark: (encoding: TextEncoding, length: Int)?, encoding name: String?
  ) -> Data? {
    document.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark?.length ?? 0))
      var encoding = (try? XMLEncoding(of: bytes).encoding) ?? mark?.encoding ?? .utf8
      if encoding == .utf8, mark == nil, let name, PlistFormat(detecting: document) == .openStep,
        EncodingConverter(from: name) != nil
      {
        encoding = .named(name)
      }
      guard encoding != .utf8 else { return nil }
      var output = OutputBuffer(capacity: text.count)
      _ = encoding.convert(text, to: &output)
      return Data(output.bytes)
    }
  }

  /// Returns the offset of a location in `data`.
  package func offset(of location: PlistError.Location) -> Int {
    switch location {
    case .byte(let offset): min(offset, data.count)
    case .line(let line, let column):
      withText { markLength + TextCursor.offset(ofLine: line, column: column, in: $0) }
    }
  }

  /// Returns the line and column of an offset in `data`, counted from one.
  package func lineAndColumn(of offset: Int) -> (line: Int, column: Int) {
    withText { TextCursor.lineAndColumn(of: max(0, offset - markLength), in: $0) }
  }

  private func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    data.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0.dropFirst(markLength))) }
  }
}
