/// The text of an XML document in UTF-8, with the first defect of its encoding. Everything in the
/// document is located by its byte offset in this text.
struct XMLText: ~Copyable {
  /// The text without a byte-order mark.
  let bytes: UnsafeRawBufferPointer
  let prolog: XMLProlog
  /// The end of the text without the NULs that may follow it.
  let end: Int
  /// The first bytes that are not valid in the encoding that the text was converted from.
  let defect: XMLFailure?

  /// The memory of text that was converted to UTF-8.
  private let converted: OutputBuffer?

  /// The position from which the text is well-formed XML, as far as ``XMLProlog`` tells.
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
    if source.encoding == .utf8 {
      bytes = content
      defect = nil
      converted = nil
    } else {
      var output = OutputBuffer(capacity: content.count + content.count / 2)
      let offset = source.encoding.convert(content, to: &output)
      defect = offset.map { XMLFailure(kind: .notWellFormed(.malformedEncoding), offset: $0) }
      bytes = output.bytes
      converted = consume output
    }
    prolog = XMLProlog(of: bytes, from: bytes.firstIndex { !$0.isXMLSpace } ?? bytes.count)
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

/// The encoding of an XML document, as its byte-order mark and its XML declaration tell.
struct XMLEncoding {
  private(set) var encoding: TextEncoding
  /// The length of the byte-order mark.
  let markLength: Int

  /// - Throws: An error for a document in an encoding that property lists do not use.
  init(of document: UnsafeRawBufferPointer) throws(PlistError) {
    try Self.refuseOtherEncodings(document)
    if let mark = TextEncoding.mark(of: document) {
      (encoding, markLength) = mark
    } else if document.starts(with: [0, 0x3C, 0, 0x3F]) {
      (encoding, markLength) = (.utf16(isBigEndian: true), 0)
    } else if document.starts(with: [0x3C, 0, 0x3F, 0]) {
      (encoding, markLength) = (.utf16(isBigEndian: false), 0)
    } else {
      (encoding, markLength) = (.utf8, 0)
    }
    guard encoding == .utf8 else { return }
    let text = UnsafeRawBufferPointer(rebasing: document.dropFirst(markLength))
    let first = text.firstIndex { !$0.isXMLSpace } ?? text.count
    guard let start = XMLProlog(of: text, from: first).declaration,
      let name = XMLDeclaration.encodingName(in: text, from: start)
    else { return }
    encoding = try declaredEncoding(name, in: text, from: start)
  }

  /// Throws an error for UTF-32 without a byte-order mark and for EBCDIC, in which not even a
  /// declaration can be read.
  private static func refuseOtherEncodings(_ document: UnsafeRawBufferPointer) throws(PlistError) {
    let name: String? =
      if document.starts(with: [0, 0, 0, 0x3C]) || document.starts(with: [0x3C, 0, 0, 0]) {
        "UTF-32 without a byte-order mark"
      } else if document.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) {
        "EBCDIC"
      } else {
        nil
      }
    if let name { throw PlistError(.unsupportedEncoding(name), at: .line(1, column: 1)) }
  }

  /// Checks that a document in UTF-16 or UTF-32 does not declare another encoding.
  func checkDeclaration(in text: UnsafeRawBufferPointer, from start: Int) throws(PlistError) {
    guard let name = XMLDeclaration.encodingName(in: text, from: start) else { return }
    let declared = try declaredEncoding(name, in: text, from: start)
    if declared != encoding { throw Self.contradiction(behind: name, in: text) }
  }

  /// The encoding that the declared name stands for. `UTF-8` is also declared in documents that were
  /// converted to UTF-16 or UTF-32, and is not a contradiction there.
  private func declaredEncoding(
    _ range: Range<Int>, in text: UnsafeRawBufferPointer, from start: Int
  ) throws(PlistError) -> TextEncoding {
    let name = String(decoding: text[range], as: UTF8.self)
    let declared: TextEncoding
    switch name.uppercased() {
    case "UTF-8", "UTF8": return encoding
    case "UTF-16":
      guard case .utf16 = encoding else { throw Self.contradiction(behind: range, in: text) }
      return encoding
    case "UTF-32":
      guard case .utf32 = encoding else { throw Self.contradiction(behind: range, in: text) }
      return encoding
    case "UTF-32LE": declared = .utf32(isBigEndian: false)
    case "UTF-32BE": declared = .utf32(isBigEndian: true)
    case "UTF-16LE": declared = .utf16(isBigEndian: false)
    case "UTF-16BE": declared = .utf16(isBigEndian: true)
    case "US-ASCII", "ASCII": declared = .ascii
    case "ISO-8859-1": declared = .latin1
    case "WINDOWS-1252": declared = .windows1252
    default:
      throw PlistError(.unsupportedEncoding(name), at: TextCursor.location(of: start, in: text))
    }
    if declared.isWide {
      if encoding == .utf8 { throw Self.contradiction(behind: range, in: text) }
    } else if markLength == 3 {
      throw PlistError(
        .encodingContradictsByteOrderMark(name), at: TextCursor.location(of: start, in: text))
    }
    return declared
  }

  /// The error that the document is not in the encoding that it declares.
  private static func contradiction(
    behind name: Range<Int>, in text: UnsafeRawBufferPointer
  ) -> PlistError {
    PlistError(
      .notWellFormed(.malformedEncoding),
      at: TextCursor.location(of: name.upperBound + 1, in: text))
  }
}
