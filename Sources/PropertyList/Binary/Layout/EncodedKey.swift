/// A key in the two encodings that a binary property list may store it in.
struct EncodedKey {
  /// The payload as an ASCII string; empty for a key that is not ASCII.
  private let ascii: [UInt8]
  /// The payload as a UTF-16 string.
  private let utf16: [UInt8]
  /// The lengths of the two strings; -1 for an ASCII string that cannot be the key.
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

  /// Returns whether a string with the given marker can be the key, judging by its length.
  @inline(__always)
  func mayMatch(marker: UInt8) -> Bool {
    let length = marker & 0x0F
    let isASCII = BinaryMarker.type(of: marker) == BinaryMarker.asciiString
    return length == BinaryMarker.extendedLength
      || Int(length) == (isASCII ? asciiCount : utf16Count)
  }

  /// Returns whether the string at an offset is the key.
  func matches(at offset: Int, in objects: some BinaryObjectTable) throws(PlistError) -> Bool {
    let marker = try objects.bytes.byte(at: offset)
    let isASCII = BinaryMarker.type(of: marker) == BinaryMarker.asciiString
    let payload = try objects.payload(at: offset)
    guard payload.count == (isASCII ? asciiCount : utf16Count) else { return false }
    let bytes = isASCII ? ascii : utf16
    guard let last = bytes.last else { return true }
    // Neighboring keys often differ only at the end.
    guard try objects.bytes.byte(at: payload.range.upperBound - 1) == last else { return false }
    return try objects.bytes.hasBytes(bytes, at: payload.start)
  }
}
