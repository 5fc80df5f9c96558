/// A dictionary to which entries come one by one, with keys that others of its kind may have had.
struct DictionaryBuilder {
  /// The keys so far, as long as they are in the tree of shapes.
  private var node: ShapeTree.Node? = .root
  /// The values of the keys in the tree.
  private var values: [PlistValue] = []
  /// The entries, once their keys are not in the tree.
  private var dictionary = PlistDictionary()

  var count: Int { node == nil ? dictionary.count : values.count }

  /// Makes room for that many entries.
  mutating func reserveCapacity(_ capacity: Int) {
    values.reserveCapacity(capacity)
  }

  /// Goes on in the tree to the key of the value that comes next, and says whether the tree has it.
  @inline(__always)
  mutating func follow(_ key: UnsafeRawBufferPointer, in shapes: borrowing ShapeTree) -> Bool {
    guard let node, let next = shapes.node(node, followedBy: key) else { return false }
    self.node = next
    return true
  }

  /// Goes on in the tree to the key of the value that comes next, and says whether the tree has it.
  @inline(__always)
  mutating func follow(_ key: String, in shapes: borrowing ShapeTree) -> Bool {
    guard let node, let next = shapes.node(node, followedBy: key) else { return false }
    self.node = next
    return true
  }

  /// Whether the keys, the last of which may be that of the next value, are in the tree.
  @inline(__always)
  var isInTree: Bool { node != nil }

  /// The last key in the tree.
  func lastKey(in shapes: borrowing ShapeTree) -> String? { node.map { shapes.key(of: $0) } }

  /// Adds the value of the key to which the tree was followed.
  @inline(__always)
  mutating func append(_ value: PlistValue) {
    values.append(value)
  }

  /// The entries, as a dictionary that can be changed at will.
  mutating func withOwnKeys<Result>(
    _ shapes: inout ShapeTree, _ body: (inout PlistDictionary) -> Result
  ) -> Result {
    leaveTree(&shapes)
    return body(&dictionary)
  }

  /// Gives the dictionary keys of its own, because the next one does not go on in the tree.
  mutating func leaveTree(_ shapes: inout ShapeTree) {
    guard let node else { return }
    dictionary = PlistDictionary(shapes.shape(of: node), values)
    dictionary.reserveCapacity(values.capacity)
    self.node = nil
    values = []
  }

  /// The dictionary, whose keys the tree has from now on.
  ///
  /// - Parameter isOnlyOne: Whether none of its kind can follow.
  consuming func finish(_ shapes: inout ShapeTree, isOnlyOne: Bool) -> PlistDictionary {
    if let node { return PlistDictionary(shapes.shape(of: node), values) }
    if !isOnlyOne { shapes.insert(dictionary.shape) }
    return dictionary
  }
}
