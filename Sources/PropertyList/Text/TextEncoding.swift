package import FoundationEssentials
internal import Glibc

/// The encodings of text that is read.
enum TextEncoding: Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  case ascii
  case latin1
  case windows1252
  /// An encoding that iconv knows.
  case named(String)

  static func mark(of text: UnsafeRawBufferPointer) -> (encoding: TextEncoding, length: Int)? {
    // UTF-32's mark begins with UTF-16's.
    let marks: [([UInt8], TextEncoding)] = [
      ([0xEF, 0xBB, 0xBF], .utf8),
      ([0xFF, 0xFE, 0, 0], .utf32(isBigEndian: false)),
      ([0, 0, 0xFE, 0xFF], .utf32(isBigEndian: true)),
      ([0xFF, 0xFE], .utf16(isBigEndian: false)),
      ([0xFE, 0xFF], .utf16(isBigEndian: true)),
    ]
    for (mark, encoding) in marks where text.starts(with: mark) { return (encoding, mark.count) }
    return nil
  }

  /// Whether code units have more than one byte.
  var isWide: Bool {
    switch self {
    case .utf16, .utf32: true
    case .utf8, .ascii, .latin1, .windows1252, .named: false
    }
  }

  /// Appends text in UTF-8. Invalid bytes become U+FFFD; in a named encoding, the first one ends
  /// the text.
  ///
  /// - Returns: The offset in the output of the first invalid byte; nil if all bytes are valid.
  func convert(_ text: UnsafeRawBufferPointer, to output: inout OutputBuffer) -> Int? {
    switch self {
    case .utf8:
      output.append(text)
      return nil
    case .utf16(let isBigEndian):
      return Self.convertUTF16(text, isBigEndian: isBigEndian, to: &output)
    case .utf32(let isBigEndian):
      return Self.convertUTF32(text, isBigEndian: isBigEndian, to: &output)
    case .ascii, .latin1, .windows1252:
      var defect: Int?
      for byte in text {
        let scalar = scalar(of: byte)
        if scalar == nil, defect == nil { defect = output.count }
        output.append(scalar: scalar ?? 0xFFFD)
      }
      return defect
    case .named(let name):
      guard var converter = EncodingConverter(from: name) else { return output.count }
      var converted: [UInt8] = []
      let isValid = converter.convert(text, to: &converted)
      converted.withUnsafeBytes { output.append($0) }
      return isValid ? nil : output.count
    }
  }

  /// The scalar of a byte in a single-byte encoding; nil if the byte is undefined.
  private func scalar(of byte: UInt8) -> UInt32? {
    switch self {
    case .latin1: return UInt32(byte)
    case .windows1252 where 0x80...0x9F ~= byte:
      let scalar = Self.windows1252Characters[Int(byte - 0x80)]
      return scalar == 0 ? nil : UInt32(scalar)
    case .windows1252: return UInt32(byte)
    default: return byte < 0x80 ? UInt32(byte) : nil
    }
  }

  /// The characters 80 to 9F of windows-1252; 0 for undefined ones.
  private static let windows1252Characters: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// Returns valid UTF-8 converted to the encoding; nil if the encoding lacks a character.
  func encode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if self == .utf8 { return Array(text) }
    var output: [UInt8] = []
    if case .named(let name) = self {
      guard var converter = EncodingConverter(from: "UTF-8", to: name) else { return nil }
      return text.withUnsafeBytes { converter.convert($0, to: &output) } ? output : nil
    }
    output.reserveCapacity(text.count * (isWide ? 2 : 1))
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      guard append(scalar, to: &output) else { return nil }
    }
    return output
  }

  /// Appends a character, and returns whether the encoding has it.
  private func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) -> Bool {
    func append<Unit: FixedWidthInteger>(_ unit: Unit, _ isBigEndian: Bool) {
      withUnsafeBytes(of: isBigEndian ? unit.bigEndian : unit.littleEndian) { output += $0 }
    }
    switch self {
    case .utf8, .named: preconditionFailure("encoded as a whole")
    case .utf16(let isBigEndian):
      for unit in UTF16.encode(scalar).map(Array.init) ?? [] { append(unit, isBigEndian) }
    case .utf32(let isBigEndian): append(scalar.value, isBigEndian)
    case .ascii, .latin1, .windows1252:
      if let byte = UInt8(exactly: scalar.value), self.scalar(of: byte) == scalar.value {
        output.append(byte)
      } else if self == .windows1252, scalar.value > 0xFF,
        let position = Self.windows1252Characters.firstIndex(where: { $0 == scalar.value })
      {
        output.append(0x80 + UInt8(position))
      } else {
        return false
      }
    }
    return true
  }

  private static func convertUTF16(
    _ text: UnsafeRawBufferPointer, isBigEndian: Bool, to output: inout OutputBuffer
  ) -> Int? {
    var defect: Int?
    let count = text.count / 2
    func unit(_ index: Int) -> UInt32 {
      let unit = text.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)
      return UInt32(isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit))
    }
    func invalid(_ output: borrowing OutputBuffer) -> UInt32 {
      if defect == nil { defect = output.count }
      return 0xFFFD
    }

    var index = 0
    while index < count {
      var scalar = unit(index)
      index += 1
      if scalar & 0xF800 == 0xD800 {
        if scalar < 0xDC00, index < count, unit(index) & 0xFC00 == 0xDC00 {
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (unit(index) - 0xDC00)
          index += 1
        } else {
          scalar = invalid(output)
        }
      }
      output.append(scalar: scalar)
    }
    if !text.count.isMultiple(of: 2) { output.append(scalar: invalid(output)) }
    return defect
  }

  private static func convertUTF32(
    _ text: UnsafeRawBufferPointer, isBigEndian: Bool, to output: inout OutputBuffer
  ) -> Int? {
    var defect: Int?
    func append(_ scalar: Unicode.Scalar?, to output: inout OutputBuffer) {
      if scalar == nil, defect == nil { defect = output.count }
      output.append(scalar: scalar?.value ?? 0xFFFD)
    }
    for start in stride(from: 0, to: text.count - 3, by: 4) {
      let unit = text.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      let value = isBigEndian ? UInt32(bigEndian: unit) : UInt32(littleEndian: unit)
      append(Unicode.Scalar(value), to: &output)
    }
    if !text.count.isMultiple(of: 4) { append(nil, to: &output) }
    return defect
  }
}

