/// The keys of a dictionary, in their order, and what finds them.
///
/// Dictionaries with the same keys in the same order may share one: documents have many of them, and
/// a shared shape costs neither memory nor time for the keys of the second.
///
/// It is `@unchecked Sendable`, and accesses to it are not checked for exclusivity, because only a
/// dictionary that alone refers to it changes it, as an array changes its storage.
final class DictionaryShape: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var keys: [String]
  /// The positions by hash. Empty while there are few keys or they strictly ascend.
  @exclusivity(unchecked) private var index: HashIndex
  /// The orders in which the keys strictly ascend; by bytes, that makes a key above the last one new.
  @exclusivity(unchecked) private var ascent: String.Orders

  /// Up to here, comparing with every key costs less than hashing one.
  private static let smallCount = 16

  /// No keys. It is never changed, because it is always shared with this.
  static let empty = DictionaryShape()

  private init() {
    keys = []
    index = HashIndex()
    ascent = [.bytes, .codeUnits]
  }

  /// The keys in this order; nil where one of them is there twice.
  init?(distinct keys: [String]) {
    self.keys = keys
    index = HashIndex()
    ascent = [.bytes, .codeUnits]
    for position in keys.indices.dropFirst() where !ascent.isEmpty {
      ascent.formIntersection(keys[position - 1].orders(before: keys[position]))
    }
    if ascent.contains(.bytes) { return }
    if keys.count <= Self.smallCount {
      for position in keys.indices {
        if keys[..<position].contains(where: { $0.hasSameBytes(as: keys[position]) }) { return nil }
      }
    } else {
      index.reserve(keys.count)
      for position in keys.indices {
        let found = index.number(
          hash: Self.hash(keys[position]), orNew: position
        ) { keys[$0].hasSameBytes(as: keys[position]) }
        if found != position { return nil }
      }
    }
  }

  private init(_ other: DictionaryShape, capacity: Int) {
    keys = []
    keys.reserveCapacity(capacity)
    keys += other.keys
    index = other.index
    ascent = other.ascent
  }

  /// A shape of the same keys that nobody else has, with room for that many.
  func copy(capacity: Int) -> DictionaryShape {
    DictionaryShape(self, capacity: max(capacity, keys.count))
  }

  func reserveCapacity(_ capacity: Int) {
    keys.reserveCapacity(capacity)
  }

  /// The position of a key.
  func position(of key: String) -> Int? {
    if !index.isEmpty {
      return index.number(hash: Self.hash(key)) { keys[$0].hasSameBytes(as: key) }
    }
    if keys.count <= Self.smallCount {
      return keys.firstIndex { $0.hasSameBytes(as: key) }
    }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle].precedesInBytes(key) { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low].hasSameBytes(as: key) ? low : nil
  }

  /// The orders in which the keys ascend with one more at the end; where they do by bytes, that one
  /// is new.
  @inline(__always)
  func ascent(through key: String) -> String.Orders {
    if keys.isEmpty || ascent.isEmpty { return ascent }
    return ascent.intersection(keys[keys.count - 1].orders(before: key))
  }

  // MARK: Changes, by the one dictionary that has it

  /// Appends a key, which is not there yet.
  ///
  /// - Parameter orders: What ``ascent(through:)`` says of it.
  @inline(__always)
  func append(_ key: String, _ orders: String.Orders) {
    if keys.count >= Self.smallCount, !orders.contains(.bytes) { indexNextKey(key) }
    ascent = orders
    keys.append(key)
  }

  /// Removes the key at a position; those behind it go down by one.
  func remove(at position: Int) {
    if keys.count - 1 <= Self.smallCount {
      index = HashIndex()
    } else if !index.isEmpty {
      index.remove(position, hash: Self.hash(keys[position]))
    }
    keys.remove(at: position)
  }

  /// Enters a key that is about to be appended, making the index where there is none.
  private func indexNextKey(_ key: String) {
    if index.isEmpty {
      for position in keys.indices {
        index.insert(position, hash: Self.hash(keys[position]), count: keys.capacity)
      }
    }
    index.insert(keys.count, hash: Self.hash(key), count: keys.count + 1)
  }

  private static func hash(_ key: String) -> UInt32 {
    UInt32(truncatingIfNeeded: key.withBytes { ByteHash.hash($0) } >> 32)
  }

  // MARK: Order

  /// The positions in the order of the keys' UTF-16 code units; nil when the keys stand in that order
  /// already.
  func sortedPositions() -> [Int]? {
    if ascent.contains(.codeUnits) { return nil }
    var sorted = true
    for position in keys.indices.dropFirst()
    where keys[position].precedesInCodeUnits(keys[position - 1]) {
      sorted = false
      break
    }
    if sorted { return nil }
    // Most keys are told apart by their first bytes, which are at hand here.
    return keys.indices
      .map { (prefix: keys[$0].codeUnitPrefix, position: $0) }
      .sorted { left, right in
        left.prefix != right.prefix
          ? left.prefix < right.prefix
          : keys[left.position].precedesInCodeUnits(keys[right.position])
      }
      .map(\.position)
  }
}
