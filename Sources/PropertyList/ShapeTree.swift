/// The shapes of the dictionaries that a reader has met, found key by key as the keys of another come:
/// documents have many dictionaries of a kind.
///
/// Each node stands for the keys on the way to it. Keys that are found there are not even made again.
struct ShapeTree {
  /// A place in the tree.
  struct Node: Equatable {
    fileprivate let index: Int

    /// No keys.
    static let root = Node(index: 0)
  }

  private struct Entry {
    let key: String
    /// Without this key.
    let parent: Int
    /// The last one of those with a key more, and the one before this beside it; 0 for none.
    var firstChild = 0
    var nextSibling: Int
    var childCount = 0
    var shape: DictionaryShape?
  }

  private var entries = [Entry(key: "", parent: 0, nextSibling: 0, shape: .empty)]

  /// Dictionaries of more keys are seldom of a kind, and a tree of their keys would outgrow them.
  private static let mostKeys = 64
  /// As many keys may follow the same ones.
  private static let mostSiblings = 8
  private static let mostEntries = 4096

  /// The node with one more key; nil where the tree has none.
  ///
  /// - Parameter bytes: The key in UTF-8.
  @inline(__always)
  func node(_ node: Node, followedBy bytes: UnsafeRawBufferPointer) -> Node? {
    var child = entries[node.index].firstChild
    while child != 0 {
      if entries[child].key.utf8.count == bytes.count,
        entries[child].key.withBytes({ $0.hasSameBytes(as: bytes) })
      {
        return Node(index: child)
      }
      child = entries[child].nextSibling
    }
    return nil
  }

  /// Takes in the shape of a dictionary that has been read, as far as there is room.
  mutating func insert(_ shape: DictionaryShape) {
    guard shape.keys.count <= Self.mostKeys else { return }
    var node = Node.root
    for key in shape.keys {
      guard let next = key.withBytes({ self.node(node, followedBy: $0) }) ?? add(key, to: node)
      else { return }
      node = next
    }
    entries[node.index].shape = shape
  }

  private mutating func add(_ key: String, to node: Node) -> Node? {
    guard entries.count < Self.mostEntries,
      entries[node.index].childCount < Self.mostSiblings
    else { return nil }
    let new = entries.count
    entries.append(
      Entry(key: key, parent: node.index, nextSibling: entries[node.index].firstChild))
    entries[node.index].firstChild = new
    entries[node.index].childCount += 1
    return Node(index: new)
  }

  /// The last key.
  func key(of node: Node) -> String { entries[node.index].key }

  /// The shape of the keys on the way to a node.
  mutating func shape(of node: Node) -> DictionaryShape {
    if let shape = entries[node.index].shape { return shape }
    guard let shape = DictionaryShape(distinct: keys(of: node)) else {
      preconditionFailure("keys on the way to a node differ")
    }
    entries[node.index].shape = shape
    return shape
  }

  private func keys(of node: Node) -> [String] {
    var keys: [String] = []
    var index = node.index
    while index != 0 {
      keys.append(entries[index].key)
      index = entries[index].parent
    }
    return keys.reversed()
  }
}
