/// Random access to the bytes of a binary property list, in memory or in a file.
///
/// Access outside the document is a programming error.
protocol BinaryByteSource {
  /// The size of the document in bytes.
  var count: Int { get }

  func byte(at offset: Int) throws(PlistError) -> UInt8

  /// Returns the big-endian unsigned integer of a size, or nil if it needs more than 64 bits.
  func integer(at offset: Int, size: Int) throws(PlistError) -> UInt64?

  /// Returns whether the document holds the given bytes at an offset.
  func hasBytes(_ bytes: [UInt8], at offset: Int) throws(PlistError) -> Bool
}
