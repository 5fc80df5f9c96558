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
    if isChecking {
      frame.key = nil
    } else if let key = frame.key.take() {
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
    let offset = objects.offset(of: object)
    let kind: PlistValue.Kind =
      switch objects.bytes[offset] >> 4 {
      case 0xA: .array
      case 0xC: .set
      default: .dictionary
      }
    let contents = try contents(
      ofObjectAt: offset, bytesEach: objects.trailer.referenceSize * (kind == .dictionary ? 2 : 1))
    guard depth <= limits.depth else {
      throw PlistError(.tooDeep(limit: limits.depth), at: .byte(offset))
    }
    progress[object] = .open
    var frame = Frame(object: object, kind: kind, references: contents.start, count: contents.count)
    if kind == .set { hasNullOrSet = true }
    if isChecking { return frame }
    if kind == .dictionary {
      frame.dictionary.reserveCapacity(frame.count)
    } else {
      frame.elements.reserveCapacity(frame.count)
    }
    return frame
  }

  private func referenceOffset(_ index: Int, of frame: Frame) -> Int {
    frame.references + index * objects.trailer.referenceSize
  }

  @inline(__always)
  private func reference(_ index: Int, of frame: borrowing Frame) throws(PlistError) -> Int {
    let offset = frame.references + index * objects.trailer.referenceSize
    let number = objects.bytes.integer(at: offset, size: objects.trailer.referenceSize) ?? .max
    guard number < UInt64(objects.trailer.objectCount) else {
      throw PlistError(.referenceOutOfRange(object: Int(clamping: number)), at: .byte(offset))
    }
    return Int(number)
  }

  // MARK: Leaves

  /// An object's value; nil for a container.
  @inline(__always)
  private mutating func readLeaf(object: Int) throws(PlistError) -> PlistValue? {
    let offset = objects.offset(of: object)
    // Most objects are such.
    if let text = objects.shortASCII(at: offset), text.count <= remainingBytes,
      progress[object] == .unread
    {
      remainingBytes -= text.count
      progress[object] = .readOnce
      return .string(isChecking ? "" : String(ascii: text))
    }
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
