/// A tree of the shapes that a reader or an encoder has seen, with a transition for each key: most
/// documents have many dictionaries with the same keys. A node represents the keys on the path from
/// the root. Following a transition creates no string for the key.
///
/// Without it, reading XML takes 14 % more instructions, and decoding XML 37 %.
struct ShapeTree {
  struct Node: Equatable {
    fileprivate let index: Int

    /// The node without keys.
    static let root = Node(index: 0)
  }

  /// The links of a node. They hold no references, so reading them does no reference counting.
  private struct Link {
    /// The representation of the last key, which often suffices to recognize the key.
    let representation: SIMD2<UInt64>
    let parent: Int
    /// The child added last, and the sibling added before this node; 0 if there is none.
    var firstChild = 0
    var nextSibling: Int
    var childCount = 0
  }

  private var links = [Link(representation: "".representation, parent: 0, nextSibling: 0)]
  /// The last key of each node, and the shape of all its keys once it has been created.
  private var keys = [""]
  private var shapes: [DictionaryShape?] = [.empty]

  /// Dictionaries with more keys are not added. They rarely share their keys.
  private static let maximumKeyCount = 64
  private static let maximumChildCount = 8
  private static let maximumNodeCount = 4096

  @inline(__always)
  func child(of node: Node, key bytes: UnsafeRawBufferPointer) -> Node? {
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

  @inline(__always)
  func child(of node: Node, key: String) -> Node? {
    let representation = key.representation
    var child = links[node.index].firstChild
    while child != 0 {
      if links[child].representation == representation { return Node(index: child) }
      child = links[child].nextSibling
    }
    return childByBytes(of: node, key: key)
  }

  @inline(never)
  private func childByBytes(of node: Node, key: String) -> Node? {
    key.withBytes { child(of: node, key: $0) }
  }

  mutating func insert(_ shape: DictionaryShape) {
    guard shape.keys.count <= Self.maximumKeyCount else { return }
    var node = Node.root
    for key in shape.keys {
      guard let next = child(of: node, key: key) ?? addChild(key, to: node) else { return }
      node = next
    }
    shapes[node.index] = shape
  }

  private mutating func addChild(_ key: String, to node: Node) -> Node? {
    guard links.count < Self.maximumNodeCount, links[node.index].childCount < Self.maximumChildCount
    else {
      return nil
    }
    let new = links.count
    links.append(
      Link(
        representation: key.representation, parent: node.index,
        nextSibling: links[node.index].firstChild))
    keys.append(key)
    shapes.append(nil)
    links[node.index].firstChild = new
    links[node.index].childCount += 1
    return Node(index: new)
  }

  func key(of node: Node) -> String { keys[node.index] }

  mutating func shape(of node: Node) -> DictionaryShape {
    if let shape = shapes[node.index] { return shape }
    guard let shape = DictionaryShape(distinct: keys(of: node)) else {
      preconditionFailure("the keys of a node are distinct")
    }
    shapes[node.index] = shape
    return shape
  }

  private func keys(of node: Node) -> [String] {
    var all: [String] = []
    var index = node.index
    while index != 0 {
      all.append(keys[index])
      index = links[index].parent
    }
    return all.reversed()
  }
}
