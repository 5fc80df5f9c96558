internal import FoundationEssentials

/// Base64 with padding, as RFC 4648 section 4 defines it.
enum Base64 {
  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  private static let padding = UInt8(ascii: "=")

  private static let invalid: UInt8 = 0xFF
  private static let space: UInt8 = 0xFE
  private static let values: [UInt8] = {
    var values = Array(repeating: invalid, count: 256)
    for value in 0..<64 { values[Int(character(UInt32(value)))] = UInt8(value) }
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

  /// Appends the text of the bytes.
  static func encode(_ bytes: UnsafeRawBufferPointer, to output: inout OutputBuffer) {
    var position = 0
    while position + 3 <= bytes.count {
      let group = group(bytes[position], bytes[position + 1], bytes[position + 2])
      output.append(
        fourBytes: UInt32(character(group >> 18)) | UInt32(character(group >> 12)) << 8
          | UInt32(character(group >> 6)) << 16 | UInt32(character(group)) << 24)
      position += 3
    }
    let rest = bytes.count - position
    if rest == 0 { return }
    let group = group(bytes[position], rest == 2 ? bytes[position + 1] : 0, 0)
    output.append(character(group >> 18))
    output.append(character(group >> 12))
    output.append(rest == 2 ? character(group >> 6) : padding)
    output.append(padding)
  }

  @inline(__always)
  private static func group(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
    UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
  }

  /// The character for the lowest six bits.
  @inline(__always)
  private static func character(_ bits: UInt32) -> UInt8 {
    alphabet.utf8Start[Int(bits & 0x3F)]
  }
}
