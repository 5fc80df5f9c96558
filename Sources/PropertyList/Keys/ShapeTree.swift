/// The shapes of the dictionaries that a reader or an encoder has met, found key by key as the keys of
/// another come: documents have many dictionaries of a kind.
///
/// Each node stands for the keys on the way to it. Keys that are found there are not even made again.
struct ShapeTree {
  /// A place in the tree.
  struct Node: Equatable {
    fileprivate let index: Int

    /// No keys.
    static let root = Node(index: 0)
  }

  /// How a node hangs together with others. It refers to nothing that would be counted.
  private struct Link {
    /// The last key as it is stored, which is enough to know it again when it comes from the same place.
    let words: SIMD2<UInt64>
    /// Without the last key.
    let parent: Int
    /// The last one of those with a key more, and the one before this beside it; 0 for none.
    var firstChild = 0
    var nextSibling: Int
    var childCount = 0
  }

  private var links = [Link(words: Self.words(of: ""), parent: 0, nextSibling: 0)]
  /// The last key of each node, and the shape of all its keys once it has been asked for.
  private var keys = [""]
  private var shapes: [DictionaryShape?] = [.empty]

  /// Dictionaries of more keys are seldom of a kind, and a tree of their keys would outgrow them.
  private static let mostKeys = 64
  /// As many keys may follow the same ones.
  private static let mostSiblings = 8
  private static let mostNodes = 4096

  /// Strings of equal words are the same short text, or share their storage.
  @inline(__always)
  private static func words(of key: String) -> SIMD2<UInt64> {
    unsafeBitCast(key, to: SIMD2<UInt64>.self)
  }

  /// The node with one more key; nil where the tree has none.
  ///
  /// - Parameter bytes: The key in UTF-8.
  @inline(__always)
  func node(_ node: Node, followedBy bytes: UnsafeRawBufferPointer) -> Node? {
    var child = links[node.index].firstChild
    while child != 0 {
      if keys[child].utf8.count == bytes.count,
        keys[child].withBytes({ $0.hasSameBytes(as: bytes) })
      {
        return Node(index: child)
      }
      child = links[child].nextSibling
    }
    return nil
  }

  /// The node with one more key; nil where the tree has none.
  @inline(__always)
  func node(_ node: Node, followedBy key: String) -> Node? {
    let words = Self.words(of: key)
    var child = links[node.index].firstChild
    while child != 0 {
      if links[child].words == words { return Node(index: child) }
      child = links[child].nextSibling
    }
    return otherNode(node, followedBy: key)
  }

  @inline(never)
  private func otherNode(_ node: Node, followedBy key: String) -> Node? {
    key.withBytes { self.node(node, followedBy: $0) }
  }

  /// Takes in the shape of a dictionary that has been read, as far as there is room.
  mutating func insert(_ shape: DictionaryShape) {
    guard shape.keys.count <= Self.mostKeys else { return }
    var node = Node.root
    for key in shape.keys {
      guard let next = self.node(node, followedBy: key) ?? add(key, to: node) else { return }
      node = next
    }
    shapes[node.index] = shape
  }

  private mutating func add(_ key: String, to node: Node) -> Node? {
    guard links.count < Self.mostNodes, links[node.index].childCount < Self.mostSiblings else {
      return nil
    }
    let new = links.count
    links.append(
      Link(
        words: Self.words(of: key), parent: node.index,
        nextSibling: links[node.index].firstChild))
    keys.append(key)
    shapes.append(nil)
    links[node.index].firstChild = new
    links[node.index].childCount += 1
    return Node(index: new)
  }

  /// The last key.
  func key(of node: Node) -> String { keys[node.index] }

  /// The shape of the keys on the way to a node.
  mutating func shape(of node: Node) -> DictionaryShape {
    if let shape = shapes[node.index] { return shape }
    guard let shape = DictionaryShape(distinct: allKeys(of: node)) else {
      preconditionFailure("keys on the way to a node differ")
    }
    shapes[node.index] = shape
    return shape
  }

  private func allKeys(of node: Node) -> [String] {
    var all: [String] = []
    var index = node.index
    while index != 0 {
      all.append(keys[index])
      index = links[index].parent
    }
    return all.reversed()
  }
}
