/// The text between the tags of an element, with its references and CDATA sections.
struct XMLContent {
  let text: UnsafeRawBufferPointer
  /// The part between the tags.
  let range: Range<Int>
  /// Whether the content belongs to a string or key, and may have CDATA sections and control
  /// characters.
  let isString: Bool

  /// Appends the text that the content represents.
  ///
  /// - Throws: The first defect: a malformed or undefined reference, or a control character or
  ///   CDATA section that is not allowed.
  func decode(to output: inout OutputBuffer, in element: String) throws(XMLFailure) {
    let bytes = UnsafeRawBufferPointer(rebasing: text[..<range.upperBound])
    let limit: UInt8 = isString ? 1 : 0x20
    var position = range.lowerBound
    while true {
      position = output.append(bytes, from: position) { word in
        word.marks(of: UInt8(ascii: "&")) | word.marks(of: UInt8(ascii: "<"))
          | word.marks(below: limit)
      }
      guard position < bytes.count else { return }
      switch bytes[position] {
      case UInt8(ascii: "&"):
        let reference = try XMLReference.decode(
          bytes, at: position, allowsControlCharacters: isString)
        output.append(scalar: reference.scalar)
        position = reference.end
      case UInt8(ascii: "<"):
        guard isString else {
          throw XMLFailure(kind: .strayMarkup(.cdata, in: element), offset: position)
        }
        position = try appendSection(at: position, of: bytes, to: &output)
      case let byte:
        guard byte.isXMLSpace else {
          throw XMLFailure(kind: .notWellFormed(.invalidCharacter), offset: position)
        }
        output.append(byte)
        position += 1
      }
    }
  }

  private func appendSection(
    at start: Int, of bytes: UnsafeRawBufferPointer, to output: inout OutputBuffer
  ) throws(XMLFailure) -> Int {
    // libxml2 allows nothing else that begins with `<` here.
    guard bytes.hasBytes("<![CDATA[", at: start),
      let end = bytes.firstPosition(of: "]]>", from: start + 9)
    else { throw XMLFailure(kind: .notWellFormed(.malformedCDATA), offset: start) }
    output.append(UnsafeRawBufferPointer(rebasing: bytes[start + 9..<end]))
    return end + 3
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the content of a scalar has references, markup or control characters.
  var needsDecoding: Bool {
    contains { byte in
      byte.isControlCharacter || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
    }
  }

  /// Returns whether content has references or markup, which must be decoded, and whether all of its
  /// bytes are ASCII.
  @inline(__always)
  func examineContent() -> (hasMarkup: Bool, isASCII: Bool) {
    let hasMarkup =
      firstPosition(of: UInt8(ascii: "&"), in: indices) < count
      || firstPosition(of: UInt8(ascii: "<"), in: indices) < count
    return (hasMarkup, isASCII)
  }
}

extension UInt8 {
  /// Whether XML excludes the byte: it is a control character and not white space.
  @inline(__always)
  var isControlCharacter: Bool { self < 0x20 && !isXMLSpace }
}
