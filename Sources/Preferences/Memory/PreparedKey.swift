internal import PropertyList

/// A key that is looked up often, with its bytes and their hash.
package final class PreparedKey: @unchecked Sendable {
  // Sendable because it is immutable, including the memory that its bytes point to.

  package let name: String
  /// Valid as long as the object.
  let bytes: KeyBytes

  package init(_ name: String) {
    self.name = name
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: name.utf8.count, alignment: 8)
    copy.copyBytes(from: name.utf8)
    bytes = KeyBytes(UnsafeRawBufferPointer(copy), seed: ByteHash.seed)
  }

  deinit { bytes.bytes.deallocate() }
}
