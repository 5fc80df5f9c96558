/// A key in the encodings that a binary property list may store it in.
struct EncodedKey {
  /// The payload as an ASCII string. A key that is not ASCII has those that are read as it although
  /// they are wrongly marked as ASCII.
  private let ascii: [[UInt8]]
  /// The payload as a UTF-16 string.
  private let utf16: [UInt8]
  /// The lengths of the first and of the last ASCII string, and of the UTF-16 string.
  private let asciiCounts: (Int, Int)
  private let utf16Count: Int

  init(_ key: String) {
    var ascii = [Array(key.utf8)]
    if !key.utf8.allSatisfy({ $0 < 0x80 }), key.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) {
      let latin1 = key.unicodeScalars.map { UInt8($0.value) }
      let decoded = latin1.withUnsafeBytes { String.decodingMarkedASCII($0) }
      if !decoded.isUTF8 { ascii.append(latin1) }
    }
    self.ascii = ascii
    asciiCounts = (ascii[0].count, ascii[ascii.count - 1].count)
    utf16 = key.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    utf16Count = utf16.count / 2
  }

  /// Returns whether a string with the given marker can be the key, judging by its length.
  @inline(__always)
  func mayMatch(marker: UInt8) -> Bool {
    let length = Int(marker & 0x0F)
    if length == BinaryMarker.extendedLength { return true }
    return BinaryMarker.type(of: marker) == BinaryMarker.asciiString
      ? length == asciiCounts.0 || length == asciiCounts.1 : length == utf16Count
  }

  /// Returns whether the string at an offset is the key.
  func matches(at offset: Int, in objects: some BinaryObjectTable) throws(PlistError) -> Bool {
    let marker = try objects.bytes.byte(at: offset)
    let payload = try objects.payload(at: offset)
    guard BinaryMarker.type(of: marker) == BinaryMarker.asciiString else {
      guard payload.count == utf16Count else { return false }
      return try objects.hasBytes(utf16, of: payload)
    }
    for bytes in ascii where bytes.count == payload.count {
      if try objects.hasBytes(bytes, of: payload) { return true }
    }
    return false
  }
}

extension BinaryObjectTable {
  /// Returns whether a payload consists of bytes of the same number.
  fileprivate func hasBytes(
    _ bytes: [UInt8], of payload: BinaryPayload
  ) throws(PlistError) -> Bool {
    guard let last = bytes.last else { return true }
    // Neighboring keys often differ only at the end.
    guard try self.bytes.byte(at: payload.range.upperBound - 1) == last else { return false }
    return try self.bytes.hasBytes(bytes, at: payload.start)
  }
}
