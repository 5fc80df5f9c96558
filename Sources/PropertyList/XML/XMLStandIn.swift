/// The stand-in of a document that libxml2 reads: ASCII of the same length, with the same markup.
///
/// libxml2 never sees a reference, a character that XML excludes, or an encoding, none of which all
/// of its versions treat alike, and offsets in it are offsets in the document.
enum XMLStandIn {
  /// Replaces a byte of a character beyond ASCII: a letter, since names may have such characters.
  private static let letter = UInt8(ascii: "x")
  /// Replaces `&` and control characters: a character that is allowed in text and attributes but not
  /// in names.
  private static let sign = UInt8(ascii: "~")

  /// Copies bytes of a document and replaces those that libxml2 must not see.
  ///
  /// A carriage return becomes a space, so that it is also white space within tags.
  ///
  /// - Returns: Whether all bytes are ASCII other than NUL, and whether some are control characters
  /// that XML excludes.
  static func copy(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
  ) -> (isASCII: Bool, hasControlCharacters: Bool) {
    guard let base = source.baseAddress else { return (true, false) }
    // The compiler makes vector instructions of a loop without branches over typed pointers.
    let source = UnsafeBufferPointer(
      start: base.assumingMemoryBound(to: UInt8.self), count: source.count)
    let target = target.assumingMemoryBound(to: UInt8.self)
    // The highest bit is that of any byte that is not ASCII, or below a NUL.
    var bits: UInt8 = 0
    var controlBits: UInt8 = 0
    for index in source.indices {
      let byte = source[index]
      bits |= byte | (byte &- 1)
      var result = byte
      if byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == UInt8(ascii: "&") { result = sign }
      if byte == 0x0D { result = UInt8(ascii: " ") }
      if byte >= 0x80 { result = letter }
      // The highest bit is set if the byte is below a space and has become a sign.
      controlBits |= (byte &- 0x20) & ~byte & (result << 1)
      target[index] = result
    }
    return (bits < 0x80, controlBits >= 0x80)
  }
}
