/// A hash table from 32-bit hashes to the indices of elements that are stored elsewhere. The owner
/// of the elements compares them.
///
/// With standard dictionaries instead, writing the binary of `make counts` takes 141 % more
/// instructions, and reading a binary dictionary with 10,000 keys in random order 28 %.
struct HashIndex: Sendable {
  /// The slots of a table with open addressing and linear probing: the hash in the upper half, the
  /// index plus one in the lower; zero is a free slot. Their number is zero or a power of two, and
  /// at most two thirds are occupied.
  private var slots: [UInt64] = []

  /// Whether the table has never had an element.
  var isEmpty: Bool { slots.isEmpty }

  @inline(__always)
  func find(hash: UInt32, where matches: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let slot = slots.withUnsafeBufferPointer { Self.slot(of: hash, in: $0, where: matches) }
    return slots[slot] == 0 ? nil : Self.index(slots[slot])
  }

  /// Returns the slot of the element with a hash that matches, or the free slot where it belongs.
  @inline(__always)
  private static func slot(
    of hash: UInt32, in slots: UnsafeBufferPointer<UInt64>, where matches: (Int) -> Bool
  ) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      if UInt32(truncatingIfNeeded: slots[slot] >> 32) == hash, matches(index(slots[slot])) {
        break
      }
      slot = (slot + 1) & mask
    }
    return slot
  }

  mutating func reserve(_ count: Int) {
    if count * 3 > slots.count * 2 { grow(to: count) }
  }

  /// Inserts the index of a new element, with room for at least a number of elements.
  mutating func insert(_ index: Int, hash: UInt32, capacity: Int) {
    reserve(capacity)
    insert(UInt64(hash) << 32 | UInt64(UInt32(index + 1)))
  }

  /// Returns the index of the element with a hash that matches, or inserts a new index and returns
  /// it.
  @inline(__always)
  mutating func findOrInsert(_ new: Int, hash: UInt32, where matches: (Int) -> Bool) -> Int {
    reserve(new + 1)
    return slots.withUnsafeMutableBufferPointer { slots in
      let slot = Self.slot(of: hash, in: UnsafeBufferPointer(slots), where: matches)
      if slots[slot] != 0 { return Self.index(slots[slot]) }
      slots[slot] = UInt64(hash) << 32 | UInt64(UInt32(new + 1))
      return new
    }
  }

  /// Removes an index and decreases all higher ones by one.
  mutating func remove(_ index: Int, hash: UInt32) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while Self.index(slots[slot]) != index { slot = (slot + 1) & mask }
    slots[slot] = 0
    // Reinsert the elements that it may have displaced.
    slot = (slot + 1) & mask
    while slots[slot] != 0 {
      let displaced = slots[slot]
      slots[slot] = 0
      insert(displaced)
      slot = (slot + 1) & mask
    }
    for slot in slots.indices where Self.index(slots[slot]) > index { slots[slot] -= 1 }
  }

  private static func index(_ content: UInt64) -> Int {
    Int(UInt32(truncatingIfNeeded: content)) - 1
  }

  private mutating func insert(_ content: UInt64) {
    let mask = slots.count - 1
    var slot = Int(content >> 32) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = content
  }

  private mutating func grow(to count: Int) {
    var size = 64
    while size < count * 2 { size *= 2 }
    let old = slots
    slots = Array(repeating: 0, count: size)
    for content in old where content != 0 { insert(content) }
  }
}
