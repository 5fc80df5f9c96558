/// The keyed values of a property list, in document order, with keys compared by their bytes.
///
/// Composed and decomposed forms of a letter are different keys. A look-up costs a handful of
/// comparisons in a small dictionary, a binary search while the keys ascend, and one probe of an
/// index otherwise; the index is made by the change that first needs it, never by a look-up, so
/// reading one dictionary from several threads is safe and never builds anything.
public struct PlistDictionary: Sendable {
  /// One key and its value.
  public typealias Element = (key: String, value: PlistValue)

  private var entries: [Element]
  /// The positions by hash. Empty while the dictionary is small or its keys strictly ascend.
  private var index: HashIndex
  /// The orders in which the keys strictly ascend; by bytes, that makes a key above the last one new.
  private var ascent: String.Orders

  /// Up to here, comparing with every key costs less than hashing one.
  private static let smallCount = 16

  /// An empty dictionary.
  public init() {
    entries = []
    index = HashIndex()
    ascent = [.bytes, .codeUnits]
  }

  /// The entries in the given order; a repeated key keeps its first place and its last value.
  public init(_ elements: some Sequence<(String, PlistValue)>) {
    self.init()
    reserveCapacity(elements.underestimatedCount)
    for (key, value) in elements { updateValue(value, forKey: key) }
  }

  /// Makes room for that many entries.
  public mutating func reserveCapacity(_ capacity: Int) {
    entries.reserveCapacity(capacity)
  }

  /// The value of a key; setting nil removes the entry, a new key goes to the end.
  public subscript(key: String) -> PlistValue? {
    get { position(of: key).map { entries[$0].value } }
    set {
      if let newValue {
        updateValue(newValue, forKey: key)
      } else {
        removeValue(forKey: key)
      }
    }
  }

  /// Sets the value of a key, a new one at the end, and returns the value it had.
  @discardableResult
  public mutating func updateValue(_ value: PlistValue, forKey key: String) -> PlistValue? {
    if appendAscending(key, value) { return nil }
    if let position = position(of: key) {
      let old = entries[position].value
      entries[position].value = value
      return old
    }
    if entries.count >= Self.smallCount { indexNextKey(key) }
    ascent = ascent(through: key)
    entries.append((key, value))
    return nil
  }

  /// Appends an entry whose key comes after all others by its bytes, and says whether it does so.
  @inline(__always)
  mutating func appendAscending(_ key: String, _ value: PlistValue) -> Bool {
    let orders = ascent(through: key)
    guard orders.contains(.bytes) else { return false }
    ascent = orders
    entries.append((key, value))
    return true
  }

  /// Removes a key with its value and returns the value; later entries keep their order.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> PlistValue? {
    guard let position = position(of: key) else { return nil }
    if entries.count - 1 <= Self.smallCount {
      index = HashIndex()
    } else if !index.isEmpty {
      index.remove(position, hash: Self.hash(key))
    }
    return entries.remove(at: position).value
  }

  /// The keys in order.
  public var keys: some RandomAccessCollection<String> {
    entries.lazy.map(\.key)
  }

  /// The values in the keys' order.
  public var values: some RandomAccessCollection<PlistValue> {
    entries.lazy.map(\.value)
  }

  /// The key of the entry at a position.
  @inline(__always)
  func key(at position: Int) -> String { entries[position].key }

  /// The value of the entry at a position.
  @inline(__always)
  func value(at position: Int) -> PlistValue { entries[position].value }

  /// The positions of the entries in the order of their keys' UTF-16 code units; nil when the
  /// entries stand in that order already.
  func sortedPositions() -> [Int]? {
    if ascent.contains(.codeUnits) { return nil }
    var sorted = true
    for position in entries.indices.dropFirst()
    where entries[position].key.precedesInCodeUnits(entries[position - 1].key) {
      sorted = false
      break
    }
    if sorted { return nil }
    // Most keys are told apart by their first bytes, which are at hand here.
    return entries.indices
      .map { (prefix: entries[$0].key.codeUnitPrefix, position: $0) }
      .sorted { left, right in
        left.prefix != right.prefix
          ? left.prefix < right.prefix
          : entries[left.position].key.precedesInCodeUnits(entries[right.position].key)
      }
      .map(\.position)
  }

  /// Puts the entries in the order of their keys' UTF-16 code units, in which they are written.
  package mutating func sortKeys() {
    guard let positions = sortedPositions() else { return }
    self = PlistDictionary(positions.map { entries[$0] })
  }

  /// The keys in the order of their UTF-16 code units.
  package var sortedKeys: [String] {
    sortedPositions()?.map { entries[$0].key } ?? Array(keys)
  }

  /// The place of a key among the entries.
  private func position(of key: String) -> Int? {
    if !index.isEmpty {
      return index.number(hash: Self.hash(key)) { entries[$0].key.hasSameBytes(as: key) }
    }
    if entries.count <= Self.smallCount {
      return entries.firstIndex { $0.key.hasSameBytes(as: key) }
    }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key.precedesInBytes(key) { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].key.hasSameBytes(as: key) ? low : nil
  }

  /// The orders in which the keys ascend with one more at the end.
  @inline(__always)
  private func ascent(through key: String) -> String.Orders {
    if entries.isEmpty || ascent.isEmpty { return ascent }
    let orders = entries.withUnsafeBufferPointer { $0[$0.count - 1].key.orders(before: key) }
    return ascent.intersection(orders)
  }

  /// Enters a key that is about to be appended, making the index where there is none.
  private mutating func indexNextKey(_ key: String) {
    if index.isEmpty {
      for position in entries.indices {
        index.insert(position, hash: Self.hash(entries[position].key), count: entries.capacity)
      }
    }
    index.insert(entries.count, hash: Self.hash(key), count: entries.count + 1)
  }

  private static func hash(_ key: String) -> UInt32 {
    UInt32(truncatingIfNeeded: key.withBytes { ByteHash.hash($0) } >> 32)
  }
}

extension PlistDictionary: RandomAccessCollection {
  /// The position of the first entry.
  public var startIndex: Int { entries.startIndex }
  /// The position after the last entry.
  public var endIndex: Int { entries.endIndex }
  /// The entry at a position, in order.
  public subscript(position: Int) -> Element { entries[position] }
}

extension PlistDictionary: Hashable {
  /// Whether both hold equal values under the same keys, in any order.
  public static func == (left: PlistDictionary, right: PlistDictionary) -> Bool {
    guard left.count == right.count else { return false }
    for position in left.indices {
      let (key, value) = left.entries[position]
      if right.entries[position].key.hasSameBytes(as: key) {
        if right.entries[position].value != value { return false }
      } else {
        guard let other = right[key], other == value else { return false }
      }
    }
    return true
  }

  /// Feeds every entry so that the order does not matter.
  public func hash(into hasher: inout Hasher) {
    var combined = 0
    for (key, value) in entries {
      var entryHasher = hasher
      key.hashBytes(into: &entryHasher)
      entryHasher.combine(value)
      combined &+= entryHasher.finalize()
    }
    hasher.combine(count)
    hasher.combine(combined)
  }
}

extension PlistDictionary: ExpressibleByDictionaryLiteral {
  /// The entries in the literal's order; a repeated key keeps its first place and its last value.
  public init(dictionaryLiteral elements: (String, PlistValue)...) {
    self.init(elements)
  }
}
