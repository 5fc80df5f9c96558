/// The last 32 bytes of a binary property list. Five unused bytes and the sort version come first,
/// then the sizes of offsets and references, the number of objects, the number of the top object
/// and the offset of the offset table.
struct BinaryTrailer {
  static let length = 32
  static let header = "bplist00"

  var offsetSize: Int
  var referenceSize: Int
  var objectCount: Int
  var topObject: Int
  var tableOffset: Int

  var objectArea: Range<Int> { Self.header.utf8.count..<tableOffset }

  /// Returns whether offsets and references may have a size: one to eight bytes, or sixteen.
  private static func isIntegerSize(_ size: Int) -> Bool { 1...8 ~= size || size == 16 }
}

extension BinaryTrailer {
  /// Reads the trailer of a document and validates it against the size of the document. The entries
  /// of the offset table are not examined.
  init(_ bytes: some BinarySource) throws(PlistError) {
    let headerLength = Self.header.utf8.count
    guard bytes.count >= headerLength, try bytes.hasBytes(Array("bplist0".utf8), at: 0) else {
      throw PlistError(.unsupportedVersion, at: .byte(0))
    }
    // The smallest document has one object of one byte and its offset.
    guard bytes.count >= headerLength + 2 + Self.length else {
      throw PlistError(.malformedTrailer(.length), at: .byte(bytes.count))
    }
    let start = bytes.count - Self.length
    func fail(_ field: PlistError.TrailerField, at offset: Int) -> PlistError {
      PlistError(.malformedTrailer(field), at: .byte(start + offset))
    }
    /// Returns the field at an offset, or `Int.max`, which fails every check, if it is larger.
    func field(_ offset: Int) throws(PlistError) -> Int {
      Int(exactly: try bytes.integer(at: start + offset, size: 8)!) ?? .max
    }

    offsetSize = Int(try bytes.byte(at: start + 6))
    referenceSize = Int(try bytes.byte(at: start + 7))
    objectCount = try field(8)
    topObject = try field(16)
    tableOffset = try field(24)

    guard Self.isIntegerSize(offsetSize) else { throw fail(.offsetSize, at: 6) }
    guard Self.isIntegerSize(referenceSize) else { throw fail(.referenceSize, at: 7) }
    guard objectCount >= 1 else { throw fail(.objectCount, at: 8) }
    guard topObject < objectCount else { throw fail(.topObject, at: 16) }
    guard tableOffset > headerLength, tableOffset < start else { throw fail(.tableOffset, at: 24) }
    let (tableLength, overflowed) = objectCount.multipliedReportingOverflow(by: offsetSize)
    guard !overflowed, tableLength == start - tableOffset else { throw fail(.tableOffset, at: 24) }
    // 256 objects need references up to 255, which fit in one byte.
    guard referenceSize >= 8 || objectCount - 1 < 1 << (8 * referenceSize) else {
      throw fail(.referenceSize, at: 7)
    }
    guard offsetSize >= 8 || tableOffset - 1 < 1 << (8 * offsetSize) else {
      throw fail(.offsetSize, at: 6)
    }
  }

  func write(to output: inout OutputBuffer) {
    output.append(repeating: 0, count: 6)
    output.append(UInt8(offsetSize))
    output.append(UInt8(referenceSize))
    output.append(bigEndian: UInt64(objectCount), size: 8)
    output.append(bigEndian: UInt64(topObject), size: 8)
    output.append(bigEndian: UInt64(tableOffset), size: 8)
  }
}
