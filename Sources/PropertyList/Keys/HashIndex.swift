/// Finds the numbers of things, from zero on, by 32 bits of their hashes. Whether a thing is the one
/// that is sought, its owner says.
struct HashIndex: Sendable {
  /// Open addressing: in the upper half the hash, in the lower the number plus one; zero is a free
  /// slot. A power of two of them, at most two thirds of which are taken, or none at all.
  private var slots: [UInt64] = []

  /// Whether nothing was ever entered.
  var isEmpty: Bool { slots.isEmpty }

  /// The number with this hash that matches.
  @inline(__always)
  func number(hash: UInt32, where matches: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let slot = slots.withUnsafeBufferPointer { Self.slot(of: hash, in: $0, where: matches) }
    return slots[slot] == 0 ? nil : Self.number(slots[slot])
  }

  /// The slot of the number with a hash that matches, or the free one where it belongs.
  @inline(__always)
  private static func slot(
    of hash: UInt32, in slots: UnsafeBufferPointer<UInt64>, where matches: (Int) -> Bool
  ) -> Int {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while slots[slot] != 0 {
      if UInt32(truncatingIfNeeded: slots[slot] >> 32) == hash, matches(number(slots[slot])) {
        break
      }
      slot = (slot + 1) & mask
    }
    return slot
  }

  /// Makes room for that many numbers.
  mutating func reserve(_ count: Int) {
    if count * 3 > slots.count * 2 { grow(to: count) }
  }

  /// Enters a number, of which there is room for `count` at the least.
  mutating func insert(_ number: Int, hash: UInt32, count: Int) {
    reserve(count)
    insert(UInt64(hash) << 32 | UInt64(UInt32(number + 1)))
  }

  /// The number with this hash that matches, or a new one, which is entered.
  @inline(__always)
  mutating func number(hash: UInt32, orNew new: Int, where matches: (Int) -> Bool) -> Int {
    reserve(new + 1)
    return slots.withUnsafeMutableBufferPointer { slots in
      let slot = Self.slot(of: hash, in: UnsafeBufferPointer(slots), where: matches)
      if slots[slot] != 0 { return Self.number(slots[slot]) }
      slots[slot] = UInt64(hash) << 32 | UInt64(UInt32(new + 1))
      return new
    }
  }

  /// Takes out a number; those above it go down by one.
  mutating func remove(_ number: Int, hash: UInt32) {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while Self.number(slots[slot]) != number { slot = (slot + 1) & mask }
    slots[slot] = 0
    // Those that it had pushed aside are entered anew.
    slot = (slot + 1) & mask
    while slots[slot] != 0 {
      let moved = slots[slot]
      slots[slot] = 0
      insert(moved)
      slot = (slot + 1) & mask
    }
    for slot in slots.indices where Self.number(slots[slot]) > number { slots[slot] -= 1 }
  }

  private static func number(_ content: UInt64) -> Int {
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
