/// Puts a value together from the events of a text, for the readers that go through one from left to
/// right. It keeps the open containers on a stack of its own and holds the limits of depth and nodes.
struct PlistTreeBuilder {
  /// A container that is not closed yet.
  private struct Frame {
    let isDictionary: Bool
    /// The keys of a dictionary so far, as long as they are in the tree of shapes.
    var node: ShapeTree.Node?
    /// The values of an array, or of the keys in the tree.
    var values: [PlistValue] = []
    /// The entries of a dictionary whose keys are not in the tree, and the key whose value comes next.
    var dictionary = PlistDictionary()
    var key: String?
    /// Whether a key has been met whose value comes next, and its place.
    var awaitsValue = false
    var keyLocation: PlistError.Location?

    init(isDictionary: Bool) {
      self.isDictionary = isDictionary
      node = isDictionary ? .root : nil
    }

    var count: Int { isDictionary && node == nil ? dictionary.count : values.count }
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
    guard frame.isDictionary else { return String(frame.values.count) }
    guard frame.awaitsValue else { return nil }
    return frame.node.map { shapes.key(of: $0) } ?? frame.key
  }

  mutating func warn(_ kind: PlistWarning.Kind, at location: PlistError.Location?) {
    guard warnings.count < limits.warnings else { return }
    warnings.append(PlistWarning(kind: kind, location: location, keyPath: keyPath))
  }

  /// Opens a dictionary or an array.
  mutating func open(dictionary: Bool) throws(PlistError.Kind) {
    guard depth < limits.depth else { throw .tooDeep(limit: limits.depth) }
    try nodes.addContainer()
    var frame = Frame(isDictionary: dictionary)
    if depth == expectedCounts.count {
      expectedCounts.append(0)
    } else {
      frame.values.reserveCapacity(expectedCounts[depth])
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
    if let node = frame.node, let next = shapes.node(node, followedBy: bytes) {
      frame.node = next
    } else {
      leaveTree()
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

  /// Gives the dictionary keys of its own, because the next one does not go on in the tree.
  private mutating func leaveTree() {
    guard let node = frame.node else { return }
    frame.dictionary = PlistDictionary(shapes.shape(of: node), frame.values)
    frame.node = nil
    frame.values = []
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
    guard closed.isDictionary else { return .array(closed.values) }
    guard let node = closed.node else {
      // There is only one outermost one.
      if depth > 0 { shapes.insert(closed.dictionary.shape) }
      return .dictionary(closed.dictionary)
    }
    return .dictionary(PlistDictionary(shapes.shape(of: node), closed.values))
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
    if frame.isDictionary {
      guard frame.awaitsValue else { preconditionFailure("a value without its key") }
      if frame.node == nil { return attachToOwnKey(value) }
      frame.awaitsValue = false
    }
    frame.values.append(value)
  }

  private mutating func attachToOwnKey(_ value: PlistValue) {
    guard let key = frame.key else { preconditionFailure("a value without its key") }
    if frame.dictionary.updateValue(value, forKey: key) != nil {
      warn(.duplicateKey, at: frame.keyLocation)
    }
    frame.key = nil
    frame.awaitsValue = false
  }
}
