internal import FoundationEssentials

/// Reads binary property lists, after CoreFoundation's description of `bplist00`.
///
/// Containers are read depth first with a stack of the reader's own. Each is read once, however often
/// it is referred to, and shared in memory; what it would amount to written out is added up on the
/// way, so that a small file cannot describe a value that takes for ever to walk.
struct BinaryPlistReader {
  /// A container whose elements are being read.
  private struct Frame {
    let object: Int
    let kind: PlistValue.Kind
    /// Where the references begin and how many elements they make: a dictionary has the references
    /// of all keys, then those of all values.
    let references: Int
    let count: Int
    var passed = 0
    var key: String?
    var dictionary = PlistDictionary()
    var elements: [PlistValue] = []
    var extent = Extent(nodes: 1, height: 1)
  }

  /// What a value amounts to when shared parts count each time they appear.
  private struct Extent {
    var nodes: Int
    /// The containers from here to the deepest value.
    var height: Int

    /// What a leaf amounts to.
    static func leaf(_ value: PlistValue) -> Extent {
      Extent(nodes: NodeCount.count(of: value), height: 0)
    }
  }

  /// What is known of an object.
  private enum Progress {
    case unread
    /// It is a container that is being read: whoever refers to it makes a cycle.
    case open
    case read(PlistValue, Extent)
  }

  private let bytes: BinaryBytes
  private let trailer: BinaryTrailer
  private let limits: PlistLimits
  private var progress: [Progress]
  private var frames: [Frame] = []
  private var warnings: [PlistWarning] = []
  /// How many bytes the contents of objects may still have. Together they fit the object area, unless
  /// objects overlap: a few may, but not so that the file describes far more than it holds.
  private var remainingBytes: Int

