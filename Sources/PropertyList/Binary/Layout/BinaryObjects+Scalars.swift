internal import FoundationEssentials

/// The objects of a document in memory, and the values of scalars and short strings.
extension BinaryObjects<BytesInMemory> {
  /// Calls the closure with the objects of a document, whose trailer has been validated.
  /// ``checkOffsets()`` must be called once for a document before any other method.
  static func withObjects<Result>(
    of data: Data, _ body: (Self) throws(PlistError) -> Result
  ) throws(PlistError) -> Result {
    try data.withBytes { bytes throws(PlistError) in
      let bytes = BytesInMemory(bytes)
      return try body(BinaryObjects(bytes: bytes, trailer: try BinaryTrailer(bytes)))
    }
  }

  /// Throws if an entry of the offset table is outside the object area.
  func checkOffsets() throws(PlistError) {
    for object in 0..<trailer.objectCount { _ = try checkedOffset(of: object) }
  }

  /// Returns the offset of an object, which ``checkOffsets()`` has validated.
  @inline(__always)
  func offset(of object: Int) -> Int {
    Int(
      bytes.integer(
        at: trailer.tableOffset + object * trailer.offsetSize, size: trailer.offsetSize)!)
  }

  static var longSize: Int { 64 }

  /// Returns the payload of a short ASCII string, or nil if the object is anything else or
  /// malformed.
  @inline(__always)
  func shortASCII(at offset: Int) -> UnsafeRawBufferPointer? {
    let marker = bytes[offset]
    guard BinaryMarker.type(of: marker) == BinaryMarker.asciiString else { return nil }
    var start = offset + 1
    var count = Int(marker & 0x0F)
    if count == Int(BinaryMarker.extendedLength) {
      // The length must be an integer of one byte.
      guard offset + 3 <= trailer.tableOffset, bytes[start] == 0x10 else { return nil }
      count = Int(bytes[start + 1])
      start += 2
    }
    guard count < Self.longSize, count <= trailer.tableOffset - start else { return nil }
    let text = bytes[start..<start + count]
    return text.isASCII ? text : nil
  }

  /// Returns the value of an integer of at most eight bytes, or nil if the object is anything else
  /// or malformed.
  @inline(__always)
  func shortInteger(at offset: Int) -> Int64? {
    let marker = bytes[offset]
    guard 0x10...0x13 ~= marker else { return nil }
    let size = 1 << Int(marker & 0x03)
    guard size < trailer.tableOffset - offset else { return nil }
    return Int64(bitPattern: bytes.integer(at: offset + 1, size: size)!)
  }

  /// Returns the value of an object other than a container, a string or data.
  func scalar(at offset: Int) throws(PlistError) -> PlistValue {
    let marker = bytes[offset]
    try checkSize(BinaryMarker.scalarSize(marker), at: offset)
    switch (marker >> 4, marker & 0x0F) {
    case (0x0, 0x0): return .null
    case (0x0, 0x8): return .boolean(false)
    case (0x0, 0x9): return .boolean(true)
    case (0x1, let exponent) where exponent <= 4:
      return try integer(at: offset, size: 1 << Int(exponent))
    case (0x2, 0x2): return .float(Float(bitPattern: UInt32(number(at: offset, size: 4))))
    case (0x2, 0x3): return .real(Double(bitPattern: number(at: offset, size: 8)))
    case _ where marker == BinaryMarker.date:
      let interval = Double(bitPattern: number(at: offset, size: 8))
      if interval.isNaN { throw PlistError(.dateIsNaN, at: .byte(offset)) }
      return .date(Date(timeIntervalSinceReferenceDate: interval))
    case (0x8, let length):
      guard let uid = UInt32(exactly: number(at: offset, size: Int(length) + 1)) else {
        throw PlistError(.uidOutOfRange, at: .byte(offset))
      }
      return .uid(uid)
    default: throw PlistError(.unsupportedObject(marker: marker), at: .byte(offset))
    }
  }

  /// Returns an integer. One, two and four bytes are unsigned, eight and sixteen signed.
  private func integer(at offset: Int, size: Int) throws(PlistError) -> PlistValue {
    guard size == 16 else { return .integer(Int64(bitPattern: number(at: offset, size: size))) }
    let high = bytes.integer(at: offset + 1, size: 8)!
    let low = bytes.integer(at: offset + 9, size: 8)!
    switch high {
    case 0: return Int64(exactly: low).map { .integer($0) } ?? .unsignedInteger(low)
    case .max where low >> 63 == 1: return .integer(Int64(bitPattern: low))
    default: throw PlistError(.integerOutOfRange, at: .byte(offset))
    }
  }

  private func number(at offset: Int, size: Int) -> UInt64 {
    // Only a UID can be longer than eight bytes here, and it must fit in four.
    bytes.integer(at: offset + 1, size: size) ?? .max
  }
}
