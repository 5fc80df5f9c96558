/// Decodes references: `&amp;` and the other four entities that XML predefines, `&#65;` and
/// `&#x41;`.
enum XMLReference {
  /// Returns the scalar that the reference at a position represents, and the position after its
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

  /// Reads the number of a character reference. A number beyond Unicode may become a different one,
  /// also beyond Unicode.
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