extension OutputBuffer {
  /// Appends a Unicode scalar in UTF-8.
  mutating func append(scalar: UInt32) {
    func continuation(_ shift: UInt32) -> UInt32 { 0x80 | scalar >> shift & 0x3F }
    switch scalar {
    case ..<0x80: append(UInt8(scalar))
    case ..<0x800: append(bigEndian: UInt64(0xC000 | (scalar >> 6) << 8 | continuation(0)), size: 2)
    case ..<0x10000:
      let high = 0xE0_0000 | (scalar >> 12) << 16
      append(bigEndian: UInt64(high | continuation(6) << 8 | continuation(0)), size: 3)
    default:
      let high = 0xF000_0000 | (scalar >> 18) << 24 | continuation(12) << 16
      append(bigEndian: UInt64(high | continuation(6) << 8 | continuation(0)), size: 4)
    }
  }
}

extension TextEncoding {
  /// The name of the encoding, as documents declare it.
  var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16(let isBigEndian): isBigEndian ? "UTF-16BE" : "UTF-16LE"
    case .utf32(let isBigEndian): isBigEndian ? "UTF-32BE" : "UTF-32LE"
    case .ascii: "US-ASCII"
    case .latin1: "ISO-8859-1"
    case .windows1252: "windows-1252"
    case .named(let name): name
    }
  }
}

extension PlistDocument {
  /// Returns the name of the encoding of the bytes that the document was read from, with `and a
  /// byte-order mark` if they have one; nil for a binary document.
  ///
  /// - Parameter encoding: See ``PlistReadOptions/encoding``.
  package func encodingName(in data: Data, encoding: String? = nil) -> String? {
    data.withUnsafeBytes { bytes in
      let mark = TextEncoding.mark(of: bytes)
      let suffix = mark == nil ? "" : " with a byte-order mark"
      switch format {
      case .binary: return nil
      case .json: return "UTF-8" + suffix
      case .xml: return (try? XMLEncoding(of: bytes)).map { $0.encoding.name + suffix }
      case .openStep: return (mark?.encoding.name ?? encoding ?? "UTF-8") + suffix
      }
    }
  }
}

/// Converts text from one encoding to another with the system's iconv.
struct EncodingConverter: ~Copyable {
  private let descriptor: iconv_t

  /// Nil for an encoding that iconv does not know.
  init?(from encoding: String, to target: String = "UTF-8") {
    guard let descriptor = iconv_open(target, encoding), Int(bitPattern: descriptor) != -1 else {
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// Appends a whole text in the encoding of the output, and returns whether all of it is valid in the encoding. If not,
  /// the text before the first defect is appended.
  mutating func convert(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Bool {
    var input = UnsafeMutablePointer(
      mutating: text.baseAddress?.assumingMemoryBound(to: CChar.self))
    var count = text.count
    while count > 0 {
      guard convertSome(&input, &count, to: &output) else { return false }
    }
    // In some encodings, iconv holds a character back until the end of the input is signaled.
    return convertSome(nil, nil, to: &output)
  }

  /// Converts as much as fits into a buffer, and returns whether it is valid.
  private mutating func convertSome(
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ inputCount: UnsafeMutablePointer<Int>?, to output: inout [UInt8]
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      var next = buffer.baseAddress
      var rest = buffer.count
      let isValid = iconv(descriptor, input, inputCount, &next, &rest) != -1 || errno == E2BIG
      output += UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer.dropLast(rest)))
      return isValid
    }
  }
}
