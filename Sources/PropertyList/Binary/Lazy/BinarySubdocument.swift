internal import FoundationEssentials

/// An object of a binary property list with all that it contains, as a document of its own.
///
/// The objects are copied as they are, but for their references, so that whoever reads the document checks
/// what the whole one would have been checked for.
struct BinaryExcerpt: ~Copyable {
  /// Where an object was, and where it is now.
  private struct Place {
    let original: Int
    let copy: Int
  }

  private static let chunkLength = 512

  private let file: BinaryFile
  private var output = OutputBuffer()
  /// The objects by their numbers in the file, in the order of their new numbers. Those that have a place
  /// are copied; the others have only been met.
  private var objects: [Int] = []
  /// One more than the new number of each object, or zero, in chunks that are empty until they are needed.
  private var numbers: [[Int]]
  private var places: [Place] = []
  /// How many bytes the contents of objects may still have, as for `BinaryPlistReader`.
  private var remainingBytes: Int

  /// Copies an object, or the keys alone of a dictionary, which become an array.
  private init(
    of object: Int, keysOnly: Bool, in file: BinaryFile
  ) throws(PlistError) {
    self.file = file
    numbers = Array(repeating: [], count: file.trailer.objectCount / Self.chunkLength + 1)
    remainingBytes = 2 * file.trailer.objectArea.count
    output.append(BinaryTrailer.header)
    _ = number(of: object)
    try copy(object, keysOnly: keysOnly)
    while places.count < objects.count { try copy(objects[places.count], keysOnly: false) }
    finish()
  }

  /// Makes the value of an object.
  ///
  /// - Parameters:
  ///   - keysOnly: Whether only an array of a dictionary's keys is wanted.
  ///   - depth: How many containers are around the object.
  static func read(
    _ object: Int, keysOnly: Bool = false, in file: BinaryFile, depth: Int, limits: PlistLimits
  ) throws(PlistError) -> PlistValue {
    let excerpt = try BinaryExcerpt(of: object, keysOnly: keysOnly, in: file)
    var options = PlistReadOptions()
    options.limits = limits
    options.limits.maximumDepth -= depth
    let places = excerpt.places
    do throws(PlistError) {
      return try BinaryPlistReader.read(excerpt.output.data(), options: options).0
    } catch {
      var error = error
      if case .tooDeep = error.kind { error.kind = .tooDeep(limit: limits.maximumDepth) }
      error.location = error.location.map { original($0, places) }
      throw error
    }
  }

  /// The place in the file of a place in the excerpt.
  private static func original(
    _ location: PlistError.Location, _ places: [Place]
  ) -> PlistError.Location {
    guard case .byte(let offset) = location,
      let place = places.last(where: { $0.copy <= offset })
    else { return location }
    return .byte(place.original + offset - place.copy)
  }

  // MARK: Copying

  /// The new number of an object.
  private mutating func number(of object: Int) -> Int {
    let (chunk, index) = object.quotientAndRemainder(dividingBy: Self.chunkLength)
    if numbers[chunk].isEmpty {
      numbers[chunk] = Array(repeating: 0, count: Self.chunkLength)
    }
    if numbers[chunk][index] == 0 {
      objects.append(object)
      numbers[chunk][index] = objects.count
    }
    return numbers[chunk][index] - 1
  }

  private mutating func copy(_ object: Int, keysOnly: Bool) throws(PlistError) {
    let offset = try file.checkedOffset(of: object)
    places.append(Place(original: offset, copy: output.count))
    let marker = try file.bytes.byte(at: offset)
    switch marker >> 4 {
    case 0x4, 0x5, 0x6:
      let contents = try contents(at: offset, bytesEach: marker >> 4 == 0x6 ? 2 : 1)
      try file.bytes.append(offset..<contents.range.upperBound, to: &output)
    case 0xA, 0xC, 0xD:
      let perElement = marker >> 4 == 0xD ? 2 : 1
      let contents = try contents(
        at: offset, bytesEach: perElement * file.trailer.referenceSize)
      output.append(keysOnly ? 0xA0 | marker & 0x0F : marker)
      try file.bytes.append(offset + 1..<contents.start, to: &output)
      for index in 0..<contents.count * (keysOnly ? 1 : perElement) {
        let number = number(of: try file.reference(index, from: contents.start))
        output.append(bigEndian: UInt64(number), size: file.trailer.referenceSize)
      }
    default:
      let size = BinaryObjects.scalarSize(marker: marker)
      try file.checkLength(at: offset, size)
      try file.bytes.append(offset..<offset + 1 + size, to: &output)
    }
  }

  /// Where an object of variable length has its contents, which take their share of the bytes that there
  /// are.
  private mutating func contents(
    at offset: Int, bytesEach: Int
  ) throws(PlistError) -> BinaryObjects.Contents {
    let contents = try file.contents(at: offset, bytesEach: bytesEach)
    remainingBytes -= contents.range.count
    guard remainingBytes >= 0 else { throw PlistError(.overlappingObjects, at: .byte(offset)) }
    return contents
  }

  /// Adds the offset table and the trailer.
  private mutating func finish() {
    let tableOffset = output.count
    let offsetSize = 8
    for place in places { output.append(bigEndian: UInt64(place.copy), size: offsetSize) }
    output.append(repeating: 0, count: 6)
    output.append(UInt8(offsetSize))
    output.append(UInt8(file.trailer.referenceSize))
    output.append(bigEndian: UInt64(objects.count), size: 8)
    output.append(bigEndian: 0, size: 8)
    output.append(bigEndian: UInt64(tableOffset), size: 8)
  }
}
