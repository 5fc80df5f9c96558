package import FoundationEssentials

/// A document in a text format as UTF-8. Errors count its lines and columns.
package struct DocumentText {
  /// The document as it is if it is in UTF-8, or if its encoding is unknown; else converted to UTF-8.
  /// It begins with index 0.
  package let data: Data
  /// Whether the document is in another encoding than UTF-8.
  package let isConverted: Bool
  /// The length of the byte-order mark in `data`, which is not counted.
  private let markLength: Int

  /// The text of a document in the encoding that its byte-order mark or its XML declaration tells.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``. Text that is not valid in it ends with
  ///   the first defect.
  package init(_ document: Data, encoding: String? = nil) {
    let mark = document.withUnsafeBytes { TextEncoding.mark(of: $0) }
    if let text = Self.convert(document, mark, encoding: encoding) {
      (data, isConverted, markLength) = (text, true, 0)
    } else {
      data = document.startIndex == 0 ? document : Data(document)
      (isConverted, markLength) = (false, mark?.length ?? 0)
    }
  }

  /// Returns a document in UTF-8, without a byte-order mark; nil for one that is in UTF-8.
  private static func convert(
    _ document: Data, _ mark: (encoding: TextEncoding, length: Int)?, encoding name: String?
  ) -> Data? {
    document.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark?.length ?? 0))
      let encoding = (try? XMLEncoding(of: bytes).encoding) ?? mark?.encoding ?? .utf8
      if encoding != .utf8 {
        var output = OutputBuffer(capacity: text.count)
        _ = encoding.convert(text, to: &output)
        return Data(output.bytes)
      }
      guard mark == nil, let name, PlistFormat(detecting: document) == .openStep,
        var converter = EncodingConverter(from: name)
      else { return nil }
      var output: [UInt8] = []
      _ = converter.convert(text, to: &output)
      return Data(output)
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
