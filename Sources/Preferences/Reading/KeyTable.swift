internal import Glibc
internal import PropertyList

/// The bytes of a key and their hash, for the duration of a lookup.
struct KeyBytes {
  let bytes: UnsafeRawBufferPointer
  let hash: UInt32

  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, seed: UInt64) {
    self.bytes = bytes
    hash = ByteHash.hash32(bytes, seed: seed)
  }
}

extension String {
  /// - Parameter seed: The hash seed of the process, for callers that already have it.
  @inline(__always)
  func withKeyBytes<Result>(
    seed: UInt64 = ByteHash.seed, _ body: (KeyBytes) -> Result
  ) -> Result {
    let result = utf8.withContiguousStorageIfAvailable { bytes in
      body(KeyBytes(UnsafeRawBufferPointer(bytes), seed: seed))
    }
    return result ?? Array(utf8).withUnsafeBytes { body(KeyBytes($0, seed: seed)) }
  }
}

/// A hash table of values by key with open addressing. Lookups compare bytes and count no
/// references: threads that read the same table would contend for the cache lines of reference
/// counts.
///
/// Keys are equal if their bytes are. An entry without a value is a removed key. Entries keep their
/// order of insertion.
struct KeyTable: ~Copyable {
  /// Entries are small, because a server has many. Offsets reach twice as far as the size of the
  /// largest file that is read.
  private struct Entry {
    var hash: UInt32
    var offset: UInt32
    var length: UInt32
    var value: PlistValue?
  }

  private var entries: UnsafeMutablePointer<Entry>
  /// The number of entries, including those without a value.
  private(set) var count = 0
  private var capacity: Int
  /// Positions of entries plus one, by hash; zero marks a free slot. At most half of the slots are
  /// used.
  private var slots: UnsafeMutablePointer<UInt32>
  /// The number of slots, a power of two, minus one.
  private var mask: Int
  /// The bytes of all keys, concatenated.
  private var bytes: UnsafeMutableRawPointer
  private var byteCount = 0
  private var byteCapacity: Int

  init(capacity: Int = 0, keyBytes: Int = 0) {
    self.capacity = capacity
    byteCapacity = keyBytes
    entries = capacity == 0 ? Self.none.entries : .allocate(capacity: capacity)
    bytes = keyBytes == 0 ? Self.none.bytes : .allocate(byteCount: keyBytes, alignment: 8)
    let slotCount = capacity == 0 ? 1 : Self.slotCount(for: capacity)
    mask = slotCount - 1
    slots = capacity == 0 ? Self.none.slots : .allocate(capacity: slotCount)
    if capacity > 0 { slots.initialize(repeating: 0, count: slotCount) }
  }

  /// Memory shared by all tables without entries, because most stay empty: no entries, and one free
  /// slot.
  private struct NoEntries: @unchecked Sendable {
    // Sendable because it is never written after initialization.
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    init() { slots.initialize(to: 0) }
  }

  private static let none = NoEntries()

  /// Leaves room for a few more entries.
  init(_ values: PlistDictionary) {
    let keyBytes = values.keys.reduce(0) { $0 + $1.utf8.count }
    let room = 4 + values.count / 8
    self.init(
      capacity: values.isEmpty ? 0 : values.count + room,
      keyBytes: values.isEmpty ? 0 : keyBytes + room * 32)
    let seed = ByteHash.seed
    for (key, value) in values {
      key.withKeyBytes(seed: seed) { key in
        // The keys of a dictionary are distinct.
        append(value, forKey: key, at: freeSlot(key.hash))
      }
    }
  }

  deinit {
    entries.deinitialize(count: count)
    if capacity > 0 {
      entries.deallocate()
      slots.deallocate()
    }
    if byteCapacity > 0 { bytes.deallocate() }
  }

  /// Finds the value of a key's entry. The pointer is valid until the table changes.
  @inline(__always)
  func find(_ key: KeyBytes) -> UnsafePointer<PlistValue?>? {
    guard count > 0 else { return nil }
    let position = slots[slot(of: key)]
    guard position != 0 else { return nil }
    return UnsafePointer(
      UnsafeRawPointer(entries + Int(position) - 1).advanced(by: Self.valueOffset)
        .assumingMemoryBound(to: PlistValue?.self))
  }

