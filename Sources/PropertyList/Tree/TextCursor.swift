/// A position in a text that moves forward and counts lines and columns.
///
/// A line ends with LF, CR or CRLF; a column is a Unicode scalar.
struct TextCursor {
  private var offset = 0
  private var line = 1
  private var column = 1

  private var location: PlistError.Location { .line(line, column: column) }

  private mutating func move(to end: Int, in bytes: UnsafeRawBufferPointer) {
    while offset < end {
      switch bytes[offset] {
      case 0x0A where offset > 0 && bytes[offset - 1] == 0x0D:
        break
      case 0x0A, 0x0D:
        line += 1
        column = 1
      case let byte where byte & 0xC0 != 0x80:
        column += 1
      default:
        break
      }
      offset += 1
    }
  }

  /// Moves forward to a byte and returns its line.
  mutating func line(of offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    move(to: min(offset, bytes.count), in: bytes)
    return line
  }

  /// Returns the line and column of a byte.
  static func location(of offset: Int, in bytes: UnsafeRawBufferPointer) -> PlistError.Location {
    var cursor = TextCursor()
    cursor.move(to: min(offset, bytes.count), in: bytes)
    return cursor.location
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
