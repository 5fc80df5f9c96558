internal import FoundationEssentials

/// Reads binary property lists, after CoreFoundation's description of `bplist00`.
///
/// Containers are read depth first with a stack of the reader's own. Each is read once, however often
/// it is referred to, and shared in memory; what it would amount to written out is added up on the
/// way, so that a small file cannot describe a value that takes for ever to walk.
struct BinaryPlistReader {
  /// A container whose values are being read.
  private struct Frame {
    let object: Int
    let kind: PlistValue.Kind
    /// Where the references to the values begin.
    let references: Int
    let count: Int
    /// The keys of a dictionary; nil for other containers, and where nothing is made.
    var keys: BinaryKeys?
    var passed = 0
    var values: [PlistValue] = []
    var extent = Extent(nodes: 1, height: 1)

    /// The key of the value that is being read.
    var key: String? { keys?.key(of: passed) }

    /// The container of the values that were read.
    var value: PlistValue {
      switch kind {
      case .dictionary: .dictionary(keys.map { PlistDictionary($0.shape, values) } ?? [:])
      case .array: .array(values)
      default: .set(values)
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
    private let number: Int32

    static let unread = Progress(number: 0)
    /// It is a container that is being read: whoever refers to it makes a cycle.
    static let open = Progress(number: -1)
    /// It is a short string or data that one reference has led to. Most have no other, so it is kept
    /// only when there is a second one.
    static let readOnce = Progress(number: -2)

    /// It is a container, or a string or data, at this position among those kept.
    static func kept(at position: Int) -> Progress { Progress(number: Int32(position + 1)) }

    var position: Int? { number > 0 ? Int(number) - 1 : nil }
  }

  private let objects: BinaryObjects
  private let limits: PlistLimits
  /// Whether the document is only checked: values stand for nothing then.
  private let isChecking: Bool
  /// Whether null or a set was met.
  private(set) var hasNullOrSet = false
  private var progress: [Progress] = []
  private var kept: [Kept] = []
  /// The keys of dictionaries, which many of them share.
  private var shapes = BinaryShapes()
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
    try BinaryObjects.with(data) { objects throws(PlistError) in
      try objects.checkOffsets()
      var reader = try BinaryPlistReader(objects, options.limits)
      return (try reader.read(objects.trailer.topObject), reader.warnings)
    }
  }

  /// Refuses what ``read(_:options:)`` would refuse, and makes nothing of the rest.
  ///
  /// - Returns: What the root is, and whether there is null or a set in it.
  static func check(
    _ data: Data, _ limits: PlistLimits
  ) throws(PlistError) -> (root: PlistValue.Kind, hasNullOrSet: Bool) {
    do throws(PlistError) {
      return try BinaryObjects.with(data) { objects throws(PlistError) in
        try objects.checkOffsets()
        var reader = try BinaryPlistReader(objects, limits, isChecking: true)
        let root = try reader.read(objects.trailer.topObject)
        return (root.kind, reader.hasNullOrSet)
      }
    } catch {
      // The keys on the way to what is wrong have not been made.
      var options = PlistReadOptions()
      options.limits = limits
      _ = try read(data, options: options)
      throw error
    }
  }

  init(
    _ objects: BinaryObjects, _ limits: PlistLimits, isChecking: Bool = false
  ) throws(PlistError) {
    self.objects = objects
    self.limits = limits
    self.isChecking = isChecking
    remainingBytes = 2 * objects.trailer.objectArea.count
    guard objects.trailer.objectCount < Int32.max else {
      throw PlistError(
        .tooManyNodes(limit: Int(Int32.max)), at: .byte(objects.trailer.tableOffset))
    }
  }

  // MARK: Containers

