internal import FoundationEssentials
package import PropertyList

/// A tree as columns of its nodes in depth-first order, which a browser reads faster than nested
/// objects.
///
/// In JSON, `types` has a letter for each node (``NodeType``), `names` the number of its key in
/// `keys`, or -1 for an element. `counts` has the number of children of each node that can have
/// some, in order, and `texts` the text of each that has one. `lines` are the lines in a text
/// document; `objects` and `keyObjects` the objects of values and keys in a binary one, or -1. For
/// a comparison, `states` has a letter for each node (``State``), `first` and `second` have its
/// indices in the two files, and `others` maps the number of a changed node to its type and text in
/// the second file. For preferences, `layers` maps the number of a node to the number of its layer,
/// and `shadowed` lists the nodes whose values are shadowed.
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
    /// Data that is a property list, which is its one child.
    case nested = 0x58  // X
    case uid = 0x75  // u
    case null = 0x6E  // n
    /// An object of an archive; its text is its number, empty if nothing refers to it, and its
    /// class after a space.
    case object = 0x6F  // o
    /// A value of an archive that is one text, such as a URL; its text is the class, a space, and
    /// the value.
    case objectText = 0x54  // T
    /// A reference to an object elsewhere in the tree, with the object's text.
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
    /// A leaf with a different value in the second file, or a container with differences in it.
    case changed = 0x2A  // *
    case removed = 0x2D  // -
    case added = 0x2B  // +
  }

  /// The properties of a node other than its value.
  package struct Annotations: Sendable {
    var line: Int?
    var object: Int?
    var keyObject: Int?
    var state: State?
    var indices: (first: Int, second: Int)?
    var layer: Int?
    var isShadowed = false

    package init() {}

    /// The state of a node inside a node with this state; nil in a tree without a comparison.
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

  /// A tree with more nodes is not written: a browser would take too much memory.
  package let maximumCount: Int
  /// A tree with more bytes of text is not written. Data with nested property lists can expand to
  /// far more than its size.
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
  /// The indices in `counts` of the open nodes.
  private var open: [Int] = []

  package init(maximumCount: Int = 4_000_000) {
    self.maximumCount = maximumCount
  }

  package var count: Int { types.count }

  /// Whether there are more nodes or texts than are written.
  package var isTooLarge: Bool { count > maximumCount || textSize > Self.maximumSize }

  // MARK: Nodes

  /// Adds a node. If it can have children, nodes added until ``end()`` are in it.
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

extension InspectedTree {
  /// A container whose values are being added.
  private struct Container {
    var cursor: ContainerCursor
    var lines: PlistLines?
    let members: [(key: Int?, value: Int)]?
    /// The state in a comparison of all that is in it.
    let state: State?
    /// How many property lists in data are around it.
    let nesting: Int
    /// The number of nodes to end with it.
    let ends: Int
  }

  /// How deeply property lists nested in data are shown.
  private static let maximumNesting = 8

  /// Adds a value with everything in it, up to ``maximumCount`` nodes. Data that is a property list
  /// contains that property list.
  ///
  /// - Parameters:
  ///   - key: The key of the value; nil for an element or a root.
  ///   - lines: The lines in the text document that the value was read from.
  ///   - map: The map of the binary document that the value was read from.
  package mutating func add(
    _ value: PlistValue, key: String? = nil, _ annotations: Annotations = .init(),
    lines: PlistLines? = nil, map: BinaryLayout? = nil
  ) {
    var containers: [Container] = []
    var annotations = annotations
    annotations.line = lines?.line
    annotations.object = map?.topObject
    enter(value, key, annotations, lines: lines, map: map, &containers)
    while var container = containers.popLast() {
      guard let value = container.cursor.next(), !isTooLarge else {
        for _ in 0..<container.ends { end() }
        continue
      }
      let index = container.cursor.index
      var annotations = Annotations(container.state, index: index)
      let lines = container.lines.flatMap {
        $0.children.indices.contains(index) ? $0.children[index] : nil
      }
      annotations.line = lines?.line
      annotations.object = container.members?[index].value
      annotations.keyObject = container.members?[index].key
      let (key, nesting) = (container.cursor.key, container.nesting)
      containers.append(container)
      enter(value, key, annotations, lines: lines, map: map, &containers, nesting: nesting)
    }
  }

  private mutating func enter(
    _ value: PlistValue, _ key: String?, _ annotations: Annotations, lines: PlistLines?,
    map: BinaryLayout?, _ containers: inout [Container], nesting: Int = 0, outerEnds: Int = 0
  ) {
    let cursor: ContainerCursor
    let keys: [String]
    switch value {
    case .dictionary(let dictionary):
      cursor = ContainerCursor(dictionary, order: .document)
      keys = map == nil ? [] : Array(dictionary.keys)
      begin(.dictionary, key: key, annotations)
    case .array(let elements):
      (cursor, keys) = (ContainerCursor(elements), [])
      begin(.array, key: key, annotations)
    case .set(let elements):
      (cursor, keys) = (ContainerCursor(elements, kind: .set), [])
      begin(.set, key: key, annotations)
    case .data(let data):
      guard nesting < Self.maximumNesting, let inner = Plist.readNested(data)?.value else {
        return addLeaf(value, key: key, annotations)
      }
      begin(.nested, key: key, text: data.base64EncodedString(), annotations)
      let count = containers.count
      enter(
        inner, nil, Annotations(annotations.state, index: -1), lines: nil, map: nil, &containers,
        nesting: nesting + 1,
        outerEnds: outerEnds + 1)
      if containers.count == count { end() }
      return
    default:
      return addLeaf(value, key: key, annotations)
    }
    let members = annotations.object.flatMap {
      map?.members(of: $0, keys: keys, count: cursor.count)
    }
    containers.append(
      Container(
        cursor: cursor, lines: lines, members: members, state: annotations.state,
        nesting: nesting, ends: 1 + outerEnds))
  }

  private mutating func addLeaf(
    _ value: PlistValue, key: String?, _ annotations: Annotations
  ) {
    let (type, text) = Self.leaf(value)
    begin(type, key: key, text: text, annotations)
  }

  /// Adds a leaf whose value differs in the second file of a comparison.
  package mutating func addChanged(
    _ value: PlistValue, to other: PlistValue, key: String?, _ annotations: Annotations
  ) {
    addLeaf(value, key: key, annotations)
    let (type, text) = Self.leaf(other)
    addOther(type, text)
  }

  /// The type and text of a value that is not a container.
  static func leaf(_ value: PlistValue) -> (NodeType, String?) {
    switch value {
    case .string(let text): (.string, text)
    case .integer(let number): (.integer, String(number))
    case .unsignedInteger(let number): (.integer, String(number))
    case .real(let number): (.real, number.description)
    case .float(let number): (.real, number.description)
    case .boolean(let boolean): (boolean ? .yes : .no, nil)
    case .date(let date): (.date, date.timeIntervalSinceReferenceDate.description)
    case .data(let data): (.data, data.base64EncodedString())
    case .uid(let number): (.uid, String(number))
    case .null: (.null, nil)
    case .dictionary: (.dictionary, nil)
    case .array: (.array, nil)
    case .set: (.set, nil)
    }
  }
}
