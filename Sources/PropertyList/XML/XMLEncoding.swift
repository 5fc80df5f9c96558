/// The encoding of an XML document, from its byte-order mark and its XML declaration.
struct XMLEncoding {
  private(set) var encoding: TextEncoding
  let markLength: Int

  /// - Throws: An error for an encoding that property lists do not use.
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

  /// Throws an error for UTF-32 without a byte-order mark and for EBCDIC: their declarations cannot
  /// even be read.
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

  /// The encoding with the declared name. Documents that were converted to UTF-16 or UTF-32 may
  /// still declare `UTF-8`, which is not treated as a contradiction.
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

  /// The error for a document that is not in the encoding that it declares.
  private static func contradiction(
    behind name: Range<Int>, in text: UnsafeRawBufferPointer
  ) -> PlistError {
    PlistError(
      .notWellFormed(.malformedEncoding),
      at: TextCursor.location(of: name.upperBound + 1, in: text))
  }
}
