/// Builds a value from the events of a reader.
///
/// The open containers are on a stack of the builder's own. The limits on depth and node count are
/// enforced here.
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
  /// The number of open containers.
  private(set) var depth = 0
  /// The innermost open container, if any, and those around it.
  private var frame = Frame(isDictionary: false)
  private var outerFrames: [Frame] = []
  /// For each depth, the number of values to reserve capacity for: neighboring containers are often
  /// alike.
  private var expectedCounts: [Int] = []
  private var shapes = ShapeTree()
  private var nodes: NodeCount
  /// Records the lines of values; nil if nobody asks for them.
  private var recorder: LineRecorder?

  /// The finished document; nil until the outermost value is complete.
  private(set) var root: PlistValue?
  /// The warnings so far.
  private(set) var warnings: [PlistWarning] = []

  /// - Parameter text: The text whose lines are recorded, which must outlive the builder; nil to
  ///   record none.
  init(limits: PlistLimits, recordingLinesOf text: UnsafeRawBufferPointer? = nil) {
    self.limits = limits
    nodes = NodeCount(limits: limits)
    recorder = text.map(LineRecorder.init)
  }

  /// The lines of the finished document; nil unless they are recorded.
  var lines: PlistLines? { recorder?.root }

  /// Whether the innermost open container is a dictionary; nil outside of all.
  @inline(__always)
  var isInDictionary: Bool? { depth == 0 ? nil : frame.isDictionary }

  /// Whether the innermost container is a dictionary whose last key has no value yet.
  @inline(__always)
  var awaitsValue: Bool { frame.awaitsValue }

  /// The path of the next value; between two keys, of the dictionary.
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
    guard warnings.count < limits.maximumWarningCount else { return }
    warnings.append(PlistWarning(kind: kind, location: location, keyPath: keyPath))
  }

  /// Opens a dictionary or an array.
  ///
  /// - Parameter offset: Its position in the document.
  mutating func open(dictionary: Bool, at offset: Int) throws(PlistError.Kind) {
    guard depth < limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
    try nodes.addContainer()
    if recorder != nil { recordContainer(at: offset) }
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

  /// Adds the key of the next value to the innermost container, which must be a dictionary.
  ///
  /// - Parameter bytes: The key in UTF-8.
  @inline(__always)
  mutating func key(
    _ bytes: UnsafeRawBufferPointer, at location: PlistError.Location?
  ) throws(PlistError.Kind) {
    try nodes.add(NodeCount.count(ofKeyBytes: bytes.count))
    if !frame.dictionary.follow(bytes, in: shapes) {
      frame.dictionary.leaveTree(&shapes)
      frame.key = String(decodingUTF8: bytes)
    }
    frame.awaitsValue = true
    frame.keyLocation = location
  }

  /// Adds the key of the next value to the innermost container, which must be a dictionary.
  mutating func key(_ key: String, at location: PlistError.Location?) throws(PlistError.Kind) {
    let result = key.withBytes { bytes -> Result<Void, PlistError.Kind> in
      do throws(PlistError.Kind) {
        return .success(try self.key(bytes, at: location))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Adds a value that is not a container.
  ///
  /// - Parameter offset: Its position in the document.
  @inline(__always)
  mutating func add(_ value: PlistValue, at offset: Int) throws(PlistError.Kind) {
    try nodes.add(value)
    if recorder != nil { recordLeaf(at: offset) }
    attach(value)
  }

  @inline(never)
  private mutating func recordContainer(at offset: Int) {
    let offset = recordedOffset(offset)
    recorder?.beginContainer(at: offset)
  }

  @inline(never)
  private mutating func recordLeaf(at offset: Int) {
    let offset = recordedOffset(offset)
    recorder?.addLeaf(at: offset)
  }

  /// The position whose line is recorded for the next value: that of its key, if it has one.
  private func recordedOffset(_ offset: Int) -> Int {
    guard frame.awaitsValue, case .byte(let keyOffset)? = frame.keyLocation else { return offset }
    return keyOffset
  }

  /// Closes the innermost container and returns it to be attached.
  mutating func close() -> PlistValue {
    recorder?.endContainer()
    depth -= 1
    expectedCounts[depth] = Self.expectedCount(expectedCounts[depth], after: frame.count)
    var closed = outerFrames.popLast() ?? Frame(isDictionary: false)
    swap(&closed, &frame)
    guard closed.isDictionary else { return .array(closed.array) }
    return .dictionary(closed.dictionary.finish(&shapes, isOnlyOne: depth == 0))
  }

  /// The expected count after a container: its count if that is larger, else halfway down to it, so
  /// that unused capacity is never more than a few times the values before.
  private static func expectedCount(_ expected: Int, after count: Int) -> Int {
    count >= expected ? min(count, maximumExpectedCount) : (expected + count + 1) / 2
  }

  /// Beyond this, growth costs next to nothing per value.
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
