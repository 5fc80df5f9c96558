/// Puts a value together from the events of a text, for the readers that go through one from left to
/// right. It keeps the open containers on a stack of its own and holds the limits of depth and nodes.
struct PlistTreeBuilder {
  /// A container that is not closed yet.
  private struct Frame {
    let isDictionary: Bool
    var dictionary = DictionaryBuilder()
    var array: [PlistValue] = []
    /// Whether a key has been met whose value comes next, the key where it is not in the tree of shapes, and
    /// its place.
    var awaitsValue = false
    var key: String?
    var keyLocation: PlistError.Location?

    var count: Int { isDictionary ? dictionary.count : array.count }
  }

  private let limits: PlistLimits
  /// The number of open containers.
  private(set) var depth = 0
  /// The innermost open container, where there is one, and those around it.
  private var frame = Frame(isDictionary: false)
  private var outerFrames: [Frame] = []
  /// For each depth, how many values to make room for: containers beside each other are often alike.
  private var expectedCounts: [Int] = []
  private var shapes = ShapeTree()
  private var nodes: NodeCount

  /// The finished document; nil until the outermost value is complete.
  private(set) var root: PlistValue?
  /// The oddities met so far.
  private(set) var warnings: [PlistWarning] = []

  init(limits: PlistLimits) {
    self.limits = limits
    nodes = NodeCount(limits: limits)
  }

  /// Whether the innermost open container is a dictionary; nil outside of all.
  @inline(__always)
  var isInDictionary: Bool? { depth == 0 ? nil : frame.isDictionary }

  /// Whether the innermost container is a dictionary whose last key has no value yet.
  @inline(__always)
  var awaitsValue: Bool { frame.awaitsValue }

  /// The path of the value that comes next, or of the container between two keys.
  var keyPath: PlistKeyPath {
    let frames = depth > 0 ? outerFrames + [frame] : []
    return PlistKeyPath(components: frames.compactMap { component(of: $0) })
  }

  /// The part of a key path that leads to the value that comes next; nil between two keys.
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
  mutating func open(dictionary: Bool) throws(PlistError.Kind) {
    guard depth < limits.maximumDepth else { throw .tooDeep(limit: limits.maximumDepth) }
    try nodes.addContainer()
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

  /// Takes the key of the next value of the innermost container, which is a dictionary.
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

  /// Takes the key of the next value of the innermost container, which is a dictionary.
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
  @inline(__always)
  mutating func add(_ value: PlistValue) throws(PlistError.Kind) {
    try nodes.add(value)
    attach(value)
  }

  /// Closes the innermost container and gives it to be attached.
  mutating func close() -> PlistValue {
    depth -= 1
    expectedCounts[depth] = Self.expectation(expectedCounts[depth], after: frame.count)
    var closed = outerFrames.popLast() ?? Frame(isDictionary: false)
    swap(&closed, &frame)
    guard closed.isDictionary else { return .array(closed.array) }
    return .dictionary(closed.dictionary.finish(&shapes, isOnlyOne: depth == 0))
  }

  /// What to expect after a container of that many values: as many, or half of the way down to them,
  /// so that room made in vain is never more than a few times what was filled before.
  private static func expectation(_ expected: Int, after count: Int) -> Int {
    count >= expected ? min(count, mostExpected) : (expected + count + 1) / 2
  }

  /// Beyond this, growing costs next to nothing a value.
  private static let mostExpected = 128

  /// Puts a value where the next one belongs.
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
    let old = frame.dictionary.withOwnKeys(&shapes) { $0.updateValue(value, forKey: key) }
    if old != nil { warn(.duplicateKey, at: frame.keyLocation) }
    frame.key = nil
    frame.awaitsValue = false
  }
}
