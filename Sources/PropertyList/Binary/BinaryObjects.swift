internal import FoundationEssentials

/// The objects of a binary property list in memory: where they are, and what those hold that refer to no
/// others.
struct BinaryObjects: BinaryStructure {
  let bytes: BinaryBytes
  let trailer: BinaryTrailer

  /// Calls the closure with the objects of a document, whose trailer is checked; ``checkOffsets()`` has to
  /// be called before any other function, once for a document.
  static func with<Result>(
    _ data: Data, _ body: (BinaryObjects) throws(PlistError) -> Result
  ) throws(PlistError) -> Result {
    try data.withUnsafeBytes { bytes -> Swift.Result<Result, PlistError> in
      do throws(PlistError) {
        let bytes = BinaryBytes(bytes)
        return .success(
          try body(BinaryObjects(bytes: bytes, trailer: try BinaryTrailer(bytes))))
      } catch {
        return .failure(error)
      }
    }.get()
  }

  // MARK: Places

  /// Refuses offsets that lead elsewhere than to objects.
  func checkOffsets() throws(PlistError) {
    for object in 0..<trailer.objectCount { _ = try checkedOffset(of: object) }
  }

  /// The offset, which ``checkOffsets()`` has checked.
  @inline(__always)
  func offset(of object: Int) -> Int {
    Int(
      bytes.integer(
        at: trailer.tableOffset + object * trailer.offsetSize, size: trailer.offsetSize)!)
  }

  /// Where an object of variable length has its contents.
  struct Contents {
    let start: Int
    let count: Int
    let bytesEach: Int

    var range: Range<Int> { start..<start + count * bytesEach }
  }

  /// Strings of fewer bytes are short.
  static let shortLength = 64

  /// The text of a short string of ASCII; nil for any other object, and where it is not as it should be.
  @inline(__always)
  func shortASCII(at offset: Int) -> UnsafeRawBufferPointer? {
    let marker = bytes[offset]
    guard marker >> 4 == 0x5 else { return nil }
    var start = offset + 1
    var count = Int(marker & 0x0F)
    if count == 0x0F {
      // The length stands in an integer of one byte.
      guard offset + 3 <= trailer.tableOffset, bytes[start] == 0x10 else { return nil }
      count = Int(bytes[start + 1])
      start += 2
    }
    guard count < Self.shortLength, count <= trailer.tableOffset - start else { return nil }
    let text = bytes[start..<start + count]
    return text.isASCII ? text : nil
  }

  /// The number that an object of at most eight bytes holds; nil for any other object, and where it is not
  /// as it should be.
  @inline(__always)
  func shortInteger(at offset: Int) -> Int64? {
    let marker = bytes[offset]
    guard 0x10...0x13 ~= marker else { return nil }
    let size = 1 << Int(marker & 0x03)
    guard size < trailer.tableOffset - offset else { return nil }
    return Int64(bitPattern: bytes.integer(at: offset + 1, size: size)!)
  }

  // MARK: Scalars

  /// The value of an object that is no container, string or data.
  func scalar(at offset: Int) throws(PlistError) -> PlistValue {
    let marker = bytes[offset]
    try checkLength(at: offset, Self.scalarSize(marker: marker))
    switch (marker >> 4, marker & 0x0F) {
    case (0x0, 0x0): return .null
    case (0x0, 0x8): return .boolean(false)
    case (0x0, 0x9): return .boolean(true)
    case (0x1, let exponent) where exponent <= 4:
      return try integer(at: offset, size: 1 << Int(exponent))
    case (0x2, 0x2):
      return .float(Float(bitPattern: UInt32(number(at: offset, size: 4))))
    case (0x2, 0x3):
      return .real(Double(bitPattern: number(at: offset, size: 8)))
    case (0x3, 0x3):
      let interval = Double(bitPattern: number(at: offset, size: 8))
      if interval.isNaN { throw PlistError(.dateIsNaN, at: .byte(offset)) }
      return .date(Date(timeIntervalSinceReferenceDate: interval))
    case (0x8, let length):
      guard let uid = UInt32(exactly: number(at: offset, size: Int(length) + 1)) else {
        throw PlistError(.uidOutOfRange, at: .byte(offset))
      }
      return .uid(uid)
    default:
      throw PlistError(.unsupportedObject(marker: marker), at: .byte(offset))
    }
  }

  /// How many bytes stand behind the marker of an object that is no container, string or data; none for
  /// what is not supported.
  @inline(__always)
  static func scalarSize(marker: UInt8) -> Int {
    switch (marker >> 4, marker & 0x0F) {
    case (0x1, let exponent) where exponent <= 4: 1 << Int(exponent)
    case (0x2, let exponent) where 2...3 ~= exponent: 1 << Int(exponent)
    case (0x3, 0x3): 8
    case (0x8, let length): Int(length) + 1
    default: 0
    }
  }

  /// Integers of one, two and four bytes are unsigned, those of eight and sixteen signed.
  private func integer(at offset: Int, size: Int) throws(PlistError) -> PlistValue {
    guard size == 16 else {
      return .integer(Int64(bitPattern: number(at: offset, size: size)))
    }
    let high = bytes.integer(at: offset + 1, size: 8)!
    let low = bytes.integer(at: offset + 9, size: 8)!
    switch high {
    case 0:
      return Int64(exactly: low).map { .integer($0) } ?? .unsignedInteger(low)
    case .max where low >> 63 == 1:
      return .integer(Int64(bitPattern: low))
    default:
      throw PlistError(.integerOutOfRange, at: .byte(offset))
    }
  }

  /// The unsigned number of that many bytes behind an object's marker.
  private func number(at offset: Int, size: Int) -> UInt64 {
    // Only a UID can be longer than eight bytes here; it has to fit four anyway.
    return bytes.integer(at: offset + 1, size: size) ?? .max
  }
}
