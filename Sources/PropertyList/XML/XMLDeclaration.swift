/// Finds the XML declaration and the encoding that it names.
///
/// Whether the declaration is well-formed is up to libxml2.
enum XMLDeclaration {
  /// Returns the end of the declaration that begins at a position; nil if none does.
  static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard text.hasBytes("<?xml", at: start), start + 5 < text.count, text[start + 5].isXMLSpace
    else { return nil }
    return text.firstPosition(of: "?>", from: start).map { $0 + 2 }
  }

  /// Returns the range of the name in `<?xml version="1.0" encoding="NAME"?>`; nil if there is
  /// none.
  ///
  /// - Parameter start: The position of the `<`.
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

extension UInt8 {
  fileprivate var isASCIILetter: Bool { 0x61...0x7A ~= self | 0x20 }
}
