internal import FoundationEssentials

/// The text of an OpenStep document, converted to UTF-8.
struct OpenStepText {
  /// The text in valid UTF-8 without a byte-order mark.
  let bytes: [UInt8]

  /// Decodes a document: as UTF-16 if it begins with that byte-order mark, as `.strings` tables
  /// used to, else as UTF-8.
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
        throw Self.malformed(at: error.byteOffsets.lowerBound, in: bytes)
      }
    }
  }

  /// Converts UTF-16 with a byte-order mark to UTF-8.
  ///
  /// - Parameter high: The position of the high byte in a code unit, 0 or 1.
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
        throw malformed(at: bytes.count, in: bytes)
      }
    }
  }

  private static func malformed(at offset: Int, in bytes: [UInt8]) -> PlistError {
    PlistError(
      .malformedText, at: bytes.withUnsafeBytes { TextCursor.location(of: offset, in: $0) })
  }
}
