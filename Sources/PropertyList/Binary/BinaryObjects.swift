internal import FoundationEssentials

/// The objects of a binary property list: where they are, and what those hold that refer to no others.
struct BinaryObjects {
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
    for object in 0..<trailer.objectCount {
      let entry = trailer.tableOffset + object * trailer.offsetSize
      guard let offset = bytes.integer(at: entry, size: trailer.offsetSize),
        let offset = Int(exactly: offset), trailer.objectArea.contains(offset)
      else { throw PlistError(.offsetOutOfRange(object: object), at: .byte(entry)) }
    }
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

  /// Reads an object's length, which stands in the marker or, where that says 15, in an integer
  /// behind it, and checks it against the bytes that there are.
  func contents(at offset: Int, bytesEach: Int) throws(PlistError) -> Contents {
    var start = offset + 1
    var count = UInt64(bytes[offset] & 0x0F)
    if count == 0x0F {
      guard start < trailer.tableOffset, 0x10...0x13 ~= bytes[start] else {
        throw PlistError(.malformedLength, at: .byte(offset))
      }
      let size = 1 << Int(bytes[start] & 0x0F)
      try checkLength(at: start, size)
      count = bytes.integer(at: start + 1, size: size)!
      start += 1 + size
    }
    guard count <= UInt64((trailer.tableOffset - start) / bytesEach) else {
      throw PlistError(.objectTooLong, at: .byte(offset))
    }
    return Contents(start: start, count: Int(count), bytesEach: bytesEach)
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

  // MARK: Keys

  /// The number of the object that is the value of a key in a dictionary; nil where the dictionary has no
  /// such key, and where the object is no dictionary. Of equal keys the last one counts.
  func find(_ key: String, in object: Int) throws(PlistError) -> Int? {
    let offset = self.offset(of: object)
    guard bytes[offset] >> 4 == 0xD else { return nil }
    let entries = try contents(at: offset, bytesEach: 2 * trailer.referenceSize)
    func reference(_ index: Int) -> Int {
      let offset = entries.start + index * trailer.referenceSize
      return Int(bytes.integer(at: offset, size: trailer.referenceSize)!)
    }
    let (text, units) = (Array(key.utf8), key.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    for index in (0..<entries.count).reversed() {
      let offset = self.offset(of: reference(index))
      if let key = shortASCII(at: offset) {
        if key.count == text.count, key.elementsEqual(text) {
          return reference(entries.count + index)
        }
        continue
      }
      let isUTF16 = bytes[offset] >> 4 == 0x6
      let contents = try contents(at: offset, bytesEach: isUTF16 ? 2 : 1)
      let wanted = isUTF16 ? units : text
      if contents.range.count == wanted.count, bytes[contents.range].elementsEqual(wanted) {
        return reference(entries.count + index)
      }
    }
    return nil
  }

  // MARK: Scalars

  /// The value of an object that is no container, string or data.
  func scalar(at offset: Int) throws(PlistError) -> PlistValue {
    let marker = bytes[offset]
    switch (marker >> 4, marker & 0x0F) {
    case (0x0, 0x0): return .null
    case (0x0, 0x8): return .boolean(false)
    case (0x0, 0x9): return .boolean(true)
    case (0x1, let exponent) where exponent <= 4:
      return try integer(at: offset, size: 1 << Int(exponent))
    case (0x2, 0x2):
      return .float(Float(bitPattern: UInt32(try number(at: offset, size: 4))))
    case (0x2, 0x3):
      return .real(Double(bitPattern: try number(at: offset, size: 8)))
    case (0x3, 0x3):
      let interval = Double(bitPattern: try number(at: offset, size: 8))
      if interval.isNaN { throw PlistError(.notADate, at: .byte(offset)) }
      return .date(Date(timeIntervalSinceReferenceDate: interval))
    case (0x8, let length):
      guard let uid = UInt32(exactly: try number(at: offset, size: Int(length) + 1)) else {
        throw PlistError(.uidOutOfRange, at: .byte(offset))
      }
      return .uid(uid)
    default:
      throw PlistError(.unsupportedObject(marker: marker), at: .byte(offset))
    }
  }

  /// Integers of one, two and four bytes are unsigned, those of eight and sixteen signed.
  private func integer(at offset: Int, size: Int) throws(PlistError) -> PlistValue {
    guard size == 16 else {
      let number = try number(at: offset, size: size)
      return .integer(Int64(bitPattern: number))
    }
    try checkLength(at: offset, size)
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
  private func number(at offset: Int, size: Int) throws(PlistError) -> UInt64 {
    try checkLength(at: offset, size)
    // Only a UID can be longer than eight bytes here; it has to fit four anyway.
    return bytes.integer(at: offset + 1, size: size) ?? .max
  }

  private func checkLength(at offset: Int, _ size: Int) throws(PlistError) {
    guard size < trailer.tableOffset - offset else {
      throw PlistError(.objectTooLong, at: .byte(offset))
    }
  }
}