  private static var valueOffset: Int { MemoryLayout<Entry>.offset(of: \.value)! }

  /// Sets a value, nil for a removal, and returns the previous one.
  @discardableResult
  mutating func set(_ value: PlistValue?, forKey key: KeyBytes) -> PlistValue? {
    let slot = slot(of: key)
    if slots[slot] == 0 {
      append(value, forKey: key, at: slot)
      return nil
    }
    return exchange(&entries[Int(slots[slot]) - 1].value, with: value)
  }

  /// Visits all entries in order.
  func forEach(_ body: (_ key: String, _ value: PlistValue?) -> Void) {
    for position in 0..<count { body(key(at: position), entries[position].value) }
  }

  /// Whether a number of further entries, with keys of 32 bytes on average, fit without growing.
  func hasRoom(for more: Int) -> Bool {
    count + more <= capacity && byteCount + more * 32 <= byteCapacity
  }

  private func key(at position: Int) -> String {
    let entry = entries[position]
    return String(
      decoding: UnsafeRawBufferPointer(
        start: bytes + Int(entry.offset), count: Int(entry.length)),
      as: UTF8.self)
  }

  /// The key's slot, or the free slot where it belongs.
  @inline(__always)
  private func slot(of key: KeyBytes) -> Int {
    var slot = Int(key.hash) & mask
    while slots[slot] != 0 {
      let entry = entries + Int(slots[slot]) - 1
      if entry.pointee.hash == key.hash, Int(entry.pointee.length) == key.bytes.count,
        key.bytes.count == 0
          || memcmp(
            bytes + Int(entry.pointee.offset), key.bytes.baseAddress!, key.bytes.count) == 0
      {
        break
      }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private func freeSlot(_ hash: UInt32) -> Int {
    var slot = Int(hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func append(_ value: PlistValue?, forKey key: KeyBytes, at slot: Int) {
    var slot = slot
    if count == capacity {
      grow()
      slot = freeSlot(key.hash)
    }
    if byteCount + key.bytes.count > byteCapacity { growBytes(by: key.bytes.count) }
    if let start = key.bytes.baseAddress {
      (bytes + byteCount).copyMemory(from: start, byteCount: key.bytes.count)
    }
    (entries + count).initialize(
      to: Entry(
        hash: key.hash, offset: UInt32(byteCount), length: UInt32(key.bytes.count), value: value))
    byteCount += key.bytes.count
    count += 1
    slots[slot] = UInt32(count)
  }

  private static func slotCount(for capacity: Int) -> Int {
    var count = 8
    while count < capacity * 2 { count *= 2 }
    return count
  }

  private mutating func grow() {
    let newCapacity = max(8, capacity * 2)
    let newEntries = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
    newEntries.moveInitialize(from: entries, count: count)
    if capacity > 0 {
      entries.deallocate()
      slots.deallocate()
    }
    entries = newEntries
    capacity = newCapacity
    let slotCount = Self.slotCount(for: newCapacity)
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    mask = slotCount - 1
    for position in 0..<count {
      slots[freeSlot(entries[position].hash)] = UInt32(position + 1)
    }
  }

  private mutating func growBytes(by more: Int) {
    let newCapacity = max(64, byteCapacity * 2, byteCount + more)
    let newBytes = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: 8)
    newBytes.copyMemory(from: bytes, byteCount: byteCount)
    if byteCapacity > 0 { bytes.deallocate() }
    bytes = newBytes
    byteCapacity = newCapacity
  }
}

/// A key that is looked up often, with its bytes and their hash.
package final class PreparedKey: @unchecked Sendable {
  // Sendable because it is immutable, including the memory that its bytes point to.

  package let name: String
  /// Valid as long as the object.
  let bytes: KeyBytes

  package init(_ name: String) {
    self.name = name
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: name.utf8.count, alignment: 8)
    copy.copyBytes(from: name.utf8)
    bytes = KeyBytes(UnsafeRawBufferPointer(copy), seed: ByteHash.seed)
  }

  deinit { bytes.bytes.deallocate() }
}