  /// Reads a whole document.
  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    let result = data.withUnsafeBytes { bytes -> Result<(PlistValue, [PlistWarning]), PlistError> in
      do throws(PlistError) {
        var reader = try BinaryPlistReader(BinaryBytes(bytes), limits: options.limits)
        return .success((try reader.readTop(), reader.warnings))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private init(_ bytes: BinaryBytes, limits: PlistLimits) throws(PlistError) {
    self.bytes = bytes
    self.limits = limits
    trailer = try BinaryTrailer(bytes)
    remainingBytes = 2 * trailer.objectArea.count
    for object in 0..<trailer.objectCount {
      let entry = trailer.tableOffset + object * trailer.offsetSize
      guard let offset = bytes.integer(at: entry, size: trailer.offsetSize),
        let offset = Int(exactly: offset), trailer.objectArea.contains(offset)
      else { throw PlistError(.offsetOutOfRange(object: object), at: .byte(entry)) }
    }
    progress = Array(repeating: .unread, count: trailer.objectCount)
  }

  // MARK: Containers

  private mutating func readTop() throws(PlistError) -> PlistValue {
    if let (value, _) = try read(object: trailer.topObject) { return value }
    while let top = frames.indices.last {
      if frames[top].passed == frames[top].count {
        let frame = frames.removeLast()
        let value: PlistValue =
          switch frame.kind {
          case .dictionary: .dictionary(frame.dictionary)
          case .array: .array(frame.elements)
          default: .set(frame.elements)
          }
        progress[frame.object] = .read(value, frame.extent)
        guard !frames.isEmpty else { return value }
        try attach(value, frame.extent)
      } else if let (value, extent) = try readNext(in: top) {
        try attach(value, extent)
      }
    }
    preconditionFailure("the outermost container returns")
  }

  /// Reads the next element of a frame; nil where that is a container, for which there is a new
  /// frame now.
  private mutating func readNext(in top: Int) throws(PlistError) -> (PlistValue, Extent)? {
    let index = frames[top].passed
    guard frames[top].kind == .dictionary else {
      return try read(object: reference(index, of: top))
    }
    let keyReference = try reference(index, of: top)
    guard case .string(let key)? = try readLeaf(object: keyReference) else {
      throw error(.keyNotString, at: .byte(referenceOffset(index, of: top)))
    }
    frames[top].key = key
    try count(nodes: NodeCount.count(ofKey: key), in: top)
    return try read(object: reference(frames[top].count + index, of: top))
  }

  /// Puts a value into the innermost container.
  private mutating func attach(_ value: PlistValue, _ extent: Extent) throws(PlistError) {
    let top = frames.count - 1
    try count(nodes: extent.nodes, in: top)
    frames[top].extent.height = max(frames[top].extent.height, extent.height + 1)
    guard frames.count + extent.height <= limits.depth else {
      throw error(.tooDeep(limit: limits.depth), at: location(ofObject: frames[top].object))
    }

    if let key = frames[top].key {
      if frames[top].dictionary.updateValue(value, forKey: key) != nil,
        warnings.count < limits.warnings
      {
        let location = PlistError.Location.byte(referenceOffset(frames[top].passed, of: top))
        warnings.append(
          PlistWarning(kind: .duplicateKey, location: location, keyPath: keyPath))
      }
      frames[top].key = nil
    } else {
      frames[top].elements.append(value)
    }
    frames[top].passed += 1
  }

  private mutating func count(nodes: Int, in frame: Int) throws(PlistError) {
    let (sum, overflowed) = frames[frame].extent.nodes.addingReportingOverflow(nodes)
    guard !overflowed, sum <= limits.nodes else {
      throw error(.tooManyNodes(limit: limits.nodes), at: location(ofObject: frames[frame].object))
    }
    frames[frame].extent.nodes = sum
  }

  private func referenceOffset(_ index: Int, of frame: Int) -> Int {
    frames[frame].references + index * trailer.referenceSize
  }

  private func reference(_ index: Int, of frame: Int) throws(PlistError) -> Int {
    let offset = referenceOffset(index, of: frame)
    let number = bytes.integer(at: offset, size: trailer.referenceSize) ?? .max
    guard number < UInt64(trailer.objectCount) else {
      throw error(
        .referenceOutOfRange(object: Int(clamping: number)), at: .byte(offset))
    }
    return Int(number)
  }

  // MARK: Objects

  /// An object's value; nil where it is a container, for which there is a new frame now.
  private mutating func read(object: Int) throws(PlistError) -> (PlistValue, Extent)? {
    switch progress[object] {
    case .read(let value, let extent):
      return (value, extent)
    case .open:
      throw error(.cycle, at: location(ofObject: object))
    case .unread:
      if let leaf = try readLeaf(object: object) { return (leaf, .leaf(leaf)) }
    }

    let offset = self.offset(ofObject: object)
    let kind: PlistValue.Kind =
      switch bytes[offset] >> 4 {
      case 0xA: .array
      case 0xC: .set
      default: .dictionary
      }
    let contents = try contents(
      ofObjectAt: offset, bytesEach: trailer.referenceSize * (kind == .dictionary ? 2 : 1))
    guard frames.count < limits.depth else {
      throw error(.tooDeep(limit: limits.depth), at: .byte(offset))
    }
    var frame = Frame(object: object, kind: kind, references: contents.start, count: contents.count)
    if kind == .dictionary {
      frame.dictionary.reserveCapacity(frame.count)
    } else {
      frame.elements.reserveCapacity(frame.count)
    }
    progress[object] = .open
    frames.append(frame)
    return nil
  }

  /// An object's value; nil for a container.
  private mutating func readLeaf(object: Int) throws(PlistError) -> PlistValue? {
    if case .read(let value, _) = progress[object] { return value }
    let offset = self.offset(ofObject: object)
    switch bytes[offset] >> 4 {
    case 0x4, 0x5, 0x6:
      let value = try readText(at: offset)
      // It takes memory of its own, which the next reference shall share.
      progress[object] = .read(value, .leaf(value))
      return value
    case 0xA, 0xC, 0xD:
      return nil
    default:
      return try readScalar(at: offset)
    }
  }

  /// Data or a string.
  private mutating func readText(at offset: Int) throws(PlistError) -> PlistValue {
    let isUTF16 = bytes[offset] >> 4 == 0x6
    let contents = try contents(ofObjectAt: offset, bytesEach: isUTF16 ? 2 : 1)
    let content = bytes[contents.range]
    switch bytes[offset] >> 4 {
    case 0x4:
      return .data(Data(content))
    case 0x5:
      guard content.allSatisfy({ $0 < 0x80 }) else {
        throw error(.malformedASCII, at: .byte(offset))
      }
      return .string(String(decoding: content, as: UTF8.self))
    default:
      guard let string = String(bigEndianUTF16: content) else {
        throw error(.malformedUTF16, at: .byte(offset))
      }
      return .string(string)
    }
  }

  private func readScalar(at offset: Int) throws(PlistError) -> PlistValue {
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
      if interval.isNaN { throw error(.notADate, at: .byte(offset)) }
      return .date(Date(timeIntervalSinceReferenceDate: interval))
    case (0x8, let length):
      guard let uid = UInt32(exactly: try number(at: offset, size: Int(length) + 1)) else {
        throw error(.uidOutOfRange, at: .byte(offset))
      }
      return .uid(uid)
    default:
      throw error(.unsupportedObject(marker: marker), at: .byte(offset))
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
      throw error(.integerOutOfRange, at: .byte(offset))
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
      throw error(.objectTooLong, at: .byte(offset))
    }
  }

  /// Where an object of variable length has its contents.
  private struct Contents {
    let start: Int
    let count: Int
    let bytesEach: Int

    var range: Range<Int> { start..<start + count * bytesEach }
  }

  /// Reads an object's length, which stands in the marker or, where that says 15, in an integer
  /// behind it, and checks it against the bytes that there are.
  private mutating func contents(
    ofObjectAt offset: Int, bytesEach: Int
  ) throws(PlistError) -> Contents {
    var start = offset + 1
    var count = UInt64(bytes[offset] & 0x0F)
    if count == 0x0F {
      guard start < trailer.tableOffset, 0x10...0x13 ~= bytes[start] else {
        throw error(.malformedLength, at: .byte(offset))
      }
      let size = 1 << Int(bytes[start] & 0x0F)
      try checkLength(at: start, size)
      count = bytes.integer(at: start + 1, size: size)!
      start += 1 + size
    }
    guard count <= UInt64((trailer.tableOffset - start) / bytesEach) else {
      throw error(.objectTooLong, at: .byte(offset))
    }
    let contents = Contents(start: start, count: Int(count), bytesEach: bytesEach)
    remainingBytes -= contents.range.count
    guard remainingBytes >= 0 else { throw error(.overlappingObjects, at: .byte(offset)) }
    return contents
  }

  /// The offset, which ``init(_:limits:)`` has checked.
  private func offset(ofObject object: Int) -> Int {
    Int(
      bytes.integer(
        at: trailer.tableOffset + object * trailer.offsetSize, size: trailer.offsetSize)!)
  }

  // MARK: Errors

  private var keyPath: PlistKeyPath {
    PlistKeyPath(
      components: frames.compactMap { $0.kind == .dictionary ? $0.key : String($0.passed) })
  }

  private func location(ofObject object: Int) -> PlistError.Location {
    .byte(offset(ofObject: object))
  }

  private func error(_ kind: PlistError.Kind, at location: PlistError.Location) -> PlistError {
    PlistError(kind, at: location, keyPath: keyPath)
  }
}
