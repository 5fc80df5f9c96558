/// The text of an XML document in UTF-8, with the first defect of its encoding. Everything in the
/// document is located by its byte offset in this text.
struct XMLText: ~Copyable {
  /// The text without a byte-order mark.
  let bytes: UnsafeRawBufferPointer
  let prolog: XMLProlog
  /// The end of the text, without NULs after it.
  let end: Int
  /// The first bytes that are invalid in the original encoding of the text.
  let defect: XMLFailure?

  /// The memory of text that was converted to UTF-8.
  private let converted: OutputBuffer?

  /// From this position on, the text is well-formed XML, according to ``XMLProlog``.
  var start: Int { prolog.start }

  /// Returns the text of a whole document, which must outlive it.
  static func decode(_ document: UnsafeRawBufferPointer) throws(PlistError) -> XMLText {
    let source = try XMLEncoding(of: document)
    let text = XMLText(document, source)
    if source.encoding.isWide { try source.checkDeclaration(in: text.bytes, from: text.start) }
    return text
  }

  private init(_ document: UnsafeRawBufferPointer, _ source: XMLEncoding) {
    let content = UnsafeRawBufferPointer(rebasing: document.dropFirst(source.markLength))
    let text: UnsafeRawBufferPointer
    if source.encoding == .utf8 {
      text = content
      defect = nil
      converted = nil
    } else {
      var output = OutputBuffer(capacity: content.count + content.count / 2)
      let offset = source.encoding.convert(content, to: &output)
      defect = offset.map { XMLFailure(kind: .notWellFormed(.malformedEncoding), offset: $0) }
      text = output.bytes
      converted = consume output
    }
    bytes = text
    // Of the local constant: Swift 6.3 optimizes an autoclosure that captures a property of a
    // noncopyable structure in its initializer to code that releases an undefined object.
    prolog = XMLProlog(of: text, from: text.firstIndex { !$0.isXMLSpace } ?? text.count)
    end = Self.end(of: bytes)
  }

  /// The position of the first of the NULs that only white space and NULs follow.
  private static func end(of bytes: UnsafeRawBufferPointer) -> Int {
    var end = bytes.count
    var position = end
    while position > 0, bytes[position - 1] == 0 || bytes[position - 1].isXMLSpace {
      position -= 1
      if bytes[position] == 0 { end = position }
    }
    return end
  }
}
