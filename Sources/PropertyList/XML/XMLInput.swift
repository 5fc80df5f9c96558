internal import FoundationEssentials

/// A line and a column, both counted from one, as libxml2 counts them.
struct XMLPlace {
  var line = 1
  var column = 1

  /// Moves over a byte of UTF-8; the first byte of a character advances the column.
  mutating func advance(over byte: UInt8) {
    if byte == 0x0A {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }
}

extension Data {
  /// The document without white space between a UTF-16 byte-order mark and the first character, which
  /// libxml2 does not allow before an XML declaration, and the position of that character.
  var withoutSpaceAfterUTF16Mark: (Data, XMLPlace) {
    var place = XMLPlace()
    let lowByte: Int
    switch (first, dropFirst().first) {
    case (0xFE, 0xFF): lowByte = 1
    case (0xFF, 0xFE): lowByte = 0
    default: return (self, place)
    }
    var rest = dropFirst(2)
    while rest.count >= 2 {
      let unit = [rest[rest.startIndex], rest[rest.startIndex + 1]]
      guard unit[1 - lowByte] == 0, unit[lowByte].isXMLSpace else { break }
      place.advance(over: unit[lowByte])
      rest = rest.dropFirst(2)
    }
    return rest.count + 2 == count ? (self, place) : (prefix(2) + rest, place)
  }
}
