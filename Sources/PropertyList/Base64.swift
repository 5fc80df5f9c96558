internal import FoundationEssentials

/// Base64 with padding, as RFC 4648 section 4 defines it.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  private static let invalid: UInt8 = 0xFF
  private static let space: UInt8 = 0xFE
  private static let values: [UInt8] = {
    var values = Array(repeating: invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    for character in [0x20, 0x09, 0x0A, 0x0D] { values[character] = space }
    return values
  }()

  /// The bytes that a text spells; white space is passed over. Nil for any other character, for
  /// padding that is missing, too much or followed by more.
  static func decode(_ text: [UInt8]) -> Data? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    let values = values
    var group: UInt32 = 0
    var count = 0
    var position = 0
    while position < text.count {
      let value = values[Int(text[position])]
      if value < 64 {
        group = group << 6 | UInt32(value)
        count += 1
        if count == 4 {
          bytes.append(UInt8(truncatingIfNeeded: group >> 16))
          bytes.append(UInt8(truncatingIfNeeded: group >> 8))
          bytes.append(UInt8(truncatingIfNeeded: group))
          count = 0
        }
      } else if value != space {
        break
      }
      position += 1
    }

    // What is left can only be the padding of the last group.
    var paddingCount = 0
    for character in text[position...] {
      if character == padding {
        paddingCount += 1
      } else if values[Int(character)] != space {
        return nil
      }
    }
    switch (count, paddingCount) {
    case (0, 0):
      break
    case (2, 2):
      bytes.append(UInt8(truncatingIfNeeded: group >> 4))
    case (3, 1):
      bytes.append(UInt8(truncatingIfNeeded: group >> 10))
      bytes.append(UInt8(truncatingIfNeeded: group >> 2))
    default:
      return nil
    }
    return Data(bytes)
  }

  /// Calls the closure with each character of the bytes' base64 text.
  static func encode(_ data: Data, into body: (UInt8) -> Void) {
    data.withUnsafeBytes { bytes in
      let alphabet = alphabet
      var position = 0
      while position < bytes.count {
        let first = bytes[position]
        let second = position + 1 < bytes.count ? bytes[position + 1] : nil
        let third = position + 2 < bytes.count ? bytes[position + 2] : nil
        body(alphabet[Int(first >> 2)])
        body(alphabet[Int((first & 0x03) << 4 | (second ?? 0) >> 4)])
        body(second.map { alphabet[Int(($0 & 0x0F) << 2 | (third ?? 0) >> 6)] } ?? padding)
        body(third.map { alphabet[Int($0 & 0x3F)] } ?? padding)
        position += 3
      }
    }
  }
}
