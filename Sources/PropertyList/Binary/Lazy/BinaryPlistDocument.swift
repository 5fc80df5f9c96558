internal import FoundationEssentials
internal import Synchronization

/// A binary property list in a file. Only requested values are read.
///
/// ```swift
/// let library = try BinaryPlistDocument(path: "library.plist")
/// let name = try library.value(at: PlistKeyPath("Tracks.15000.Name"))
/// ```
///
/// The file stays open, and about 256 KiB of it are cached in memory. The values are the same as
/// from ``PropertyList/Plist/read(_:as:options:)``. Everything that is read to find a value is
/// validated; damage elsewhere goes unnoticed.
///
/// If the file is replaced, the document continues to read the original. If the file is modified in
/// place, as its size and times show, every later call throws ``PlistError/Kind/fileChanged``. A
/// modification within milliseconds of the previous one may leave the times unchanged and cause
/// wrong values, but no crash.
///
/// A document can be used from several threads; reads are serialized.
public final class BinaryPlistDocument: Sendable {
  private let file: Mutex<BinaryObjects<BytesInFile>>
  private let limits: PlistLimits

  /// Opens a regular file and validates its trailer.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limits: Limits on size, depth and nodes; nodes are counted for each requested value
  ///     separately.
  /// - Throws: An error if the file cannot be opened or its trailer is malformed.
  public init(path: String, limits: PlistLimits = PlistLimits()) throws(PlistError) {
    file = Mutex(try BinaryObjects(path: path, limits: limits))
    self.limits = limits
  }

  /// Returns the value at a path, or nil if there is none.
  ///
  /// The time is linear in the number of keys of the dictionaries along the path and in the size of
  /// the value.
  ///
  /// - Throws: An error if an object along the path or in the value is malformed, or the file has
  ///   changed.
  public func value(at path: PlistKeyPath) throws(PlistError) -> PlistValue? {
    try withObject(at: path) { (file, object) throws(PlistError) in
      try read(object, in: file, at: path)
    }
  }

  /// Returns the kind of the value at a path, or nil if there is none.
  ///
  /// - Throws: An error if an object along the path is malformed, or the file has changed.
  public func kind(at path: PlistKeyPath) throws(PlistError) -> PlistValue.Kind? {
    try withObject(at: path) { (file, object) throws(PlistError) in
      if let kind = try file.kind(of: object) { return kind }
      return try read(object, in: file, at: path).kind
    }
  }

  var bytesRead: Int { file.withLock { $0.bytes.bytesRead } }

  // MARK: Reading

  /// Calls the closure with the object at a path, with the lock held.
  private func withObject<Result: Sendable>(
    at path: PlistKeyPath,
    _ body: @Sendable (BinaryObjects<BytesInFile>, Int) throws(PlistError) -> Result?
  ) throws(PlistError) -> Result? {
    try file.withLock { file throws(PlistError) in
      try file.bytes.checkUnchanged()
      let result: Swift.Result<Result?, PlistError>
      do throws(PlistError) {
        let object = try find(path, in: file)
        result = .success(
          try object.flatMap { object throws(PlistError) in try body(file, object) })
      } catch {
        result = .failure(error)
      }
      // The result, even an error, may come from a file that was being modified.
      try file.bytes.checkUnchanged()
      return try result.get()
    }
  }

  private func find(_ path: PlistKeyPath, in file: BinaryObjects<BytesInFile>) throws(PlistError)
    -> Int?
  {
    var object = file.trailer.topObject
    var visited: Set<Int> = []
    for (depth, component) in path.components.enumerated() {
      do throws(PlistError) {
        visited.insert(object)
        guard let next = try file.child(component, of: object) else { return nil }
        try limits.checkDepth(depth + 1, at: .byte(try file.checkedOffset(of: object)))
        if visited.contains(next) {
          throw PlistError(.cycle, at: .byte(try file.checkedOffset(of: next)))
        }
        object = next
      } catch {
        let place = PlistKeyPath(components: Array(path.components.prefix(depth)))
        throw PlistError(error.kind, at: error.location, keyPath: place)
      }
    }
    return object
  }

