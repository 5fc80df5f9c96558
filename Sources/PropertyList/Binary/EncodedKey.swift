/// A key in the forms in which a binary property list may hold it.
struct BinaryKey {
  /// The contents of a string of ASCII, which stay empty for a key that is something else.
  private let ascii: [UInt8]
  /// The contents of a string of UTF-16.
  private let utf16: [UInt8]
  /// The lengths that such strings state; none is less than zero.
  private let asciiCount: Int
  private let utf16Count: Int

  init(_ key: String) {
    let text = Array(key.utf8)
    let isASCII = text.allSatisfy { $0 < 0x80 }
    ascii = isASCII ? text : []
    asciiCount = isASCII ? text.count : -1
    utf16 = key.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    utf16Count = utf16.count / 2
  }

  /// Whether an object that begins with this byte is a string.
  @inline(__always)
  static func isString(_ marker: UInt8) -> Bool {
    marker >> 4 == 0x5 || marker >> 4 == 0x6
  }

  /// Whether a string that begins with this byte may be the key: most say that their length is another.
  @inline(__always)
  func mayBegin(with marker: UInt8) -> Bool {
    let length = Int(marker & 0x0F)
    return length == 0x0F || length == (marker >> 4 == 0x5 ? asciiCount : utf16Count)
  }

  /// Whether a string is the key.
  func matches(at offset: Int, in structure: some BinaryStructure) throws(PlistError) -> Bool {
    let isASCII = try structure.bytes.byte(at: offset) >> 4 == 0x5
    let contents = try structure.contents(at: offset, bytesEach: isASCII ? 1 : 2)
    guard contents.count == (isASCII ? asciiCount : utf16Count) else { return false }
    let bytes = isASCII ? ascii : utf16
    guard let last = bytes.last else { return true }
    // Keys that stand together often differ at their ends only.
    guard try structure.bytes.byte(at: contents.range.upperBound - 1) == last else { return false }
    return try structure.bytes.hasBytes(bytes, at: contents.start)
  }
}
