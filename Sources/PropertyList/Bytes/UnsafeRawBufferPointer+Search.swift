internal import Glibc

/// Searches in the text of a document.
extension UnsafeRawBufferPointer {
  /// Returns the first position of a byte in a range, or the end of the range if there is none.
  @inline(__always)
  func firstPosition(of byte: UInt8, in range: Range<Int>) -> Int {
    guard !range.isEmpty, let base = baseAddress,
      let found = memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return range.upperBound }
    return UnsafeRawPointer(found) - base
  }

  /// Returns the first position of some text at or after another position, or nil if there is none.
  func firstPosition(of text: StaticString, from start: Int) -> Int? {
    var position = start
    while position < count {
      position = firstPosition(of: text.utf8Start.pointee, in: position..<count)
      if hasBytes(text, at: position) { return position }
      position += 1
    }
    return nil
  }

  /// Returns whether some text is at a position.
  func hasBytes(_ text: StaticString, at position: Int) -> Bool {
    guard count - position >= text.utf8CodeUnitCount, let base = baseAddress else { return false }
    return memcmp(base + position, text.utf8Start, text.utf8CodeUnitCount) == 0
  }
}
