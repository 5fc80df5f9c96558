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

    /// The container of the elements that were read.
    var value: PlistValue {
      switch kind {
      case .dictionary: .dictionary(dictionary)
      case .array: .array(elements)
      default: .set(elements)
      }
    }
  }

  /// What a container amounts to when shared parts count each time they appear.
  private struct Extent {
    var nodes: Int
    /// The containers from here to the deepest value.
    var height: Int
  }

  /// A value that further references to its object share.
  private struct Kept {
    let value: PlistValue
    let extent: Extent
  }

  /// What is known of an object, in one word because a file may have very many.
  private struct Progress: Equatable {
    private let number: Int

    static let unread = Progress(number: 0)
    /// It is a container that is being read: whoever refers to it makes a cycle.
    static let open = Progress(number: -1)
    /// It is a short string or data that one reference has led to. Most have no other, so it is kept
    /// only when there is a second one.
    static let readOnce = Progress(number: -2)

    /// It is a container, or a string or data, at this position among those kept.
    static func kept(at position: Int) -> Progress { Progress(number: position + 1) }

    var position: Int? { number > 0 ? number - 1 : nil }
  }

  private let bytes: BinaryBytes
  private let trailer: BinaryTrailer
  private let limits: PlistLimits
  private var progress: [Progress]
  private var kept: [Kept] = []
  /// The containers around the one that is being read.
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
    if let leaf = try readLeaf(object: trailer.topObject) { return leaf }
    var frame = try open(object: trailer.topObject, depth: 1)
    do throws(PlistError) {
      while true {
        if let inner = try readElements(of: &frame) {
          frames.append(frame)
          frame = inner
          continue
        }
        let container = Kept(value: frame.value, extent: frame.extent)
        progress[frame.object] = .kept(at: kept.count)
        kept.append(container)
        if frames.isEmpty { return container.value }
        frame = frames.removeLast()
        try attach(container, to: &frame)
      }
    } catch {
      throw PlistError(error.kind, at: error.location, keyPath: keyPath(to: frame))
    }
  }

  /// Reads the elements of a container up to the first that is a container not met before, for which
  /// there is a new frame then; nil when all are read.
  private mutating func readElements(of frame: inout Frame) throws(PlistError) -> Frame? {
    while frame.passed < frame.count {
      var index = frame.passed
      if frame.kind == .dictionary {
        try readKey(of: &frame)
        index += frame.count
      }
      let object = try reference(index, of: frame)
      if let leaf = try readLeaf(object: object) {
        try count(nodes: NodeCount.count(of: leaf), in: &frame)
        add(leaf, to: &frame)
      } else if let position = progress[object].position {
        try attach(kept[position], to: &frame)
      } else {
        // The frames around this one, this one and the new one.
        return try open(object: object, depth: frames.count + 2)
      }
    }
    return nil
  }

  private mutating func readKey(of frame: inout Frame) throws(PlistError) {
    let object = try reference(frame.passed, of: frame)
    guard case .string(let key)? = try readLeaf(object: object) else {
      throw PlistError(.keyNotString, at: .byte(referenceOffset(frame.passed, of: frame)))
    }
    let nodes = NodeCount.count(ofKey: key)
    frame.key = key
    try count(nodes: nodes, in: &frame)
  }

  /// Adds a container that is complete to the one around it.
  private mutating func attach(_ inner: Kept, to frame: inout Frame) throws(PlistError) {
    try count(nodes: inner.extent.nodes, in: &frame)
    frame.extent.height = max(frame.extent.height, inner.extent.height + 1)
    guard frames.count + 1 + inner.extent.height <= limits.depth else {
      throw PlistError(.tooDeep(limit: limits.depth), at: location(ofObject: frame.object))
    }
    add(inner.value, to: &frame)
  }

  /// Adds a value, which belongs to the frame's key where there is one.
  @inline(__always)
  private mutating func add(_ value: PlistValue, to frame: inout Frame) {
    if let key = frame.key.take() {
      if !frame.dictionary.appendAscending(key, value),
        frame.dictionary.updateValue(value, forKey: key) != nil
      {
        frame.key = key
        warnDuplicateKey(of: frame)
        frame.key = nil
      }
    } else {
      frame.elements.append(value)
    }
    frame.passed += 1
  }

  private mutating func warnDuplicateKey(of frame: Frame) {
    guard warnings.count < limits.warnings else { return }
    warnings.append(
      PlistWarning(
        kind: .duplicateKey, location: .byte(referenceOffset(frame.passed, of: frame)),
        keyPath: keyPath(to: frame)))
  }

  @inline(__always)
  private func count(nodes: Int, in frame: inout Frame) throws(PlistError) {
    let (sum, overflowed) = frame.extent.nodes.addingReportingOverflow(nodes)
    guard !overflowed, sum <= limits.nodes else {
      throw PlistError(.tooManyNodes(limit: limits.nodes), at: location(ofObject: frame.object))
    }
    frame.extent.nodes = sum
  }

  /// Begins to read a container that has not been met before.
  private mutating func open(object: Int, depth: Int) throws(PlistError) -> Frame {
    if progress[object] == .open { throw PlistError(.cycle, at: location(ofObject: object)) }
    let offset = self.offset(ofObject: object)
    let kind: PlistValue.Kind =
      switch bytes[offset] >> 4 {
      case 0xA: .array
      case 0xC: .set
      default: .dictionary
      }
    let contents = try contents(
      ofObjectAt: offset, bytesEach: trailer.referenceSize * (kind == .dictionary ? 2 : 1))
    guard depth <= limits.depth else {
      throw PlistError(.tooDeep(limit: limits.depth), at: .byte(offset))
    }
    progress[object] = .open
    var frame = Frame(object: object, kind: kind, references: contents.start, count: contents.count)
    if kind == .dictionary {
      frame.dictionary.reserveCapacity(frame.count)
    } else {
      frame.elements.reserveCapacity(frame.count)
    }
    return frame
  }

  private func referenceOffset(_ index: Int, of frame: Frame) -> Int {
    frame.references + index * trailer.referenceSize
  }

  @inline(__always)
  private func reference(_ index: Int, of frame: borrowing Frame) throws(PlistError) -> Int {
    let offset = frame.references + index * trailer.referenceSize
    let number = bytes.integer(at: offset, size: trailer.referenceSize) ?? .max
    guard number < UInt64(trailer.objectCount) else {
      throw PlistError(.referenceOutOfRange(object: Int(clamping: number)), at: .byte(offset))
    }
    return Int(number)
  }

  // MARK: Leaves

  /// An object's value; nil for a container.
  private mutating func readLeaf(object: Int) throws(PlistError) -> PlistValue? {
    let offset = self.offset(ofObject: object)
    switch bytes[offset] >> 4 {
    case 0x4, 0x5, 0x6: return try readText(object: object, at: offset)
    case 0xA, 0xC, 0xD: return nil
    default: return try readScalar(at: offset)
    }
  }

  /// From so many bytes on, strings and data are kept at once: two copies of them would cost the
  /// memory, and the time to compare them.
  private static let longLength = 64

  /// Data or a string.
  private mutating func readText(object: Int, at offset: Int) throws(PlistError) -> PlistValue {
    if let position = progress[object].position { return kept[position].value }
    let isFirst = progress[object] == .unread
    let type = bytes[offset] >> 4
    let contents = try contents(
      ofObjectAt: offset, bytesEach: type == 0x6 ? 2 : 1, isFirst: isFirst)
    let content = bytes[contents.range]
    let value: PlistValue
    switch type {
    case 0x4:
      value = .data(Data(content))
    case 0x5:
      guard content.isASCII else {
        throw PlistError(.malformedASCII, at: .byte(offset))
      }
      value = .string(String(ascii: content))
    default:
      guard let string = String(bigEndianUTF16: content) else {
        throw PlistError(.malformedUTF16, at: .byte(offset))
      }
      value = .string(string)
    }
    if isFirst, contents.range.count < Self.longLength {
      progress[object] = .readOnce
    } else {
      progress[object] = .kept(at: kept.count)
      kept.append(Kept(value: value, extent: Extent(nodes: 0, height: 0)))
    }
    return value
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

  /// Where an object of variable length has its contents.
  private struct Contents {
    let start: Int
    let count: Int
    let bytesEach: Int

    var range: Range<Int> { start..<start + count * bytesEach }
  }

  /// Reads an object's length, which stands in the marker or, where that says 15, in an integer
  /// behind it, and checks it against the bytes that there are, of which it takes its share the first
  /// time.
  private mutating func contents(
    ofObjectAt offset: Int, bytesEach: Int, isFirst: Bool = true
  ) throws(PlistError) -> Contents {
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
    let contents = Contents(start: start, count: Int(count), bytesEach: bytesEach)
    if isFirst { remainingBytes -= contents.range.count }
    guard remainingBytes >= 0 else { throw PlistError(.overlappingObjects, at: .byte(offset)) }
    return contents
  }

  /// The offset, which ``init(_:limits:)`` has checked.
  @inline(__always)
  private func offset(ofObject object: Int) -> Int {
    Int(
      bytes.integer(
        at: trailer.tableOffset + object * trailer.offsetSize, size: trailer.offsetSize)!)
  }

  // MARK: Errors

  private func keyPath(to frame: Frame) -> PlistKeyPath {
    PlistKeyPath(
      components: (frames + [frame]).compactMap {
        $0.kind == .dictionary ? $0.key : String($0.passed)
      })
  }

  private func location(ofObject object: Int) -> PlistError.Location {
    .byte(offset(ofObject: object))
  }
}
