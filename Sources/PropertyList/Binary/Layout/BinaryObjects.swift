/// The objects of a binary property list, located through its offset table. Offsets, lengths and
/// references are validated when they are followed.
struct BinaryObjects<Source: BinarySource> {
  let bytes: Source
  let trailer: BinaryTrailer
}

extension BinaryObjects {
  @inline(__always)
  func checkedOffset(of object: Int) throws(PlistError) -> Int {
    let entry = trailer.tableOffset + object * trailer.offsetSize
    guard let offset = try bytes.integer(at: entry, size: trailer.offsetSize),
      let offset = Int(exactly: offset), trailer.objectArea.contains(offset)
    else { throw PlistError(.offsetOutOfRange(object: object), at: .byte(entry)) }
    return offset
  }

  /// Returns the payload of the string, data or container at an offset. The length is in the marker
  /// or, if that says 15, in an integer object after it.
  func payload(at offset: Int) throws(PlistError) -> BinaryPayload {
    let marker = try bytes.byte(at: offset)
    var start = offset + 1
    var count = UInt64(marker & 0x0F)
    if marker & 0x0F == BinaryMarker.extendedLength {
      guard start < trailer.tableOffset, 0x10...0x13 ~= (try bytes.byte(at: start)) else {
        throw PlistError(.malformedLength, at: .byte(offset))
      }
      let size = 1 << Int(try bytes.byte(at: start) & 0x0F)
      try checkSize(size, at: start)
      count = try bytes.integer(at: start + 1, size: size)!
      start += 1 + size
    }
    let elementSize = elementSize(marker)
    guard count <= UInt64((trailer.tableOffset - start) / elementSize) else {
      throw PlistError(.objectTooLong, at: .byte(offset))
    }
    return BinaryPayload(start: start, count: Int(count), elementSize: elementSize)
  }

  /// Returns the size of a byte, code unit, reference or pair of references, by the object's
  /// marker.
  @inline(__always)
  private func elementSize(_ marker: UInt8) -> Int {
    switch BinaryMarker.type(of: marker) {
    case BinaryMarker.utf16String: 2
    case BinaryMarker.array, BinaryMarker.set: trailer.referenceSize
    case BinaryMarker.dictionary: 2 * trailer.referenceSize
    default: 1
    }
  }

  /// Throws unless the object area holds `size` bytes after the marker at an offset.
  @inline(__always)
  func checkSize(_ size: Int, at offset: Int) throws(PlistError) {
    guard size < trailer.tableOffset - offset else {
      throw PlistError(.objectTooLong, at: .byte(offset))
    }
  }

  /// Returns the number of the object that the reference at an index of a list leads to.
  @inline(__always)
  func reference(_ index: Int, from start: Int) throws(PlistError) -> Int {
    let offset = start + index * trailer.referenceSize
    let number = try bytes.integer(at: offset, size: trailer.referenceSize) ?? .max
    guard number < UInt64(trailer.objectCount) else {
      throw PlistError(.referenceOutOfRange(object: Int(clamping: number)), at: .byte(offset))
    }
    return Int(number)
  }

  /// Returns the number of the object that is a key's value in a dictionary, or nil if the
  /// dictionary does not have the key or the object is not a dictionary. If the key repeats, the
  /// last value counts.
  func object(forKey key: String, in dictionary: Int) throws(PlistError) -> Int? {
    let offset = try checkedOffset(of: dictionary)
    guard BinaryMarker.type(of: try bytes.byte(at: offset)) == BinaryMarker.dictionary else {
      return nil
    }
    let entries = try payload(at: offset)
    let key = EncodedKey(key)
    for index in (0..<entries.count).reversed() {
      let offset = try checkedOffset(of: try reference(index, from: entries.start))
      let marker = try bytes.byte(at: offset)
      guard BinaryMarker.isString(marker) else {
        let place = entries.start + index * trailer.referenceSize
        throw PlistError(.keyNotString, at: .byte(place))
      }
      if key.mayMatch(marker: marker), try key.matches(at: offset, in: self) {
        return try reference(entries.count + index, from: entries.start)
      }
    }
    return nil
  }
}

