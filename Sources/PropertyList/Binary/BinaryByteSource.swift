/// The bytes of a binary property list, wherever they are: in memory or in a file.
///
/// To ask for bytes outside of the document is a programming error.
protocol BinarySource {
  /// How many bytes the document has.
  var count: Int { get }

  func byte(at offset: Int) throws(PlistError) -> UInt8

  /// The unsigned number of the given size, the highest byte first; nil when it needs more than 64 bits.
  func integer(at offset: Int, size: Int) throws(PlistError) -> UInt64?

  /// Whether the bytes from an offset on are these.
  func hasBytes(_ bytes: [UInt8], at offset: Int) throws(PlistError) -> Bool
}

extension BinaryBytes: BinarySource {
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { self[offset] }

  @inline(__always)
  func hasBytes(_ bytes: [UInt8], at offset: Int) -> Bool {
    self[offset..<offset + bytes.count].elementsEqual(bytes)
  }
}
