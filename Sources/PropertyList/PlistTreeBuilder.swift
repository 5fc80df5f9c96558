/// Puts a value together from the events of a text, for the readers that go through one from left to
/// right. It keeps the open containers on a stack of its own and holds the limits of depth and nodes.
struct PlistTreeBuilder {
  /// A container that is not closed yet.
  private struct Frame {
    var isDictionary: Bool
    var dictionary = PlistDictionary()
    var array: [PlistValue] = []
    /// The key whose value comes next, and its place.
    var key: String?
    var keyLocation: PlistError.Location?
  }

  private let limits: PlistLimits
  private var frames: [Frame] = []
  private var nodes: NodeCount

  /// The finished document; nil until the outermost value is complete.
  private(set) var root: PlistValue?
  /// The oddities met so far.
  private(set) var warnings: [PlistWarning] = []

  init(limits: PlistLimits) {
    self.limits = limits
    nodes = NodeCount(limits: limits)
  }

  /// The number of open containers.
  var depth: Int { frames.count }

  /// Whether the innermost open container is a dictionary; nil outside of all.
  var isInDictionary: Bool? { frames.last?.isDictionary }

  /// Whether the innermost container is a dictionary whose last key has no value yet.
  var awaitsValue: Bool { frames.last?.key != nil }

  /// The path of the value that comes next, or of the container between two keys.
  var keyPath: PlistKeyPath {
    PlistKeyPath(
      components: frames.compactMap { $0.isDictionary ? $0.key : String($0.array.count) })
  }

  mutating func warn(_ kind: PlistWarning.Kind, at location: PlistError.Location?) {
    guard warnings.count < limits.warnings else { return }
    warnings.append(PlistWarning(kind: kind, location: location, keyPath: keyPath))
  }

  /// Opens a dictionary or an array.
  mutating func open(dictionary: Bool) throws(PlistError.Kind) {
    guard frames.count < limits.depth else { throw .tooDeep(limit: limits.depth) }
    try nodes.add(dictionary ? .dictionary([:]) : .array([]))
    frames.append(Frame(isDictionary: dictionary))
  }

  /// Takes the key of the next value of the innermost container, which is a dictionary.
  mutating func key(_ key: String, at location: PlistError.Location?) throws(PlistError.Kind) {
    try nodes.add(key: key)
    frames[frames.count - 1].key = key
    frames[frames.count - 1].keyLocation = location
  }

  /// Adds a value that is not a container.
  mutating func add(_ value: PlistValue) throws(PlistError.Kind) {
    try nodes.add(value)
    attach(value)
  }

  /// Closes the innermost container and gives it to be attached.
  mutating func close() -> PlistValue {
    let frame = frames.removeLast()
    return frame.isDictionary ? .dictionary(frame.dictionary) : .array(frame.array)
  }

  /// Puts a value where the next one belongs.
  mutating func attach(_ value: PlistValue) {
    let top = frames.count - 1
    guard top >= 0 else {
      root = value
      return
    }
    guard frames[top].isDictionary else {
      frames[top].array.append(value)
      return
    }
    guard let key = frames[top].key else { preconditionFailure("a value without its key") }
    if frames[top].dictionary.updateValue(value, forKey: key) != nil {
      warn(.duplicateKey, at: frames[top].keyLocation)
    }
    frames[top].key = nil
  }
}
