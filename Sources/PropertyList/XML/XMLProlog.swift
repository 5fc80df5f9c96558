/// The part before the root element, where Apple's readers accept more than XML allows: comments
/// and processing instructions before the XML declaration, and a DOCTYPE that lacks a quote.
struct XMLProlog {
  /// The position of the XML declaration, even if something comes before it; nil if there is none.
  private(set) var declaration: Int?
  /// From this position on, the text is well-formed XML.
  private(set) var start: Int
  /// The accepted defects, in order.
  private(set) var warnings: [(kind: PlistWarning.Kind, offset: Int)] = []

  /// - Parameter start: The first character that is not white space.
  init(of text: UnsafeRawBufferPointer, from start: Int) {
    self.start = start
    var position = start
    while true {
      let markup = position
      let end: Int?
      if text.hasBytes("<!--", at: markup) {
        end = text.firstPosition(of: "-->", from: markup + 4).map { $0 + 3 }
      } else if declaration == nil, let declarationEnd = XMLDeclaration.end(in: text, from: markup)
      {
        declaration = markup
        if markup > start {
          self.start = markup
          warnings.append((.misplacedDeclaration, markup))
        }
        end = declarationEnd
      } else if text.hasBytes("<?", at: markup) {
        end = text.firstPosition(of: "?>", from: markup + 2).map { $0 + 2 }
      } else {
        skipDoctype(in: text, at: markup)
        return
      }
      guard let end else { return }
      position = end
      while position < text.count, text[position].isXMLSpace { position += 1 }
    }
  }

  /// Skips a DOCTYPE that lacks a quote: one of its literals would extend into the next markup.
  /// Apple's readers end it at the first `>`.
  private mutating func skipDoctype(in text: UnsafeRawBufferPointer, at position: Int) {
    guard text.hasBytes("<!DOCTYPE", at: position),
      let end = text.firstPosition(of: ">", from: position),
      !text[position..<end].contains(UInt8(ascii: "["))
    else { return }
    var quote: UInt8?
    for byte in text[(position + 1)...] {
      switch (byte, quote) {
      case (UInt8(ascii: ">"), nil): return
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = byte
      case (_, byte): quote = nil
      case (UInt8(ascii: "<"), .some):
        start = end + 1
        while start < text.count, text[start].isXMLSpace { start += 1 }
        warnings.append((.malformedDoctype, position))
        return
      default: break
      }
    }
  }
}

/// Finds the XML declaration, well-formed or not, and the encoding that it names.
enum XMLDeclaration {
  /// Returns the end of the declaration that begins at a position; nil if none does.
  static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard text.hasBytes("<?xml", at: start), start + 5 < text.count, text[start + 5].isXMLSpace
    else { return nil }
    return text.firstPosition(of: "?>", from: start).map { $0 + 2 }
  }

  /// Returns the range of the name in `<?xml version="1.0" encoding="NAME"?>`; nil if there is
  /// none.
  static func encodingName(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
    guard text.hasBytes("<?xml", at: start) else { return nil }
    var position = start + 5
    while let attribute = attribute(in: text, from: position) {
      if text[attribute.name].elementsEqual("encoding".utf8) {
        return isEncodingName(text[attribute.value]) ? attribute.value : nil
      }
      position = attribute.value.upperBound + 1
    }
    return nil
  }

  /// Reads white space, a name, `=` and a quoted value, with white space around the `=`.
  private static func attribute(
    in text: UnsafeRawBufferPointer, from start: Int
  ) -> (name: Range<Int>, value: Range<Int>)? {
    var position = start
    func next() -> UInt8? { position < text.count ? text[position] : nil }
    func skipSpace() {
      while next()?.isXMLSpace == true { position += 1 }
    }

    skipSpace()
    let nameStart = position
    guard nameStart > start else { return nil }
    while let byte = next(), byte.isASCIILetter { position += 1 }
    let name = nameStart..<position
    skipSpace()
    guard next() == UInt8(ascii: "=") else { return nil }
    position += 1
    skipSpace()
    guard let quote = next(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return nil
    }
    position += 1
    let valueStart = position
    while let byte = next(), byte != quote, byte != UInt8(ascii: "<") { position += 1 }
    return next() == quote ? (name, valueStart..<position) : nil
  }

  private static func isEncodingName(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = name.first, first.isASCIILetter else { return false }
    return name.allSatisfy { byte in
      byte.isASCIILetter || byte.decimalDigit != nil || "._-".utf8.contains(byte)
    }
  }
}
