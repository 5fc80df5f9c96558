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
  /// Positions plus one by hash, open addressing; zero is a free slot. Empty while the dictionary is
  /// small or its keys strictly ascend.
  private var slots: [UInt32]
  /// Whether the keys strictly ascend by their bytes, which makes a key above the last one new.
  private var ascends: Bool

  /// Up to here, comparing with every key costs less than hashing one.
  private static let smallCount = 16

  /// An empty dictionary.
  public init() {
    entries = []
    slots = []
    ascends = true
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
    if let last = entries.last, !(ascends && last.key.precedesInBytes(key)) {
      if let position = position(of: key) {
        let old = entries[position].value
        entries[position].value = value
        return old
      }
      ascends = false
      if entries.count >= Self.smallCount { indexNextKey(key) }
    }
    entries.append((key, value))
    return nil
  }

  /// Removes a key with its value and returns the value; later entries keep their order.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> PlistValue? {
    guard let position = position(of: key) else { return nil }
    if !slots.isEmpty { removeFromIndex(key, at: position) }
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

  /// The positions of the entries in the order of their keys' UTF-16 code units; nil when the
  /// entries stand in that order already.
  func sortedPositions() -> [Int]? {
    var sorted = true
    for position in entries.indices.dropFirst()
    where entries[position].key.precedesInCodeUnits(entries[position - 1].key) {
      sorted = false
      break
    }
    if sorted { return nil }
    return entries.indices.sorted { entries[$0].key.precedesInCodeUnits(entries[$1].key) }
  }

  /// The keys in the order of their UTF-16 code units.
  package var sortedKeys: [String] {
    sortedPositions()?.map { entries[$0].key } ?? Array(keys)
  }

  /// The place of a key among the entries.
  private func position(of key: String) -> Int? {
    if !slots.isEmpty {
      let slot = slot(of: key)
      return slots[slot] == 0 ? nil : Int(slots[slot]) - 1
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

  /// The slot that holds a key, or the free one where it belongs.
  private func slot(of key: String) -> Int {
    let mask = slots.count - 1
    var hasher = Hasher()
    key.hashBytes(into: &hasher)
    var slot = hasher.finalize() & mask
    while slots[slot] != 0, !entries[Int(slots[slot]) - 1].key.hasSameBytes(as: key) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// Enters a key that is about to be appended, making or enlarging the index where it has to be.
  private mutating func indexNextKey(_ key: String) {
    if slots.isEmpty || (entries.count + 1) * 2 > slots.count {
      buildIndex(capacity: entries.count * 2)
    }
    slots[slot(of: key)] = UInt32(entries.count + 1)
  }

  /// Takes a key out of the index before its entry goes: entries behind it move down by one, and
  /// those that its slot had pushed aside are entered anew.
  private mutating func removeFromIndex(_ key: String, at position: Int) {
    if entries.count - 1 <= Self.smallCount {
      slots = []
      return
    }
    let mask = slots.count - 1
    var slot = slot(of: key)
    slots[slot] = 0
    slot = (slot + 1) & mask
    while slots[slot] != 0 {
      let moved = slots[slot]
      slots[slot] = 0
      slots[self.slot(of: entries[Int(moved) - 1].key)] = moved
      slot = (slot + 1) & mask
    }
    for slot in slots.indices where slots[slot] > position + 1 { slots[slot] -= 1 }
  }

  /// Indexes all entries, with room for `capacity` of them at most half full.
  private mutating func buildIndex(capacity: Int) {
    var size = 64
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for position in entries.indices {
      slots[slot(of: entries[position].key)] = UInt32(position + 1)
    }
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
