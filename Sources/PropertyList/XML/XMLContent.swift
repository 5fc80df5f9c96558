/// The text between the tags of an element, with its references and CDATA sections.
struct XMLContent {
  let text: UnsafeRawBufferPointer
  /// The part between the tags.
  let range: Range<Int>
  /// Whether the content may have CDATA sections and control characters: that of strings and keys.
  let isString: Bool

  /// Appends the text that the content stands for.
  ///
  /// - Throws: The first defect: a malformed or undefined reference, a control character or CDATA
  ///   section where none is allowed.
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

  /// Appends the text of a CDATA section and returns the position behind it.
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
    var all: UInt64 = 0
    var marks: UInt64 = 0
    var position = 0
    while position + 8 <= count {
      let word = word(at: position)
      all |= word
      marks |= word.marks(of: UInt8(ascii: "&")) | word.marks(of: UInt8(ascii: "<"))
      position += 8
    }
    let word = lastWord(of: count - position)
    all |= word
    marks |= word.marks(of: UInt8(ascii: "&")) | word.marks(of: UInt8(ascii: "<"))
    return (marks != 0, all & UInt64.highBits == 0)
  }
}

extension UInt8 {
  /// Whether XML excludes the byte: it is a control character and not white space.
  @inline(__always)
  var isControlCharacter: Bool { self < 0x20 && !isXMLSpace }
}

/// Decodes references: `&amp;` and the other four entities that XML predefines, `&#65;` and
/// `&#x41;`.
enum XMLReference {
  /// Returns the scalar that the reference at a position stands for, and the position behind its
  /// `;`, which must be in the text.
  static func decode(
    _ text: UnsafeRawBufferPointer, at start: Int, allowsControlCharacters: Bool
  ) throws(XMLFailure) -> (scalar: UInt32, end: Int) {
    guard start + 1 < text.count, text[start + 1] == UInt8(ascii: "#") else {
      return try entity(text, at: start)
    }
    let (scalar, end) = try number(text, at: start)
    let isControl = scalar < 0x20 && !UInt8(scalar).isXMLSpace
    guard
      scalar != 0, allowsControlCharacters || !isControl, XMLCharacters.isAllowed(scalar)
    else { throw XMLFailure(kind: .notWellFormed(.invalidCharacter), offset: start) }
    return (scalar, end)
  }

  private static func entity(
    _ text: UnsafeRawBufferPointer, at start: Int
  ) throws(XMLFailure) -> (scalar: UInt32, end: Int) {
    for (name, character) in entities where text.hasBytes(name, at: start + 1) {
      return (UInt32(character), start + 1 + name.utf8CodeUnitCount)
    }
    throw XMLFailure(kind: .notWellFormed(.undefinedEntity), offset: start)
  }

  private static let entities: [(name: StaticString, character: UInt8)] = [
    ("amp;", UInt8(ascii: "&")), ("lt;", UInt8(ascii: "<")), ("gt;", UInt8(ascii: ">")),
    ("apos;", UInt8(ascii: "'")), ("quot;", UInt8(ascii: "\"")),
  ]

  /// Reads the number of a character reference; one beyond Unicode becomes another beyond it.
  private static func number(
    _ text: UnsafeRawBufferPointer, at start: Int
  ) throws(XMLFailure) -> (scalar: UInt32, end: Int) {
    var position = start + 2
    let isHexadecimal = position < text.count && text[position] == UInt8(ascii: "x")
    if isHexadecimal { position += 1 }
    let firstDigit = position
    var scalar: UInt32 = 0
    while position < text.count {
      let byte = text[position]
      guard let digit = isHexadecimal ? byte.hexadecimalDigit : byte.decimalDigit else { break }
      scalar = min(scalar * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x110000)
      position += 1
    }
    guard position > firstDigit, position < text.count, text[position] == UInt8(ascii: ";") else {
      throw XMLFailure(kind: .notWellFormed(.malformedReference), offset: position)
    }
    return (scalar, position + 1)
  }
}