/// A key in the encodings that a binary property list may store it in.
struct EncodedKey {
  /// The payload as an ASCII string. A key that is not ASCII has those that are read as it although
  /// they are wrongly marked as ASCII.
  private let ascii: [[UInt8]]
  private let utf16: [UInt8]
  /// The lengths of the first and of the last ASCII string, and of the UTF-16 string.
  private let asciiCounts: (Int, Int)
  private let utf16Count: Int

  init(_ key: String) {
    var ascii = [Array(key.utf8)]
    if !key.utf8.allSatisfy({ $0 < 0x80 }), key.unicodeScalars.allSatisfy({ $0.value <= 0xFF }) {
      let latin1 = key.unicodeScalars.map { UInt8($0.value) }
      let decoded = latin1.withUnsafeBytes { String.decodingMarkedASCII($0) }
      if !decoded.isUTF8 { ascii.append(latin1) }
    }
    self.ascii = ascii
    asciiCounts = (ascii[0].count, ascii[ascii.count - 1].count)
    utf16 = key.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    utf16Count = utf16.count / 2
  }

  /// Returns whether a string with the given marker can be the key, judging by its length.
  @inline(__always)
  func mayMatch(marker: UInt8) -> Bool {
    let length = Int(marker & 0x0F)
    if length == BinaryMarker.extendedLength { return true }
    return BinaryMarker.type(of: marker) == BinaryMarker.asciiString
      ? length == asciiCounts.0 || length == asciiCounts.1 : length == utf16Count
  }

  func matches(at offset: Int, in objects: BinaryObjects<some BinarySource>) throws(PlistError)
    -> Bool
  {
    let marker = try objects.bytes.byte(at: offset)
    let payload = try objects.payload(at: offset)
    guard BinaryMarker.type(of: marker) == BinaryMarker.asciiString else {
      guard payload.count == utf16Count else { return false }
      return try objects.hasBytes(utf16, of: payload)
    }
    for bytes in ascii where bytes.count == payload.count {
      if try objects.hasBytes(bytes, of: payload) { return true }
    }
    return false
  }
}

extension BinaryObjects {
  fileprivate func hasBytes(
    _ bytes: [UInt8], of payload: BinaryPayload
  ) throws(PlistError) -> Bool {
    guard let last = bytes.last else { return true }
    // Neighboring keys often differ only at the end.
    guard try self.bytes.byte(at: payload.range.upperBound - 1) == last else { return false }
    return try self.bytes.hasBytes(bytes, at: payload.start)
  }
}

/// The payload of a string, data or container: the bytes after the marker and the length.
struct BinaryPayload {
  let start: Int
  /// The number of elements: bytes, UTF-16 code units, references or pairs of references.
  let count: Int
  let elementSize: Int

  var range: Range<Int> { start..<start + count * elementSize }
}

/// The total size that the payloads of a document's objects may still have. Payloads fit in the
/// object area unless objects overlap. A few may overlap, but all payloads together are limited to
/// twice the area, so that a file cannot describe far more than it holds.
struct PayloadBudget {
  private var remaining: Int

  init(_ trailer: BinaryTrailer) { remaining = 2 * trailer.objectArea.count }

  /// Deducts a number of bytes and returns true, or changes nothing and returns false if fewer
  /// remain.
  @inline(__always)
  mutating func spend(_ count: Int) -> Bool {
    guard count <= remaining else { return false }
    remaining -= count
    return true
  }

  /// Deducts the payload of the object at an offset; throws `overlappingObjects` if less remains.
  mutating func spend(_ payload: BinaryPayload, at offset: Int) throws(PlistError) {
    guard spend(payload.range.count) else {
      throw PlistError(.overlappingObjects, at: .byte(offset))
    }
  }
}
