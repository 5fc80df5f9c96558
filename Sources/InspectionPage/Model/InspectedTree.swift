internal import PropertyList

/// A tree as columns of its nodes in depth-first order, which a browser reads faster than nested
/// objects.
///
/// In JSON, `types` has a letter for each node (``NodeType``), `names` the number of its key in
/// `keys`, or -1 for an element. `counts` has the number of children of each node that can have
/// some, in order, and `texts` the text of each that has one. `lines` are the lines in a text
/// document; `objects` and `keyObjects` the objects of values and keys in a binary one, or -1. Of a
/// comparison, `states` has a letter for each node (``State``), `first` and `second` its indices in
/// the two files, and `others` by the number of a changed node the type and text in the second
/// file. Of preferences, `layers` has by the number of a node the number of the layer, and
/// `shadowed` the nodes whose values do not count.
package struct InspectedTree: Sendable, Encodable {
  /// The type of a node, by its letter.
  package enum NodeType: UInt8, Sendable {
    case dictionary = 0x64  // d
    case array = 0x61  // a
    case set = 0x53  // S
    case string = 0x73  // s
    case integer = 0x69  // i
    case real = 0x72  // r
    case yes = 0x74  // t
    case no = 0x66  // f
    /// A date; its text is the number of seconds since 2001.
    case date = 0x44  // D
    /// Data; its text is base64.
    case data = 0x78  // x
    /// Data with one child, the property list that it is.
    case nested = 0x58  // X
    case uid = 0x75  // u
    case null = 0x6E  // n
    /// An object of an archive; its text is its number, empty if nothing refers to it, and its
    /// class after a space.
    case object = 0x6F  // o
    /// A value of an archive that is one text, such as a URL; its text is the class, a space, and
    /// the value.
    case objectText = 0x54  // T
    /// A reference to an object that is elsewhere in the tree; its text is as that of the object.
    case reference = 0x52  // R
    /// A reference to an object that does not exist; its text is the number.
    case missing = 0x6D  // m

    var hasChildren: Bool {
      switch self {
      case .dictionary, .array, .set, .nested, .object: true
      default: false
      }
    }
  }

  /// The state of a node of a comparison, by its letter.
  package enum State: UInt8, Sendable {
    case same = 0x3D  // =
    /// A leaf with another value in the second file, or a container with differences in it.
    case changed = 0x2A  // *
    case removed = 0x2D  // -
    case added = 0x2B  // +
  }

  /// The properties of a node besides its value.
  package struct Annotations: Sendable {
    var line: Int?
    var object: Int?
    var keyObject: Int?
    var state: State?
    var indices: (first: Int, second: Int)?
    var layer: Int?
    var isShadowed = false

    /// Nothing.
    package init() {}

    /// The state of a node that is in another one of this state; nil for a tree that is no
    /// comparison.
    init(_ state: State?, index: Int) {
      self.state = state
      indices = state.map { ($0 == .added ? -1 : index, $0 == .removed ? -1 : index) }
    }

    /// The state of a node of a comparison, and its indices in the two files.
    package init(_ state: State, first: Int, second: Int) {
      self.state = state
      indices = (first, second)
    }
  }

  /// The number of nodes above which a tree is not written: a browser would take too much memory.
  package let maximumCount: Int
  /// The number of bytes of texts above which a tree is not written. Data with property lists in it
  /// can describe far more than it holds.
  private static let maximumSize = 256 << 20

  private var types: [UInt8] = []
  private var names: [Int] = []
  private var keys: [String] = []
  private var keyNumbers: [ByteKey: Int] = [:]
  private var counts: [Int] = []
  private var texts: [String] = []
  private var textSize = 0
  private var lines: [Int] = []
  private var objects: [Int] = []
  private var keyObjects: [Int] = []
  private var states: [UInt8] = []
  private var indices: [(first: Int, second: Int)] = []
  private var others: [Int: [String]] = [:]
  private var layers: [Int: Int] = [:]
  private var shadowed: [Int] = []
  /// The places in `counts` of the open nodes.
  private var open: [Int] = []

  /// An empty tree.
  package init(maximumCount: Int = 4_000_000) {
    self.maximumCount = maximumCount
  }

  /// The number of nodes.
  package var count: Int { types.count }

  /// Whether there are more nodes or texts than are written.
  package var isTooLarge: Bool { count > maximumCount || textSize > Self.maximumSize }

  // MARK: Nodes

  /// Adds a node; what is added until ``end()`` is in it if it can have children.
  ///
  /// - Parameters:
  ///   - key: The key of a dictionary's value; nil for an element.
  ///   - text: The text, for types that have one.
  package mutating func begin(
    _ type: NodeType, key: String?, text: String? = nil, _ annotations: Annotations = .init()
  ) {
    if let parent = open.last { counts[parent] += 1 }
    if type.hasChildren {
      open.append(counts.count)
      counts.append(0)
    }
    let node = types.count
    types.append(type.rawValue)
    names.append(key.map { number(ofKey: $0) } ?? -1)
    if let text {
      texts.append(text)
      textSize += text.utf8.count
    }
    if let line = annotations.line {
      lines += repeatElement(0, count: node - lines.count)
      lines.append(line)
    }
    if let object = annotations.object {
      objects += repeatElement(-1, count: node - objects.count)
      objects.append(object)
    }
    if let object = annotations.keyObject {
      keyObjects += repeatElement(-1, count: node - keyObjects.count)
      keyObjects.append(object)
    }
    if let state = annotations.state { states.append(state.rawValue) }
    if let indices = annotations.indices { self.indices.append(indices) }
    if let layer = annotations.layer { layers[node] = layer }
    if annotations.isShadowed { shadowed.append(node) }
  }

  /// Ends the innermost node that can have children.
  package mutating func end() {
    open.removeLast()
  }

  /// Adds the type and text that the last node has in the second file of a comparison.
  mutating func addOther(_ type: NodeType, _ text: String?) {
    others[types.count - 1] = [String(UnicodeScalar(type.rawValue)), text ?? ""]
  }

  private mutating func number(ofKey key: String) -> Int {
    if let number = keyNumbers[ByteKey(key)] { return number }
    keyNumbers[ByteKey(key)] = keys.count
    keys.append(key)
    return keys.count - 1
  }

  // MARK: JSON

  private enum CodingKeys: CodingKey {
    case types, names, keys, counts, texts, lines, objects, keyObjects
    case states, first, second, others, layers, shadowed
  }

  package func encode(to encoder: any Encoder) throws {
    var columns = encoder.container(keyedBy: CodingKeys.self)
    try columns.encode(String(decoding: types, as: UTF8.self), forKey: .types)
    try columns.encode(keys, forKey: .keys)
    try columns.encode(names, forKey: .names)
    try columns.encode(counts, forKey: .counts)
    try columns.encode(texts, forKey: .texts)
    if !lines.isEmpty { try columns.encode(lines, forKey: .lines) }
    if !objects.isEmpty {
      try columns.encode(objects, forKey: .objects)
      try columns.encode(keyObjects, forKey: .keyObjects)
    }
    if !states.isEmpty {
      try columns.encode(String(decoding: states, as: UTF8.self), forKey: .states)
      try columns.encode(indices.map(\.first), forKey: .first)
      try columns.encode(indices.map(\.second), forKey: .second)
      try columns.encode(others, forKey: .others)
    }
    if !layers.isEmpty {
      try columns.encode(layers, forKey: .layers)
      try columns.encode(shadowed, forKey: .shadowed)
    }
  }
}
