extension String {
  /// A copy of bytes that have been found to be UTF-8.
  @inline(__always)
  init(valid bytes: UnsafeRawBufferPointer, isASCII: Bool) {
    self.init(
      copying: UTF8Span(unchecked: Span<UInt8>(_bytes: bytes.bytes), isKnownASCII: isASCII))
  }
}
