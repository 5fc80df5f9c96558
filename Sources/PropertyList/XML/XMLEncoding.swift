/// The encoding of an XML document, as its byte-order mark and its XML declaration tell.
struct XMLEncoding {
  /// How the characters are encoded.
  enum Unit: Equatable {
    case utf8
    case utf16(isBigEndian: Bool)
    case ascii
    case latin1
    case windows1252
  }

  private(set) var unit: Unit
  /// The length of the byte-order mark.
  let markLength: Int

  /// - Throws: An error for a document in an encoding that property lists do not use.
  init(of document: UnsafeRawBufferPointer) throws(PlistError) {
    try Self.refuseOtherUnits(document)
    (unit, markLength) =
      if document.starts(with: [0xEF, 0xBB, 0xBF]) {
        (.utf8, 3)
      } else if document.starts(with: [0xFE, 0xFF]) {
        (.utf16(isBigEndian: true), 2)
      } else if document.starts(with: [0xFF, 0xFE]) {
        (.utf16(isBigEndian: false), 2)
      } else if document.starts(with: [0, 0x3C, 0, 0x3F]) {
        (.utf16(isBigEndian: true), 0)
      } else if document.starts(with: [0x3C, 0, 0x3F, 0]) {
        (.utf16(isBigEndian: false), 0)
      } else {
        (.utf8, 0)
      }
    guard unit == .utf8 else { return }
    let text = UnsafeRawBufferPointer(rebasing: document.dropFirst(markLength))
    let start = text.firstIndex { !$0.isXMLSpace } ?? text.count
    guard let name = XMLDeclaration.encodingName(in: text, from: start) else { return }
    unit = try declaredUnit(name, in: text, from: start)
  }

  /// Throws an error for UTF-32 and EBCDIC, in which not even a declaration can be read.
  private static func refuseOtherUnits(_ document: UnsafeRawBufferPointer) throws(PlistError) {
    let utf32: [[UInt8]] = [
      [0, 0, 0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0, 0, 0, 0x3C], [0x3C, 0, 0, 0],
    ]
    let name: String? =
      if utf32.contains(where: { document.starts(with: $0) }) {
        "UTF-32"
      } else if document.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) {
        "EBCDIC"
      } else {
        nil
      }
    if let name { throw PlistError(.unsupportedEncoding(name), at: .line(1, column: 1)) }
  }

  // MARK: The declaration

  /// Checks that a document in UTF-16 does not declare another encoding.
  func checkDeclaration(in text: UnsafeRawBufferPointer, from start: Int) throws(PlistError) {
    guard let name = XMLDeclaration.encodingName(in: text, from: start) else { return }
    let declared = try declaredUnit(name, in: text, from: start)
    if declared != unit { throw Self.contradiction(behind: name, in: text) }
  }

  /// The unit that the declared name stands for. `UTF-8` is also declared in documents that were
  /// converted to UTF-16, and is no contradiction there.
  private func declaredUnit(
    _ range: Range<Int>, in text: UnsafeRawBufferPointer, from start: Int
  ) throws(PlistError) -> Unit {
    let name = String(decoding: text[range], as: UTF8.self)
    let declared: Unit
    switch name.uppercased() {
    case "UTF-8", "UTF8": return unit
    case "UTF-16":
      if unit == .utf8 { throw Self.contradiction(behind: range, in: text) }
      return unit
    case "UTF-16LE": declared = .utf16(isBigEndian: false)
    case "UTF-16BE": declared = .utf16(isBigEndian: true)
    case "US-ASCII", "ASCII": declared = .ascii
    case "ISO-8859-1": declared = .latin1
    case "WINDOWS-1252": declared = .windows1252
    default:
      throw PlistError(.unsupportedEncoding(name), at: TextCursor.location(of: start, in: text))
    }
    if case .utf16 = declared {
      if unit == .utf8 { throw Self.contradiction(behind: range, in: text) }
    } else if markLength == 3 {
      throw PlistError(
        .encodingContradictsByteOrderMark(name), at: TextCursor.location(of: start, in: text))
    }
    return declared
  }

  /// The error that the document is not in the encoding that it declares.
  private static func contradiction(
    behind name: Range<Int>, in text: UnsafeRawBufferPointer
  ) -> PlistError {
    PlistError(
      .notWellFormed(.malformedEncoding),
      at: TextCursor.location(of: name.upperBound + 1, in: text))
  }
}

// MARK: - Conversion

extension XMLEncoding.Unit {
  /// Appends text in UTF-8. What is not valid becomes U+FFFD.
  ///
  /// - Returns: The offset in the output of the first that is not valid; nil if all is.
  func convert(_ text: UnsafeRawBufferPointer, to output: inout OutputBuffer) -> Int? {
    switch self {
    case .utf8:
      output.append(text)
      return nil
    case .utf16(let isBigEndian):
      return Self.convertUTF16(text, isBigEndian: isBigEndian, to: &output)
    case .ascii, .latin1, .windows1252:
      var defect: Int?
      for byte in text {
        let scalar = scalar(of: byte)
        if scalar == nil, defect == nil { defect = output.count }
        output.append(scalar: scalar ?? 0xFFFD)
      }
      return defect
    }
  }

  /// The scalar of a byte in an encoding of one byte a character; nil if the byte has none.
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

  /// The characters 80 to 9F of windows-1252; 0 for those that it does not define.
  private static let windows1252Characters: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

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
}

extension OutputBuffer {
  /// Appends a Unicode scalar in UTF-8.
  mutating func append(scalar: UInt32) {
    func continuation(_ shift: UInt32) -> UInt32 { 0x80 | scalar >> shift & 0x3F }
    switch scalar {
    case ..<0x80:
      append(UInt8(scalar))
    case ..<0x800:
      append(bigEndian: UInt64(0xC000 | (scalar >> 6) << 8 | continuation(0)), size: 2)
    case ..<0x10000:
      let high = 0xE0_0000 | (scalar >> 12) << 16
      append(bigEndian: UInt64(high | continuation(6) << 8 | continuation(0)), size: 3)
    default:
      let high = 0xF000_0000 | (scalar >> 18) << 24 | continuation(12) << 16
      append(bigEndian: UInt64(high | continuation(6) << 8 | continuation(0)), size: 4)
    }
  }
}
