extension String {
  /// Decodes big-endian UTF-16; nil for an unpaired surrogate. The standard library's decoder takes
  /// ten times as long.
  init?(bigEndianUTF16 bytes: UnsafeRawBufferPointer) {
    let units = bytes.count / 2
    // A unit becomes at most three bytes, which are stored as four.
    let string = withUnsafeTemporaryAllocation(byteCount: units * 3 + 1, alignment: 1) { output in
      var count = 0
      @inline(__always) func unit(_ index: Int) -> UInt32 {
        UInt32(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
      }
      /// Appends the low bytes of a number, the lowest first.
      @inline(__always) func append(_ bytes: UInt32, count added: Int) {
        output.storeBytes(of: bytes.littleEndian, toByteOffset: count, as: UInt32.self)
        count += added
      }

      var index = 0
      while index < units {
        let first = unit(index)
        index += 1
        if first < 0x80 {
          output.storeBytes(of: UInt8(first), toByteOffset: count, as: UInt8.self)
          count += 1
        } else if first < 0x800 {
          let bytes = 0x80C0 | first >> 6 | (first & 0x3F) << 8
          output.storeBytes(of: UInt16(bytes).littleEndian, toByteOffset: count, as: UInt16.self)
          count += 2
        } else if first & 0xF800 != 0xD800 {
          append(0x8080E0 | first >> 12 | (first >> 6 & 0x3F) << 8 | (first & 0x3F) << 16, count: 3)
        } else {
          // A surrogate pair, the high surrogate first.
          guard first < 0xDC00, index < units, unit(index) & 0xFC00 == 0xDC00 else {
            return nil as String?
          }
          let scalar = 0x10000 + (first - 0xD800) << 10 + (unit(index) - 0xDC00)
          index += 1
          let high = 0x80F0 | scalar >> 18 | (scalar >> 12 & 0x3F) << 8
          append(high | (0x80 | scalar >> 6 & 0x3F) << 16 | (0x80 | scalar & 0x3F) << 24, count: 4)
        }
      }
      return String(utf8: UnsafeRawBufferPointer(rebasing: output[..<count]))
    }
    guard let string else { return nil }
    self = string
  }
}

extension UnsafeRawBufferPointer {
  /// The number of UTF-16 code units of valid UTF-8.
  var utf16Count: Int {
    var count = 0
    for byte in self {
      // Each character has one unit, or two if it takes four bytes.
      if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    }
    return count
  }

  /// Calls the closure with the UTF-16 code units of valid UTF-8, in order.
  @inline(__always)
  func forEachUTF16Unit(_ body: (UInt16) -> Void) {
    func low(_ position: Int) -> UInt32 { UInt32(self[position] & 0x3F) }
    var position = 0
    while position < count {
      let first = UInt32(self[position])
      switch first {
      case 0..<0x80:
        body(UInt16(first))
        position += 1
      case ..<0xE0:
        body(UInt16((first & 0x1F) << 6 | low(position + 1)))
        position += 2
      case ..<0xF0:
        body(UInt16((first & 0x0F) << 12 | low(position + 1) << 6 | low(position + 2)))
        position += 3
      default:
        let high = (first & 0x07) << 18 | low(position + 1) << 12
        let scalar = high | low(position + 2) << 6 | low(position + 3)
        body(UInt16(0xD800 + (scalar - 0x10000) >> 10))
        body(UInt16(0xDC00 + scalar & 0x3FF))
        position += 4
      }
    }
  }
}
