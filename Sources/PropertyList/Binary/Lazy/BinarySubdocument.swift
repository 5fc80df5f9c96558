internal import FoundationEssentials

/// An object of a binary property list and everything it contains, copied into a document of its
/// own.
///
/// Objects are copied unchanged except for their references, so that reading the copy validates
/// them as reading the whole document would.
struct BinarySubdocument: ~Copyable {
  /// The offsets of an object in the file and in the copy.
  private struct Place {
    let original: Int
    let copy: Int
  }

  private static let chunkLength = 512

  private let file: BinaryFile
  private var output = OutputBuffer()
  /// The numbers in the file of the objects, in the order of their numbers in the copy. The first
  /// `places.count` have been copied, the others are pending.
  private var objects: [Int] = []
  /// The number in the copy plus one, or zero, of each object of the file. Chunks are allocated
  /// when they are needed.
  private var numbers: [[Int]]
  private var places: [Place] = []
  private var budget: PayloadBudget

  /// Copies an object, or only the keys of a dictionary as an array.
  private init(
    of object: Int, keysOnly: Bool, in file: BinaryFile
  ) throws(PlistError) {
    self.file = file
    numbers = Array(repeating: [], count: file.trailer.objectCount / Self.chunkLength + 1)
    budget = PayloadBudget(file.trailer)
    output.append(BinaryTrailer.header)
    _ = assignNumber(to: object)
    try copy(object, keysOnly: keysOnly)
    while places.count < objects.count { try copy(objects[places.count], keysOnly: false) }
    appendTableAndTrailer()
  }

  /// Reads an object of a file.
  ///
  /// - Parameters:
  ///   - keysOnly: Whether to read only the keys of a dictionary, as an array.
  ///   - depth: The number of containers around the object.
  static func read(
    _ object: Int, keysOnly: Bool = false, in file: BinaryFile, depth: Int, limits: PlistLimits
  ) throws(PlistError) -> PlistValue {
    let subdocument = try BinarySubdocument(of: object, keysOnly: keysOnly, in: file)
    var options = PlistReadOptions()
    options.limits = limits
    options.limits.maximumDepth -= depth
    let places = subdocument.places
    do throws(PlistError) {
      return try BinaryPlistReader.read(subdocument.output.data(), options: options).0
    } catch {
      var error = error
      if case .tooDeep = error.kind { error.kind = .tooDeep(limit: limits.maximumDepth) }
      error.location = error.location.map { originalLocation(of: $0, places) }
      throw error
    }
  }

  /// Returns the location in the file of a location in the copy.
  private static func originalLocation(
    of location: PlistError.Location, _ places: [Place]
  ) -> PlistError.Location {
    guard case .byte(let offset) = location,
      let place = places.last(where: { $0.copy <= offset })
    else { return location }
    return .byte(place.original + offset - place.copy)
  }

  // MARK: Copying

  /// Returns the number in the copy of an object, assigning the next one at its first reference.
  private mutating func assignNumber(to object: Int) -> Int {
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
    switch BinaryMarker.type(of: marker) {
    case BinaryMarker.data, BinaryMarker.asciiString, BinaryMarker.utf16String:
      let payload = try spendPayload(at: offset)
      try file.bytes.append(offset..<payload.range.upperBound, to: &output)
    case BinaryMarker.array, BinaryMarker.set, BinaryMarker.dictionary:
      let payload = try spendPayload(at: offset)
      output.append(keysOnly ? BinaryMarker.array | marker & 0x0F : marker)
      try file.bytes.append(offset + 1..<payload.start, to: &output)
      let referenceSize = file.trailer.referenceSize
      let count = keysOnly ? payload.count : payload.range.count / referenceSize
      for index in 0..<count {
        let number = assignNumber(to: try file.reference(index, from: payload.start))
        output.append(bigEndian: UInt64(number), size: referenceSize)
      }
    default:
      let size = BinaryMarker.scalarSize(marker)
      try file.checkSize(size, at: offset)
      try file.bytes.append(offset..<offset + 1 + size, to: &output)
    }
  }

  /// Returns the payload of an object and deducts it from the budget.
  private mutating func spendPayload(at offset: Int) throws(PlistError) -> BinaryPayload {
    let payload = try file.payload(at: offset)
    try budget.spend(payload, at: offset)
    return payload
  }

  private mutating func appendTableAndTrailer() {
    let trailer = BinaryTrailer(
      offsetSize: 8, referenceSize: file.trailer.referenceSize, objectCount: objects.count,
      topObject: 0, tableOffset: output.count)
    for place in places {
      output.append(bigEndian: UInt64(place.copy), size: trailer.offsetSize)
    }
    trailer.write(to: &output)
  }
}