  /// Reads an object with all that it contains.
  mutating func read(_ object: Int) throws(PlistError) -> PlistValue {
    progress = Array(repeating: .unread, count: objects.trailer.objectCount)
    if let leaf = try readLeaf(object: object) { return leaf }
    var frame = try open(object: object, depth: 1)
    do throws(PlistError) {
      while true {
        if let inner = try readValues(of: &frame) {
          frames.append(consume frame)
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

  /// Reads the values of a container up to the first that is a container not met before, for which
  /// there is a new frame then; nil when all are read.
  private mutating func readValues(of frame: inout Frame) throws(PlistError) -> Frame? {
    while frame.passed < frame.count {
      let object = try objects.reference(frame.passed, from: frame.references)
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

  /// Reads the keys of a dictionary.
  ///
  /// - Returns: The keys, nil where nothing is made, and the nodes that they count for.
  private mutating func readKeys(
    ofObjectAt offset: Int, from references: Int, count: Int
  ) throws(PlistError) -> (keys: BinaryKeys?, nodes: Int) {
    let range = references..<references + count * objects.trailer.referenceSize
    if let known = shapes.keys(at: range, in: objects.bytes) { return known }
    var keys: [String] = []
    keys.reserveCapacity(count)
    var nodes = 0
    for index in 0..<count {
      let object = try objects.reference(index, from: references)
      guard case .string(let key)? = try readLeaf(object: object) else {
        throw PlistError(
          .keyNotString, at: .byte(references + index * objects.trailer.referenceSize))
      }
      nodes += NodeCount.count(ofKey: key)
      keys.append(key)
    }
    let result = (keys: isChecking ? nil : BinaryKeys(keys), nodes: nodes)
    shapes.keep(result, at: range, in: objects.bytes)
    return result
  }

  /// Adds a container that is complete to the one around it.
  private mutating func attach(_ inner: Kept, to frame: inout Frame) throws(PlistError) {
    try count(nodes: inner.extent.nodes, in: &frame)
    frame.extent.height = max(frame.extent.height, inner.extent.height + 1)
    guard frames.count + 1 + inner.extent.height <= limits.maximumDepth else {
      throw PlistError(.tooDeep(limit: limits.maximumDepth), at: location(ofObject: frame.object))
    }
    add(inner.value, to: &frame)
  }

  /// Adds a value, in a dictionary that of the next key.
  @inline(__always)
  private mutating func add(_ value: PlistValue, to frame: inout Frame) {
    if !isChecking {
      // New keys are numbered as they come.
      if let position = frame.keys?.position(of: frame.passed), position < frame.values.count {
        frame.values[position] = value
        warnDuplicateKey(of: frame)
      } else {
        frame.values.append(value)
      }
    }
    frame.passed += 1
  }

  private mutating func warnDuplicateKey(of frame: Frame) {
    guard warnings.count < limits.maximumWarningCount else { return }
    warnings.append(
      PlistWarning(
        kind: .duplicateKey,
        location: .byte(
          frame.references + (frame.passed - frame.count) * objects.trailer.referenceSize),
        keyPath: keyPath(to: frame)))
  }

  @inline(__always)
  private func count(nodes: Int, in frame: inout Frame) throws(PlistError) {
    let (sum, overflowed) = frame.extent.nodes.addingReportingOverflow(nodes)
    guard !overflowed, sum <= limits.maximumNodeCount else {
      throw PlistError(
        .tooManyNodes(limit: limits.maximumNodeCount), at: location(ofObject: frame.object))
    }
    frame.extent.nodes = sum
  }

  /// Begins to read a container that has not been met before.
  private mutating func open(object: Int, depth: Int) throws(PlistError) -> Frame {
    if progress[object] == .open { throw PlistError(.cycle, at: location(ofObject: object)) }
    let offset = objects.offset(of: object)
    let kind: PlistValue.Kind =
      switch objects.bytes[offset] >> 4 {
      case 0xA: .array
      case 0xC: .set
      default: .dictionary
      }
    let contents = try contents(
      ofObjectAt: offset, bytesEach: objects.trailer.referenceSize * (kind == .dictionary ? 2 : 1))
    guard depth <= limits.maximumDepth else {
      throw PlistError(.tooDeep(limit: limits.maximumDepth), at: .byte(offset))
    }
    progress[object] = .open
    var frame = Frame(
      object: object, kind: kind,
      references: contents.range.upperBound - contents.count * objects.trailer.referenceSize,
      count: contents.count)
    if kind == .set { hasNullOrSet = true }
    if kind == .dictionary {
      let (keys, nodes) = try readKeys(
        ofObjectAt: offset, from: contents.start, count: contents.count)
      frame.keys = keys
      try count(nodes: nodes, in: &frame)
    }
    if !isChecking { frame.values.reserveCapacity(frame.count) }
    return frame
  }

  // MARK: Leaves

  /// An object's value; nil for a container.
  @inline(__always)
  private mutating func readLeaf(object: Int) throws(PlistError) -> PlistValue? {
    let offset = objects.offset(of: object)
    // Most objects are such, or numbers.
    if let text = objects.shortASCII(at: offset), text.count <= remainingBytes,
      progress[object] == .unread
    {
      remainingBytes -= text.count
      progress[object] = .readOnce
      return .string(isChecking ? "" : String(ascii: text))
    }
    if let number = objects.shortInteger(at: offset) { return .integer(number) }
    return try readOtherLeaf(object: object, at: offset)
  }

  @inline(never)
  private mutating func readOtherLeaf(
    object: Int, at offset: Int
  ) throws(PlistError) -> PlistValue? {
    switch objects.bytes[offset] >> 4 {
    case 0x4, 0x5, 0x6: return try readText(object: object, at: offset)
    case 0xA, 0xC, 0xD: return nil
    default:
      let scalar = try objects.scalar(at: offset)
      if case .null = scalar { hasNullOrSet = true }
      return scalar
    }
  }

  /// From so many bytes on, strings and data are kept at once: two copies of them would cost the
  /// memory, and the time to compare them.
  private static let longLength = BinaryObjects.shortLength

  /// Data or a string.
  private mutating func readText(object: Int, at offset: Int) throws(PlistError) -> PlistValue {
    if let position = progress[object].position { return kept[position].value }
    let isFirst = progress[object] == .unread
    let type = objects.bytes[offset] >> 4
    let contents = try contents(
      ofObjectAt: offset, bytesEach: type == 0x6 ? 2 : 1, isFirst: isFirst)
    let content = objects.bytes[contents.range]
    // Of what is only checked the length matters, and that not of short ones.
    let isMade = !isChecking || content.count >= Self.longLength
    let value: PlistValue
    switch type {
    case 0x4:
      value = .data(isMade ? Data(content) : Data())
    case 0x5:
      guard content.isASCII else {
        throw PlistError(.malformedASCII, at: .byte(offset))
      }
      value = .string(isMade ? String(ascii: content) : "")
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

  /// Where an object of variable length has its contents, which take their share of the bytes that
  /// there are the first time.
  private mutating func contents(
    ofObjectAt offset: Int, bytesEach: Int, isFirst: Bool = true
  ) throws(PlistError) -> BinaryObjects.Contents {
    let contents = try objects.contents(at: offset, bytesEach: bytesEach)
    if isFirst { remainingBytes -= contents.range.count }
    guard remainingBytes >= 0 else { throw PlistError(.overlappingObjects, at: .byte(offset)) }
    return contents
  }

  // MARK: Errors

  private func keyPath(to frame: Frame) -> PlistKeyPath {
    PlistKeyPath(
      components: (frames + [frame]).compactMap {
        $0.kind == .dictionary ? $0.key : String($0.passed)
      })
  }

  private func location(ofObject object: Int) -> PlistError.Location {
    .byte(objects.offset(of: object))
  }
}
