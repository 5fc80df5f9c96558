/// The objects of a binary property list, located through its offset table.
///
/// Offsets, lengths and references are validated when they are followed.
protocol BinaryObjectTable {
  associatedtype Source: BinaryByteSource

  var bytes: Source { get }
  var trailer: BinaryTrailer { get }
}

extension BinaryObjectTable {
  // MARK: Objects

  /// Returns the offset of an object.
  @inline(__always)
  func checkedOffset(of object: Int) throws(PlistError) -> Int {
    let entry = trailer.tableOffset + object * trailer.offsetSize
    guard let offset = try bytes.integer(at: entry, size: trailer.offsetSize),
      let offset = Int(exactly: offset), trailer.objectArea.contains(offset)
    else { throw PlistError(.offsetOutOfRange(object: object), at: .byte(entry)) }
    return offset
  }

  /// Returns the payload of the string, data or container at an offset.
  ///
  /// The length is in the marker or, if that says 15, in an integer object after it.
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

  /// Returns the number of the object that a reference leads to.
  ///
  /// - Parameters:
  ///   - index: The index of the reference in its list.
  ///   - start: The offset of the list.
  @inline(__always)
  func reference(_ index: Int, from start: Int) throws(PlistError) -> Int {
    let offset = start + index * trailer.referenceSize
    let number = try bytes.integer(at: offset, size: trailer.referenceSize) ?? .max
    guard number < UInt64(trailer.objectCount) else {
      throw PlistError(.referenceOutOfRange(object: Int(clamping: number)), at: .byte(offset))
    }
    return Int(number)
  }

  // MARK: Keys

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
