internal import FoundationEssentials

/// The text of an OpenStep document, converted to UTF-8.
struct OpenStepText {
  /// The text in valid UTF-8 without a byte-order mark.
  let bytes: [UInt8]

  /// Decodes a document: in the encoding that its byte-order mark tells, as many `.strings` tables
  /// are in UTF-16, else in the named one, else in UTF-8.
  ///
  /// - Parameter encoding: The name of an encoding, as iconv knows it.
  init(_ data: Data, encoding: String? = nil) throws(PlistError) {
    let result = data.withUnsafeBytes { document in
      Result { () throws(PlistError) in try Self.decode(document, encoding: encoding) }
    }
    bytes = try result.get()
  }

  private static func decode(
    _ document: UnsafeRawBufferPointer, encoding: String?
  ) throws(PlistError) -> [UInt8] {
    let mark = TextEncoding.mark(of: document)
    let text = UnsafeRawBufferPointer(rebasing: document.dropFirst(mark?.length ?? 0))
    if let mark, mark.encoding.isWide {
      var output = OutputBuffer(capacity: text.count)
      let defect = mark.encoding.convert(text, to: &output)
      let bytes = Array(output.bytes)
      if let defect { throw malformed(at: defect, in: bytes) }
      return bytes
    }
    if mark == nil, let encoding { return try convert(text, from: encoding) }
    let bytes = Array(text)
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw malformed(at: error.byteOffsets.lowerBound, in: bytes)
    }
    return bytes
  }

  private static func convert(
    _ text: UnsafeRawBufferPointer, from encoding: String
  ) throws(PlistError) -> [UInt8] {
    guard var converter = EncodingConverter(from: encoding) else {
      throw PlistError(.unknownEncoding(encoding))
    }
    var output: [UInt8] = []
    guard converter.convert(text, to: &output) else {
      throw malformed(at: output.count, in: output)
    }
    return output
  }

  private static func malformed(at offset: Int, in bytes: [UInt8]) -> PlistError {
    PlistError(
      .malformedText, at: bytes.withUnsafeBytes { TextCursor.location(of: offset, in: $0) })
  }
}
