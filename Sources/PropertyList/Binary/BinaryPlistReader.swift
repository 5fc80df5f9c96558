internal import FoundationEssentials

/// Reads binary property lists, following CoreFoundation's description of `bplist00`. Containers
/// are read depth-first with an explicit stack. Each is read once, and shared in memory however
/// many references it has. The size with all references expanded is added up while reading, so that
/// a small file cannot describe a value that takes forever to traverse.
struct BinaryPlistReader {
  private let objects: BinaryObjects<BytesInMemory>
  private let limits: PlistLimits
  private var states: [ObjectState] = []
  private var cache: [CachedValue] = []
  private var keyLists = KeyListCache()
  private var frames: [Frame] = []
  private var warnings: [PlistWarning] = []
  private var budget: PayloadBudget

  static func read(
    _ data: Data, options: PlistReadOptions
  ) throws(PlistError) -> (PlistValue, [PlistWarning]) {
    try BinaryObjects.withObjects(of: data) { objects throws(PlistError) in
      try objects.checkOffsets()
      var reader = try BinaryPlistReader(objects, options.limits)
      return (try reader.read(objects.trailer.topObject), reader.warnings)
    }
  }

  static func readText(_ data: Data, options: PlistReadOptions) throws(PlistError) -> ReadText {
    let (value, warnings) = try read(data, options: options)
    return ReadText(value, warnings)
  }

  private init(_ objects: BinaryObjects<BytesInMemory>, _ limits: PlistLimits) throws(PlistError) {
    (self.objects, self.limits) = (objects, limits)
    budget = PayloadBudget(objects.trailer)
    guard objects.trailer.objectCount < Int32.max else {
      throw PlistError(.tooManyNodes(limit: Int(Int32.max)), at: .byte(objects.trailer.tableOffset))
    }
  }

  // MARK: Containers

  mutating func read(_ object: Int) throws(PlistError) -> PlistValue {
    states = Array(repeating: .unread, count: objects.trailer.objectCount)
    if let leaf = try readLeaf(object: object) { return leaf }
    var frame = try open(object: object, depth: 1)
    do throws(PlistError) {
      while true {
        if let inner = try readValues(of: &frame) {
          frames.append(consume frame)
          frame = inner
          continue
        }
        let container = CachedValue(value: frame.value, extent: frame.extent)
        states[frame.object] = .cached(at: cache.count)
        cache.append(container)
        if frames.isEmpty { return container.value }
        frame = frames.removeLast()
        try add(container, to: &frame)
      }
    } catch {
      throw PlistError(error.kind, at: error.location, keyPath: keyPath(to: frame))
    }
  }

  /// Reads the values of a container up to the first container that has not been read yet, and
  /// returns its frame; nil once all values have been read.
  private mutating func readValues(of frame: inout Frame) throws(PlistError) -> Frame? {
    while frame.index < frame.count {
      let object = try objects.reference(frame.index, from: frame.references)
      if let leaf = try readLeaf(object: object) {
        try count(nodes: NodeCount.count(of: leaf), in: &frame)
        add(leaf, to: &frame)
      } else if let index = states[object].cacheIndex {
        try add(cache[index], to: &frame)
      } else {
        // The frames around this one, this one, and the new one.
        return try open(object: object, depth: frames.count + 2)
      }
    }
    return nil
  }

  /// Reads the keys of a dictionary, whose references begin at an offset.
  private mutating func readKeys(
    from references: Int, count: Int
  ) throws(PlistError) -> KeyList {
    let range = references..<references + count * objects.trailer.referenceSize
    if let known = keyLists.keys(at: range, in: objects.bytes) { return known }
    var keys: [String] = []
    keys.reserveCapacity(count)
    for index in 0..<count {
      let object = try objects.reference(index, from: references)
      guard case .string(let key)? = try readLeaf(object: object) else {
        throw PlistError(
          .keyNotString, at: .byte(references + index * objects.trailer.referenceSize))
      }
      keys.append(key)
    }
    let list = KeyList(keys)
    keyLists.insert(list, at: range, in: objects.bytes)
    return list
  }

  private mutating func add(_ inner: CachedValue, to frame: inout Frame) throws(PlistError) {
    try count(nodes: inner.extent.nodes, in: &frame)
    frame.extent.height = max(frame.extent.height, inner.extent.height + 1)
    try limits.checkDepth(
      frames.count + 1 + inner.extent.height, at: location(ofObject: frame.object))
    add(inner.value, to: &frame)
  }

  /// Adds a value to the container; in a dictionary, under the next key.
  @inline(__always)
  private mutating func add(_ value: PlistValue, to frame: inout Frame) {
    // Distinct keys have ascending positions, so a lower one belongs to a repeated key.
    if let position = frame.keys?.position(of: frame.index), position < frame.values.count {
      frame.values[position] = value
      warnDuplicateKey(of: frame)
    } else {
      frame.values.append(value)
    }
    frame.index += 1
  }

