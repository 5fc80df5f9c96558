/// The keys of a dictionary in order, with an index to find them.
///
/// Dictionaries with the same keys in the same order share a shape, as objects share a hidden class
/// in JavaScript engines: most documents have many such dictionaries, and a shared shape saves the
/// memory and the time for the keys of all but the first.
///
/// It is `@unchecked Sendable`, and exclusivity is not checked, because it is copy-on-write: only a
/// dictionary that holds the only reference to a shape changes it. With checks, writing the XML of
/// `make counts` takes 12 % more instructions.
final class DictionaryShape: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var keys: [String]
  /// The positions by hash; empty while there are few keys or they strictly ascend by bytes.
  @exclusivity(unchecked) private var index: HashIndex
  /// The orders in which the keys strictly ascend. If they ascend by bytes, a key above the last
  /// one is new.
  @exclusivity(unchecked) private var ascent: String.Orders

  /// Up to this number of keys, a linear search costs less than hashing a key.
  private static let smallCount = 16

  /// The shape without keys. This reference keeps it shared, so it is never changed.
  static let empty = DictionaryShape()

  private init() {
    keys = []
    index = HashIndex()
    ascent = [.bytes, .codeUnits]
  }

  /// Creates a shape of keys in this order, or returns nil if a key repeats.
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
        let found = index.findOrInsert(position, hash: Self.hash(keys[position])) {
          keys[$0].hasSameBytes(as: keys[position])
        }
        if found != position { return nil }
      }
    }
  }

  /// Returns an unshared copy with room for a number of keys.
  func copy(capacity: Int) -> DictionaryShape {
    let copy = DictionaryShape()
    copy.keys.reserveCapacity(max(capacity, keys.count))
    copy.keys += keys
    (copy.index, copy.ascent) = (index, ascent)
    return copy
  }

  var capacity: Int { keys.capacity }
  func reserveCapacity(_ capacity: Int) { keys.reserveCapacity(capacity) }

  func position(of key: String) -> Int? {
    if !index.isEmpty { return index.find(hash: Self.hash(key)) { keys[$0].hasSameBytes(as: key) } }
    if keys.count <= Self.smallCount { return keys.firstIndex { $0.hasSameBytes(as: key) } }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle].precedesInBytes(key) { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low].hasSameBytes(as: key) ? low : nil
  }

  /// Returns the orders in which the keys still strictly ascend if a key is appended. If they
  /// ascend by bytes, the key is new.
  @inline(__always)
  func ascent(through key: String) -> String.Orders {
    if keys.isEmpty || ascent.isEmpty { return ascent }
    return ascent.intersection(keys[keys.count - 1].orders(before: key))
  }

  /// Appends a new key; ``ascent(through:)`` has returned its orders.
  @inline(__always)
  func append(_ key: String, _ orders: String.Orders) {
    if keys.count >= Self.smallCount, !orders.contains(.bytes) { indexNextKey(key) }
    ascent = orders
    keys.append(key)
  }

  func remove(at position: Int) {
    if keys.count - 1 <= Self.smallCount {
      index = HashIndex()
    } else if !index.isEmpty {
      index.remove(position, hash: Self.hash(keys[position]))
    }
    keys.remove(at: position)
  }

  /// Adds a key that is about to be appended to the index, building the index if there is none.
  private func indexNextKey(_ key: String) {
    if index.isEmpty {
      for position in keys.indices {
        index.insert(position, hash: Self.hash(keys[position]), capacity: keys.capacity)
      }
    }
    index.insert(keys.count, hash: Self.hash(key), capacity: keys.count + 1)
  }

  private static func hash(_ key: String) -> UInt32 { key.withBytes { ByteHash.hash32($0) } }

  /// Returns the positions of the keys sorted by UTF-16 code units, or nil if the keys are in that
  /// order already.
  func sortedPositions() -> [Int]? {
    if ascent.contains(.codeUnits) { return nil }
    let positions = KeySorter.sortedPositions(of: keys)
    return positions.elementsEqual(keys.indices) ? nil : positions
  }
}
