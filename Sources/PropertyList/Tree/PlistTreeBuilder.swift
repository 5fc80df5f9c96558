/// Builds a value from the events of a reader. The open containers are on the builder's own stack.
/// The limits on depth and node count are enforced here.
struct PlistTreeBuilder {
  /// An open container.
  private struct Frame {
    let isDictionary: Bool
    var dictionary = DictionaryBuilder()
    var array: [PlistValue] = []
    /// Whether the last key has no value yet.
    var awaitsValue = false
    /// The key, if it is not in the shape tree, and its location.
    var key: String?
    var keyLocation: PlistError.Location?

    var count: Int { isDictionary ? dictionary.count : array.count }
  }

  private let limits: PlistLimits
  private(set) var depth = 0
  /// The innermost open container, if any, and those around it.
  private var frame = Frame(isDictionary: false)
  private var outerFrames: [Frame] = []
  /// For each depth, the number of values to reserve capacity for: neighboring containers are often
  /// alike.
  private var expectedCounts: [Int] = []
  private var shapes = ShapeTree()
  private var nodes: NodeCount
  private var keyEnd = 0
  private var recorder: IndexRecorder?

  /// The finished document; nil until the outermost value is complete.
  private(set) var root: PlistValue?
  private(set) var warnings: [PlistWarning] = []

  /// - Parameter recordsIndex: Whether to record where values are.
  init(limits: PlistLimits, recordsIndex: Bool = false) {
    self.limits = limits
    nodes = NodeCount(limits: limits)
    if recordsIndex { recorder = IndexRecorder() }
  }

  /// The places of the finished document's values; nil unless they are recorded.
  var index: DocumentIndex? {
    // If this is inlined into a noncopyable reader, the optimizer of Swift 6.3 crashes.
    @inline(never) get { recorder?.index }
  }

  /// Whether the innermost open container is a dictionary; nil outside all containers.
  @inline(__always)
  var isInDictionary: Bool? { depth == 0 ? nil : frame.isDictionary }

  /// Whether the innermost container is a dictionary whose last key has no value yet.
  @inline(__always)
  var awaitsValue: Bool { frame.awaitsValue }

  /// The path of the next value or, between two keys, of the dictionary.
  var keyPath: PlistKeyPath {
    let frames = depth > 0 ? outerFrames + [frame] : []
    return PlistKeyPath(components: frames.compactMap { component(of: $0) })
  }

  /// The key path component of the next value in a container; nil between two keys.
  private func component(of frame: Frame) -> String? {
    guard frame.isDictionary else { return String(frame.array.count) }
    guard frame.awaitsValue else { return nil }
    return frame.dictionary.lastKey(in: shapes) ?? frame.key
  }

  mutating func warn(_ kind: PlistWarning.Kind, at location: PlistError.Location?) {
    guard warnings.count < PlistLimits.maximumWarningCount else { return }
    warnings.append(PlistWarning(kind: kind, location: location, keyPath: keyPath))
  }

  /// Opens a dictionary or an array, whose opening bracket or tag ends where the contents begin.
  mutating func open(dictionary: Bool, at offset: Int, contents: Int) throws(PlistError.Kind) {
    try limits.checkDepth(depth + 1)
    try nodes.add(1)
    if recorder != nil { record(offset..<offset, contents: contents) }
    var frame = Frame(isDictionary: dictionary)
    if depth == expectedCounts.count {
      expectedCounts.append(0)
    } else if dictionary {
      frame.dictionary.reserveCapacity(expectedCounts[depth])
    } else {
      frame.array.reserveCapacity(expectedCounts[depth])
    }
    swap(&frame, &self.frame)
    if depth > 0 { outerFrames.append(frame) }
    depth += 1
  }

  /// Adds the key of the next value, in UTF-8, to the innermost container, which must be a
  /// dictionary.
  @inline(__always)
  mutating func key(
    _ bytes: UnsafeRawBufferPointer, at location: PlistError.Location?, to end: Int
  ) throws(PlistError.Kind) {
    try nodes.add(NodeCount.count(ofKeyBytes: bytes.count))
    if !frame.dictionary.follow(bytes, in: shapes) {
      frame.dictionary.leaveTree(&shapes)
      frame.key = String(decodingUTF8: bytes)
    }
    frame.awaitsValue = true
    frame.keyLocation = location
    keyEnd = end
  }

  /// Adds the key of the next value to the innermost container, which must be a dictionary.
  mutating func key(
    _ key: String, at location: PlistError.Location?, to end: Int
  ) throws(PlistError.Kind) {
    try nodes.add(key: key)
    if !frame.dictionary.follow(key, in: shapes) {
      frame.dictionary.leaveTree(&shapes)
      frame.key = key
    }
    frame.awaitsValue = true
    frame.keyLocation = location
    keyEnd = end
  }

  /// Adds a value that is not a container, with its range in the document.
  @inline(__always)
  mutating func add(_ value: PlistValue, from start: Int, to end: Int) throws(PlistError.Kind) {
    try nodes.add(value)
    if recorder != nil { record(start..<end) }
    attach(value)
  }

  /// Records a value after its key, which is empty at the value if there is none.
  @inline(never)
  private mutating func record(_ value: Range<Int>, contents: Int? = nil) {
    var key = value.lowerBound..<value.lowerBound
    if frame.awaitsValue, case .byte(let start)? = frame.keyLocation { key = start..<keyEnd }
    recorder?.add(value, key: key, contents: contents)
  }

  /// Records a comment in the document.
  mutating func addComment(_ range: Range<Int>) { recorder?.addComment(range) }

  /// Closes the innermost container at its bracket or tag, and returns it to be attached.
  mutating func close(at closing: Range<Int>) -> PlistValue {
    recorder?.endContainer(closing)
    depth -= 1
    expectedCounts[depth] = Self.expectedCount(expectedCounts[depth], after: frame.count)
    var closed = outerFrames.popLast() ?? Frame(isDictionary: false)
    swap(&closed, &frame)
    guard closed.isDictionary else { return .array(closed.array) }
    return .dictionary(closed.dictionary.finish(&shapes, isOnlyOne: depth == 0))
  }

  /// The expected count after a container: its count if that is larger, and otherwise the mean of
  /// both, so that unused capacity is never more than a few times the number of earlier values.
  private static func expectedCount(_ expected: Int, after count: Int) -> Int {
    count >= expected ? min(count, maximumExpectedCount) : (expected + count + 1) / 2
  }

  /// Beyond this count, growing costs almost nothing per value.
  private static let maximumExpectedCount = 128

  /// Adds a value without counting it.
  @inline(__always)
  mutating func attach(_ value: PlistValue) {
    guard depth > 0 else {
      root = value
      return
    }
    guard frame.isDictionary else {
      frame.array.append(value)
      return
    }
    guard frame.awaitsValue else { preconditionFailure("a value without its key") }
    if frame.dictionary.isInTree {
      frame.dictionary.append(value)
      frame.awaitsValue = false
    } else {
      attachToOwnKey(value)
    }
  }

  private mutating func attachToOwnKey(_ value: PlistValue) {
    guard let key = frame.key else { preconditionFailure("a value without its key") }
    let old = frame.dictionary.withOwnKeys(&shapes) { dictionary in
      let old = dictionary.updateValue(value, forKey: key)
      if old != nil, recorder != nil, let position = dictionary.shape.position(of: key) {
        recorder?.replaceWithLast(at: position)
      }
      return old
    }
    if old != nil { warn(.duplicateKey, at: frame.keyLocation) }
    frame.key = nil
    frame.awaitsValue = false
  }
}