  private mutating func warnDuplicateKey(of frame: Frame) {
    warn(
      .duplicateKey,
      at: frame.references + (frame.index - frame.count) * objects.trailer.referenceSize,
      keyPath: keyPath(to: frame))
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

  private mutating func open(object: Int, depth: Int) throws(PlistError) -> Frame {
    if states[object] == .open { throw PlistError(.cycle, at: location(ofObject: object)) }
    let offset = objects.offset(of: object)
    guard let kind = BinaryMarker.containerKind(objects.bytes[offset]) else {
      preconditionFailure("not a container")
    }
    let payload = try objects.payload(at: offset)
    try budget.spend(payload, at: offset)
    try limits.checkDepth(depth, at: .byte(offset))
    states[object] = .open
    var frame = Frame(
      object: object, kind: kind,
      references: payload.range.upperBound - payload.count * objects.trailer.referenceSize,
      count: payload.count)
    if kind == .dictionary {
      let keys = try readKeys(from: payload.start, count: payload.count)
      frame.keys = keys
      try count(nodes: keys.nodeCount, in: &frame)
    }
    frame.values.reserveCapacity(frame.count)
    return frame
  }

  // MARK: Leaves

  @inline(__always)
  private mutating func readLeaf(object: Int) throws(PlistError) -> PlistValue? {
    let offset = objects.offset(of: object)
    // Most objects are short strings or integers. Reading them here saves 13 % of the instructions.
    if let text = objects.shortASCII(at: offset), states[object] == .unread,
      budget.spend(text.count)
    {
      states[object] = .readOnce
      return .string(String(ascii: text))
    }
    if let number = objects.shortInteger(at: offset) { return .integer(number) }
    return try readOtherLeaf(object: object, at: offset)
  }

  @inline(never)
  private mutating func readOtherLeaf(
    object: Int, at offset: Int
  ) throws(PlistError) -> PlistValue? {
    let marker = objects.bytes[offset]
    switch BinaryMarker.type(of: marker) {
    case BinaryMarker.data, BinaryMarker.asciiString, BinaryMarker.utf16String:
      return try readStringOrData(object: object, at: offset)
    case BinaryMarker.array, BinaryMarker.set, BinaryMarker.dictionary: return nil
    default: return try objects.scalar(at: offset)
    }
  }

  private mutating func readStringOrData(
    object: Int, at offset: Int
  ) throws(PlistError) -> PlistValue {
    if let index = states[object].cacheIndex { return cache[index].value }
    let isFirst = states[object] == .unread
    let payload = try objects.payload(at: offset)
    if isFirst { try budget.spend(payload, at: offset) }
    let content = objects.bytes[payload.range]
    let value: PlistValue
    switch BinaryMarker.type(of: objects.bytes[offset]) {
    case BinaryMarker.data: value = .data(Data(content))
    case BinaryMarker.asciiString:
      value = .string(
        content.isASCII
          ? String(ascii: content) : readNonASCII(content, at: offset, isFirst: isFirst))
    default:
      guard let string = String(bigEndianUTF16: content) else {
        throw PlistError(.malformedUTF16, at: .byte(offset))
      }
      value = .string(string)
    }
    // Long values are cached at once: a second copy would cost memory, and time when both are
    // compared.
    if isFirst, content.count < BinaryObjects.longSize {
      states[object] = .readOnce
    } else {
      states[object] = .cached(at: cache.count)
      cache.append(CachedValue(value: value, extent: Extent(nodes: 0, height: 0)))
    }
    return value
  }

  private mutating func readNonASCII(
    _ content: UnsafeRawBufferPointer, at offset: Int, isFirst: Bool
  ) -> String {
    let (string, isUTF8) = String.decodingMarkedASCII(content)
    if isFirst { warn(.nonASCIIString(isUTF8: isUTF8), at: offset, keyPath: PlistKeyPath()) }
    return string
  }

  // MARK: Errors and warnings

  private mutating func warn(_ kind: PlistWarning.Kind, at offset: Int, keyPath: PlistKeyPath) {
    guard warnings.count < PlistLimits.maximumWarningCount else { return }
    warnings.append(PlistWarning(kind: kind, location: .byte(offset), keyPath: keyPath))
  }

  private func keyPath(to frame: Frame) -> PlistKeyPath {
    PlistKeyPath(
      components: (frames + [frame]).compactMap {
        $0.kind == .dictionary ? $0.key : String($0.index)
      })
  }

  private func location(ofObject object: Int) -> PlistError.Location {
    .byte(objects.offset(of: object))
  }
}

extension BinaryPlistReader {
  /// A container whose values are being read.
  struct Frame {
    let object: Int
    let kind: PlistValue.Kind
    let references: Int
    let count: Int
    /// The keys of a dictionary; nil for other containers.
    var keys: KeyList?
    var index = 0
    var values: [PlistValue] = []
    var extent = Extent(nodes: 1, height: 1)

    var key: String? { keys?.key(at: index) }

    /// The container of the values that have been read.
    var value: PlistValue {
      switch kind {
      case .dictionary: .dictionary(keys.map { PlistDictionary($0.shape, values) } ?? [:])
      case .array: .array(values)
      default: .set(values)
      }
    }
  }

  /// The size of a container with every reference counted, shared or not.
  struct Extent {
    var nodes: Int
    /// The number of nested containers down to the deepest value.
    var height: Int
  }

  /// A value that later references to its object share.
  struct CachedValue {
    let value: PlistValue
    let extent: Extent
  }

  /// The state of an object, in 32 bits because a file may have very many objects.
  struct ObjectState: Equatable {
    private let number: Int32

    static let unread = ObjectState(number: 0)
    /// A container that is being read: another reference to it closes a cycle.
    static let open = ObjectState(number: -1)
    /// A short string or data that has been read once. Most objects are referenced once, so the
    /// value is cached only at the second reference.
    static let readOnce = ObjectState(number: -2)

    static func cached(at index: Int) -> ObjectState { ObjectState(number: Int32(index + 1)) }
    var cacheIndex: Int? { number > 0 ? Int(number) - 1 : nil }
  }
}
