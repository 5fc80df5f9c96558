/// A position in a text that moves forward and counts lines and columns. A line ends with LF, CR or
/// CRLF; a column is a Unicode scalar.
struct TextCursor {
  private var offset = 0
  private var line = 1
  private var column = 1

  private var location: PlistError.Location { .line(line, column: column) }

  private mutating func move(to end: Int, in bytes: UnsafeRawBufferPointer) {
    while offset < end {
      switch bytes[offset] {
      case 0x0A where offset > 0 && bytes[offset - 1] == 0x0D: break
      case 0x0A, 0x0D:
        line += 1
        column = 1
      case let byte where byte & 0xC0 != 0x80: column += 1
      default: break
      }
      offset += 1
    }
  }

  mutating func line(of offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    move(to: min(offset, bytes.count), in: bytes)
    return line
  }

  static func location(of offset: Int, in bytes: UnsafeRawBufferPointer) -> PlistError.Location {
    let (line, column) = lineAndColumn(of: offset, in: bytes)
    return .line(line, column: column)
  }

  static func lineAndColumn(
    of offset: Int, in bytes: UnsafeRawBufferPointer
  ) -> (line: Int, column: Int) {
    var cursor = TextCursor()
    cursor.move(to: min(offset, bytes.count), in: bytes)
    return (cursor.line, cursor.column)
  }

  /// Returns the first byte of the character at a line and column, or the end of a line that is
  /// shorter.
  static func offset(ofLine line: Int, column: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var cursor = TextCursor()
    while cursor.offset < bytes.count, (cursor.line, cursor.column) < (line, column) {
      let start = cursor.offset
      cursor.move(to: bytes.characterEnd(from: start), in: bytes)
      if cursor.line > line { return start }
    }
    return cursor.offset
  }

  /// Returns the warnings in document order, with lines and columns instead of byte offsets.
  static func locate(
    _ warnings: [PlistWarning], in bytes: UnsafeRawBufferPointer
  ) -> [PlistWarning] {
    var cursor = TextCursor()
    return warnings.sorted { offset(of: $0) < offset(of: $1) }.map { warning in
      cursor.move(to: offset(of: warning), in: bytes)
      var warning = warning
      warning.location = cursor.location
      return warning
    }
  }

  private static func offset(of warning: PlistWarning) -> Int {
    guard case .byte(let offset) = warning.location else {
      preconditionFailure("a warning without a byte offset")
    }
    return offset
  }
}

extension UnsafeRawBufferPointer {
  /// The end of the character that begins at a byte: a scalar in UTF-8, CRLF, or a single byte that
  /// is neither.
  fileprivate func characterEnd(from start: Int) -> Int {
    let rest = self[(start + 1)...]
    if self[start] == 0x0D { return start + (rest.first == 0x0A ? 2 : 1) }
    let lead = self[start]
    let length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    return start + 1 + rest.prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }.count
  }
}