  private func read(
    _ object: Int, in file: BinaryObjects<BytesInFile>, at path: PlistKeyPath
  ) throws(PlistError) -> PlistValue {
    do throws(PlistError) {
      return try ExtractedObject.read(
        object, in: file, depth: path.components.count, limits: limits)
    } catch {
      var error = error
      error.keyPath.components.insert(contentsOf: path.components, at: 0)
      throw error
    }
  }
}

/// An object of a binary property list and everything it contains, copied into a separate document.
/// Objects are copied unchanged except for their references, so that reading the copy validates
/// them as reading the whole document would.
private struct ExtractedObject: ~Copyable {
  /// The offsets of an object in the file and in the copy.
  private struct Place {
    let original: Int
    let copy: Int
  }

  private static let chunkLength = 512

  private let file: BinaryObjects<BytesInFile>
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
  private init(of object: Int, in file: BinaryObjects<BytesInFile>) throws(PlistError) {
    self.file = file
    numbers = Array(repeating: [], count: file.trailer.objectCount / Self.chunkLength + 1)
    budget = PayloadBudget(file.trailer)
    output.append(BinaryTrailer.header)
    _ = assignNumber(to: object)
    while places.count < objects.count { try copy(objects[places.count]) }
    appendTableAndTrailer()
  }

  /// Reads an object that is inside a number of containers.
  static func read(
    _ object: Int, in file: BinaryObjects<BytesInFile>, depth: Int, limits: PlistLimits
  ) throws(PlistError) -> PlistValue {
    let subdocument = try ExtractedObject(of: object, in: file)
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
    if numbers[chunk].isEmpty { numbers[chunk] = Array(repeating: 0, count: Self.chunkLength) }
    if numbers[chunk][index] == 0 {
      objects.append(object)
      numbers[chunk][index] = objects.count
    }
    return numbers[chunk][index] - 1
  }

  private mutating func copy(_ object: Int) throws(PlistError) {
    let offset = try file.checkedOffset(of: object)
    places.append(Place(original: offset, copy: output.count))
    let marker = try file.bytes.byte(at: offset)
    switch BinaryMarker.type(of: marker) {
    case BinaryMarker.data, BinaryMarker.asciiString, BinaryMarker.utf16String:
      let payload = try spendPayload(at: offset)
      try file.bytes.append(offset..<payload.range.upperBound, to: &output)
    case BinaryMarker.array, BinaryMarker.set, BinaryMarker.dictionary:
      let payload = try spendPayload(at: offset)
      try file.bytes.append(offset..<payload.start, to: &output)
      let referenceSize = file.trailer.referenceSize
      for index in 0..<payload.range.count / referenceSize {
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
    for place in places { output.append(bigEndian: UInt64(place.copy), size: trailer.offsetSize) }
    trailer.write(to: &output)
  }
}

/// The objects of a document in a file.
extension BinaryObjects<BytesInFile> {
  init(path: String, limits: PlistLimits) throws(PlistError) {
    bytes = try BytesInFile(path: path)
    try Plist.checkSize(bytes.count, limits)
    trailer = try BinaryTrailer(bytes)
  }

  func kind(of object: Int) throws(PlistError) -> PlistValue.Kind? {
    let marker = try bytes.byte(at: try checkedOffset(of: object))
    if BinaryMarker.isString(marker) { return .string }
    if BinaryMarker.type(of: marker) == BinaryMarker.data { return .data }
    return BinaryMarker.containerKind(marker)
  }

  func child(_ component: String, of object: Int) throws(PlistError) -> Int? {
    switch try kind(of: object) {
    case .dictionary: return try self.object(forKey: component, in: object)
    case .array:
      let elements = try payload(at: try checkedOffset(of: object))
      guard let index = PlistValue.index(component), index < elements.count else { return nil }
      return try reference(index, from: elements.start)
    default: return nil
    }
  }
}
