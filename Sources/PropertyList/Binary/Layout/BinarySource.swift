/// Random access to the bytes of a binary property list, in memory or in a file. Access outside the
/// document is a programming error.
protocol BinarySource {
  var count: Int { get }

  func byte(at offset: Int) throws(PlistError) -> UInt8

  /// Returns the big-endian unsigned integer of a size, or nil if it needs more than 64 bits.
  func integer(at offset: Int, size: Int) throws(PlistError) -> UInt64?

  func hasBytes(_ bytes: [UInt8], at offset: Int) throws(PlistError) -> Bool
}

/// The bytes of a binary property list in memory. Every access is bounds-checked, even in optimized
/// builds.
struct BytesInMemory {
  private let base: UnsafeRawPointer
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count > 0)
    base = bytes.baseAddress!
    count = bytes.count
  }

  subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < count, "byte outside the document")
    return base.load(fromByteOffset: offset, as: UInt8.self)
  }

  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "bytes outside the document")
    return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Returns the big-endian unsigned integer of a size, or nil if it needs more than 64 bits. The
  /// integer must not end within the first eight bytes of the document, which are the header.
  @inline(__always)
  func integer(at offset: Int, size: Int) -> UInt64? {
    let end = offset + size
    precondition(
      offset >= 0 && size > 0 && end >= 8 && end <= count, "integer outside the document")
    let lastEight = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self))
    if size <= 8 { return lastEight & (.max &>> UInt64(truncatingIfNeeded: 64 - 8 * size)) }
    for position in offset..<end - 8 where self[position] != 0 { return nil }
    return lastEight
  }
}

extension BytesInMemory: BinarySource {
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { self[offset] }

  @inline(__always)
  func hasBytes(_ bytes: [UInt8], at offset: Int) -> Bool {
    self[offset..<offset + bytes.count].elementsEqual(bytes)
  }
}
