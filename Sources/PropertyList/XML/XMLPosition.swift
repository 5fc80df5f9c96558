/// A line and a column, both counted from one, as libxml2 counts them.
struct XMLPosition {
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
