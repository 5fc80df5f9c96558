/// The stand-in of a document that libxml2 reads: ASCII of the same length, with the same markup.
///
/// libxml2 never sees a reference, a character that XML excludes, or an encoding, none of which all
/// of its versions treat alike, and offsets in it are offsets in the document.
enum XMLStandIn {
  /// What stands for a byte of a character beyond ASCII: a letter, since names may have such
  /// characters.
  private static let letter = UInt8(ascii: "x")
  /// What stands for `&` and control characters: a character that is allowed in text and attributes
  /// but not in names.
  private static let sign = UInt8(ascii: "~")

  /// Copies bytes of a document and replaces those that libxml2 must not see.
  ///
  /// A carriage return becomes a space, so that it is white space within tags, too.
  static func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
    var position = 0
    while position + 32 <= source.count {
      let bytes = source.loadUnaligned(fromByteOffset: position, as: SIMD32<UInt8>.self)
      target.storeBytes(of: replace(bytes), toByteOffset: position, as: SIMD32<UInt8>.self)
      position += 32
    }
    while position < source.count {
      target.storeBytes(of: replace(source[position]), toByteOffset: position, as: UInt8.self)
      position += 1
    }
  }

  @inline(__always)
  private static func replace(_ bytes: SIMD32<UInt8>) -> SIMD32<UInt8> {
    var result = bytes
    result.replace(
      with: sign,
      where: (bytes .< 0x20 .& bytes .!= 0x09 .& bytes .!= 0x0A) .| bytes .== UInt8(ascii: "&"))
    result.replace(with: UInt8(ascii: " "), where: bytes .== 0x0D)
    result.replace(with: letter, where: bytes .>= 0x80)
    return result
  }

  private static func replace(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x80...: letter
    case 0x0D: UInt8(ascii: " ")
    case UInt8(ascii: "&"), ..<0x09, 0x0B..<0x20: sign
    default: byte
    }
  }
}
