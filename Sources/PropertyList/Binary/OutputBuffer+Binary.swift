internal import FoundationEssentials

extension OutputBuffer {
  /// Appends a value other than a container as an object of a binary property list.
  @inline(__always)
  mutating func append(leaf value: PlistValue) {
    switch value {
    case .null: append(0x00)
    case .boolean(let boolean): append(boolean ? 0x09 : 0x08)
    case .integer(let number): append(integer: number)
    case .unsignedInteger(let number):
      if let signed = Int64(exactly: number) {
        append(integer: signed)
      } else {
        // Eight bytes are signed, so larger numbers need sixteen.
        append(0x14)
        append(bigEndian: number, size: 16)
      }
    case .real(let number):
      append(0x23)
      append(bigEndian: number.bitPattern, size: 8)
    case .float(let number):
      append(0x22)
      append(bigEndian: UInt64(number.bitPattern), size: 4)
    case .date(let date):
      append(BinaryMarker.date)
      append(bigEndian: date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
    case .data(let data):
      append(marker: BinaryMarker.data, count: data.count)
      append(data)
    case .string(let string): append(stringObject: string)
    case .uid(let uid):
      let size = UInt64(uid).byteSize
      append(BinaryMarker.uid | UInt8(size - 1))
      append(bigEndian: UInt64(uid), size: size)
    case .dictionary, .array, .set: preconditionFailure("a container is not a leaf")
    }
  }

  /// Appends a string as ASCII if possible, as UTF-16 otherwise.
  @inline(__always)
  private mutating func append(stringObject string: String) {
    string.withBytes { bytes in
      if bytes.isASCII {
        append(marker: BinaryMarker.asciiString, count: bytes.count)
        append(bytes)
      } else {
        append(marker: BinaryMarker.utf16String, count: bytes.utf16Count)
        append(asBigEndianUTF16: bytes)
      }
    }
  }

  private mutating func append(integer: Int64) {
    let size = integer < 0 ? 8 : UInt64(integer).byteSize
    append(0x10 | UInt8(size.trailingZeroBitCount))
    append(bigEndian: UInt64(bitPattern: integer), size: size)
  }

  @inline(__always)
  mutating func append(marker: UInt8, count: Int) {
    if count < Int(BinaryMarker.extendedLength) {
      append(marker | UInt8(count))
    } else {
      append(marker | BinaryMarker.extendedLength)
      append(integer: Int64(count))
    }
  }
}

extension UInt64 {
  /// The smallest size of an integer object that holds the number: 1, 2, 4 or 8 bytes.
  var byteSize: Int { self < 1 << 8 ? 1 : self < 1 << 16 ? 2 : self < 1 << 32 ? 4 : 8 }
}
