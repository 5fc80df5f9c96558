/// The objects of a binary property list, wherever its bytes are.
///
/// Every number that leads somewhere is checked when it is followed.
protocol BinaryStructure {
  associatedtype Source: BinarySource

  var bytes: Source { get }
  var trailer: BinaryTrailer { get }
}

extension BinaryStructure {
  // MARK: Places

  /// The offset of an object.
  @inline(__always)
  func checkedOffset(of object: Int) throws(PlistError) -> Int {
    let entry = trailer.tableOffset + object * trailer.offsetSize
    guard let offset = try bytes.integer(at: entry, size: trailer.offsetSize),
      let offset = Int(exactly: offset), trailer.objectArea.contains(offset)
    else { throw PlistError(.offsetOutOfRange(object: object), at: .byte(entry)) }
    return offset
  }

  /// Reads an object's length, which stands in the marker or, where that says 15, in an integer
  /// behind it, and checks it against the bytes that there are.
  func contents(at offset: Int, bytesEach: Int) throws(PlistError) -> BinaryObjects.Contents {
    var start = offset + 1
    var count = UInt64(try bytes.byte(at: offset) & 0x0F)
    if count == 0x0F {
      guard start < trailer.tableOffset, 0x10...0x13 ~= (try bytes.byte(at: start)) else {
        throw PlistError(.malformedLength, at: .byte(offset))
      }
      let size = 1 << Int(try bytes.byte(at: start) & 0x0F)
      try checkLength(at: start, size)
      count = try bytes.integer(at: start + 1, size: size)!
      start += 1 + size
    }
    guard count <= UInt64((trailer.tableOffset - start) / bytesEach) else {
      throw PlistError(.objectTooLong, at: .byte(offset))
    }
    return BinaryObjects.Contents(start: start, count: Int(count), bytesEach: bytesEach)
  }

  /// Refuses an object that has not that many bytes behind its marker.
  @inline(__always)
  func checkLength(at offset: Int, _ size: Int) throws(PlistError) {
    guard size < trailer.tableOffset - offset else {
      throw PlistError(.objectTooLong, at: .byte(offset))
    }
  }

  /// The number of the object to which a reference leads, by its index among those that begin at an offset.
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

  /// The number of the object that is the value of a key in a dictionary; nil where the dictionary has no
  /// such key, and where the object is no dictionary. Of equal keys the last one counts.
  func find(_ key: String, in object: Int) throws(PlistError) -> Int? {
    let offset = try checkedOffset(of: object)
    guard try bytes.byte(at: offset) >> 4 == 0xD else { return nil }
    let entries = try contents(at: offset, bytesEach: 2 * trailer.referenceSize)
    let key = BinaryKey(key)
    for index in (0..<entries.count).reversed() {
      let offset = try checkedOffset(of: try reference(index, from: entries.start))
      let marker = try bytes.byte(at: offset)
      guard BinaryKey.isString(marker) else {
        let place = entries.start + index * trailer.referenceSize
        throw PlistError(.keyNotString, at: .byte(place))
      }
      if key.mayBegin(with: marker), try key.matches(at: offset, in: self) {
        return try reference(entries.count + index, from: entries.start)
      }
    }
    return nil
  }
}
