/// The bytes of a binary property list. Every access is checked, in optimized builds too.
struct BinaryBytes {
  private let base: UnsafeRawPointer
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count > 0)
    base = bytes.baseAddress!
    count = bytes.count
  }

  subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < count, "a byte outside the document")
    return base.load(fromByteOffset: offset, as: UInt8.self)
  }

  subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "bytes outside the document")
    return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// The sizes that offsets and references may have: one to eight bytes, or sixteen.
  static func isIntegerSize(_ size: Int) -> Bool {
    1...8 ~= size || size == 16
  }

  /// The unsigned number of the given size, the highest byte first; nil when it needs more than 64
  /// bits. It ends eight bytes from the document's beginning or behind that, where the header is.
  @inline(__always)
  func integer(at offset: Int, size: Int) -> UInt64? {
    let end = offset + size
    precondition(
      offset >= 0 && size > 0 && end >= 8 && end <= count, "a number outside the document")
    let lastEight = UInt64(bigEndian: base.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self))
    if size <= 8 { return lastEight & (.max &>> UInt64(truncatingIfNeeded: 64 - 8 * size)) }
    for position in offset..<end - 8 where self[position] != 0 { return nil }
    return lastEight
  }
}
