internal import FoundationEssentials

/// The text of an OpenStep document, in UTF-8 whatever it is stored in.
struct OpenStepText {
  /// Valid UTF-8 without a byte-order mark.
  let bytes: [UInt8]

  /// The text of a document: UTF-16 where it begins with that byte-order mark, as `.strings` tables
  /// used to, else UTF-8.
  init(_ data: Data) throws(PlistError) {
    if data.starts(with: [0xFE, 0xFF]) {
      bytes = try Self.transcode(data, high: 0)
    } else if data.starts(with: [0xFF, 0xFE]) {
      bytes = try Self.transcode(data, high: 1)
    } else {
      bytes = Array(data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data)
      do {
        _ = try UTF8Span(validating: bytes.span)
      } catch {
        throw PlistError(.malformedText, at: location(of: error.byteOffsets.lowerBound))
      }
    }
  }

  /// The UTF-8 of UTF-16 behind its byte-order mark.
  ///
  /// - Parameter high: The place of a code unit's high byte, 0 or 1.
  private static func transcode(_ data: Data, high: Int) throws(PlistError) -> [UInt8] {
    let stored = Array(data.dropFirst(2))
    var units = (0..<stored.count / 2).lazy.map { unit in
      UInt16(stored[unit * 2 + high]) << 8 | UInt16(stored[unit * 2 + 1 - high])
    }.makeIterator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stored.count)
    var decoder = UTF16()
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar):
        bytes += scalar.utf8
        continue
      case .emptyInput where stored.count % 2 == 0:
        return bytes
      case .emptyInput, .error:
        var cursor = Cursor()
        cursor.move(to: bytes.count, in: bytes)
        throw PlistError(.malformedText, at: cursor.location)
      }
    }
  }

  // MARK: Places

  /// The line and column of a byte.
  func location(of offset: Int) -> PlistError.Location {
    var cursor = Cursor()
    cursor.move(to: offset, in: bytes)
    return cursor.location
  }

  /// The warnings in the order of the document, with lines and columns instead of byte offsets.
  func locate(_ warnings: [PlistWarning]) -> [PlistWarning] {
    var cursor = Cursor()
    return warnings.sorted { Self.offset(of: $0) < Self.offset(of: $1) }.map { warning in
      cursor.move(to: Self.offset(of: warning), in: bytes)
      var warning = warning
      warning.location = cursor.location
      return warning
    }
  }

  private static func offset(of warning: PlistWarning) -> Int {
    guard case .byte(let offset) = warning.location else {
      preconditionFailure("a warning without its byte")
    }
    return offset
  }

  /// A place that moves forward through the text. A line ends with LF, CR or both.
  private struct Cursor {
    private var offset = 0
    private var line = 1
    private var column = 1

    var location: PlistError.Location { .line(line, column: column) }

    mutating func move(to end: Int, in bytes: [UInt8]) {
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
  }
}
