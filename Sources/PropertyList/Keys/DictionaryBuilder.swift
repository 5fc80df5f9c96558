/// Builds a dictionary entry by entry, sharing its keys with earlier dictionaries where possible.
struct DictionaryBuilder {
  /// The node of the keys so far; nil once they have left the tree of shapes.
  private var node: ShapeTree.Node? = .root
  /// The values, while the keys are in the tree.
  private var values: [PlistValue] = []
  /// The entries, once the keys have left the tree.
  private var dictionary = PlistDictionary()

  var count: Int { node == nil ? dictionary.count : values.count }
  mutating func reserveCapacity(_ capacity: Int) { values.reserveCapacity(capacity) }

  /// Follows the transition for the next key, and returns whether the tree has one.
  @inline(__always)
  mutating func follow(_ key: UnsafeRawBufferPointer, in shapes: borrowing ShapeTree) -> Bool {
    guard let node, let next = shapes.child(of: node, key: key) else { return false }
    self.node = next
    return true
  }

  @inline(__always)
  mutating func follow(_ key: String, in shapes: borrowing ShapeTree) -> Bool {
    guard let node, let next = shapes.child(of: node, key: key) else { return false }
    self.node = next
    return true
  }

  /// Whether the keys so far are in the tree, including a key that was followed and has no value
  /// yet.
  @inline(__always)
  var isInTree: Bool { node != nil }

  func lastKey(in shapes: borrowing ShapeTree) -> String? { node.map { shapes.key(of: $0) } }

  /// Appends the value of the key that was followed.
  @inline(__always)
  mutating func append(_ value: PlistValue) { values.append(value) }

  /// Calls the closure with the entries as a dictionary that it may change freely.
  mutating func withOwnKeys<Result>(
    _ shapes: inout ShapeTree, _ body: (inout PlistDictionary) -> Result
  ) -> Result {
    leaveTree(&shapes)
    return body(&dictionary)
  }

  /// Gives the dictionary its own keys, because the tree has no transition for the next one.
  mutating func leaveTree(_ shapes: inout ShapeTree) {
    guard let node else { return }
    dictionary = PlistDictionary(shapes.shape(of: node), values)
    dictionary.reserveCapacity(values.capacity)
    self.node = nil
    values = []
  }

  /// Returns the dictionary and adds its keys to the tree, unless no other dictionary can follow.
  consuming func finish(_ shapes: inout ShapeTree, isOnlyOne: Bool) -> PlistDictionary {
    if let node { return PlistDictionary(shapes.shape(of: node), values) }
    if !isOnlyOne { shapes.insert(dictionary.shape) }
    return dictionary
  }
}
