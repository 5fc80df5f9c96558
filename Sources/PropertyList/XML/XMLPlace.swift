internal import FoundationEssentials

/// A line and a column, both from one, as libxml2 counts them.
struct XMLPlace {
  var line = 1
  var column = 1

  /// Goes on by a byte of UTF-8; a character's column counts with its first byte.
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
  /// The document without the white space between the byte-order mark of UTF-16 and the first
  /// character, which libxml2 would not allow before an XML declaration, and the place of that
  /// character.
  var withoutSpaceBehindUTF16Mark: (Data, XMLPlace) {
    var place = XMLPlace()
    let low: Int
    switch (first, dropFirst().first) {
    case (0xFE, 0xFF): low = 1
    case (0xFF, 0xFE): low = 0
    default: return (self, place)
    }
    var rest = dropFirst(2)
    while rest.count >= 2 {
      let unit = [rest[rest.startIndex], rest[rest.startIndex + 1]]
      guard unit[1 - low] == 0, unit[low].isXMLSpace else { break }
      place.advance(over: unit[low])
      rest = rest.dropFirst(2)
    }
    return rest.count + 2 == count ? (self, place) : (prefix(2) + rest, place)
  }
}
