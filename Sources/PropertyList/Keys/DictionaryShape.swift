/// The keys of a dictionary in order, with an index to find them.
///
/// Dictionaries with the same keys in the same order share a shape, as objects share a hidden class
/// in JavaScript engines: most documents have many such dictionaries, and a shared shape saves the
/// memory and the time for the keys of all but the first.
///
/// It is `@unchecked Sendable`, and exclusivity is not checked, because it is copy-on-write: only a
/// dictionary with the only reference to a shape changes it.
final class DictionaryShape: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var keys: [String]
  /// The positions by hash; empty while there are few keys or they strictly ascend by bytes.
  @exclusivity(unchecked) private var index: HashIndex
  /// The orders in which the keys strictly ascend. If they do by bytes, a key above the last one is
  /// new.
  @exclusivity(unchecked) private var ascent: String.Orders

  /// The number of keys up to which a linear search costs less than hashing a key.
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

  private init(_ other: DictionaryShape, capacity: Int) {
    keys = []
    keys.reserveCapacity(capacity)
    keys += other.keys
    index = other.index
    ascent = other.ascent
  }

  /// Returns an unshared copy with room for a number of keys.
  func copy(capacity: Int) -> DictionaryShape {
    DictionaryShape(self, capacity: max(capacity, keys.count))
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

  /// Returns the orders in which the keys strictly ascend if a key is appended. If they do by
  /// bytes, the key is new.
  @inline(__always)
  func ascent(through key: String) -> String.Orders {
    if keys.isEmpty || ascent.isEmpty { return ascent }
    return ascent.intersection(keys[keys.count - 1].orders(before: key))
  }

  /// Appends a new key, for which ``ascent(through:)`` has returned the orders.
  @inline(__always)
  func append(_ key: String, _ orders: String.Orders) {
    if keys.count >= Self.smallCount, !orders.contains(.bytes) { indexNextKey(key) }
    ascent = orders
    keys.append(key)
  }

  /// Removes the key at a position; the positions of later keys decrease by one.
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

/// Sorts distinct keys by their UTF-16 code units. The keys are sorted by their first seven bytes,
/// those that are equal so far by the next seven, and so on. They are copied to one buffer before,
/// so that no string is looked at twice.
struct KeySorter: ~Copyable {
  /// A key with a number of the bytes that are compared.
  private struct Entry {
    var word: UInt64
    let position: Int
  }

  /// The bytes of all keys, and some more.
  private var bytes: OutputBuffer
  /// Where the bytes of each key begin, and where those of the last one end.
  private var starts: [Int]
  private var entries: [Entry] = []
  private var scratch: [Entry] = []
  /// The entries whose keys are equal in a number of bytes at their beginning.
  private var runs: [(range: Range<Int>, length: Int)] = []

  /// The number of bytes of a key that a word holds. The lowest byte of the word is the number of
  /// bytes that the key has from there on, at most one more than this.
  private static let wordLength = 7
  /// The number of entries from which they are distributed byte by byte.
  private static let largeCount = 128

  private init(_ keys: [String]) {
    bytes = OutputBuffer(capacity: keys.reduce(8) { $0 + $1.utf8.count })
    starts = [0]
    starts.reserveCapacity(keys.count + 1)
    for key in keys {
      bytes.append(key)
      starts.append(bytes.count)
    }
    // A word is also loaded from the last byte.
    bytes.append(repeating: 0, count: 8)
  }

  static func sortedPositions(of keys: [String]) -> [Int] {
    var sorter = KeySorter(keys)
    return sorter.sort()
  }

  private mutating func sort() -> [Int] {
    let count = starts.count - 1
    entries = (0..<count).map { Entry(word: word(ofKeyAt: $0, after: 0), position: $0) }
    sort(0..<count, length: 0)
    while let (range, length) = runs.popLast() {
      for index in range {
        entries[index].word = word(ofKeyAt: entries[index].position, after: length)
      }
      sort(range, length: length)
    }
    return entries.map(\.position)
  }

  /// Returns a number of the bytes of a key after its first ones. Of two keys that are equal up to
  /// there, that with the lower number comes first; both go on if the numbers are equal.
  @inline(__always)
  private func word(ofKeyAt position: Int, after length: Int) -> UInt64 {
    let start = starts[position] + length
    let rest = min(starts[position + 1] - start, Self.wordLength + 1)
    precondition(start + 8 <= bytes.count)
    let loaded = UInt64(bigEndian: bytes.bytes.word(at: start).littleEndian)
    let kept = loaded & ~0 << UInt64(64 - 8 * min(rest, Self.wordLength))
    return kept.codeUnitRanks | UInt64(rest)
  }

  /// Sorts entries by their words, and notes which of them are to be sorted further.
  ///
  /// - Parameter length: The number of bytes in which their keys are equal.
  private mutating func sort(_ range: Range<Int>, length: Int) {
    if range.count < Self.largeCount {
      entries.withUnsafeMutableBufferPointer { $0[range].sort { $0.word < $1.word } }
    } else {
      if scratch.isEmpty { scratch = entries }
      Self.distribute(range, of: &entries, by: &scratch)
    }
    var start = range.lowerBound
    while start < range.upperBound {
      let word = entries[start].word
      var end = start + 1
      while end < range.upperBound, entries[end].word == word { end += 1 }
      if end - start > 1 { runs.append((start..<end, length + Self.wordLength)) }
      start = end
    }
  }

  /// Sorts many entries by their words, from the lowest byte that differs to the highest. In
  /// `make bench`, writing XML with unsorted keys took 55 instead of 70 milliseconds, and the
  /// document of languages 24 instead of 34.
  private static func distribute(
    _ range: Range<Int>, of entries: inout [Entry], by scratch: inout [Entry]
  ) {
    var source = entries.mutableSpan
    var target = scratch.mutableSpan
    let first = source[range.lowerBound].word
    var differences: UInt64 = 0
    for index in range { differences |= source[index].word ^ first }
    var isInScratch = false
    for shift in stride(from: UInt64(0), to: 64, by: 8) where differences >> shift & 0xFF != 0 {
      if isInScratch {
        distribute(range, of: target, to: &source, by: shift)
      } else {
        distribute(range, of: source, to: &target, by: shift)
      }
      isInScratch.toggle()
    }
    if isInScratch { for index in range { source[index] = target[index] } }
  }

  /// Copies entries in the order of one byte of their words.
  private static func distribute(
    _ range: Range<Int>, of source: borrowing MutableSpan<Entry>,
    to target: inout MutableSpan<Entry>, by shift: UInt64
  ) {
    var ends = InlineArray<256, Int>(repeating: 0)
    for index in range { ends[Int(source[index].word >> shift & 0xFF)] += 1 }
    var end = range.lowerBound
    for byte in 0..<256 {
      end += ends[byte]
      ends[byte] = end
    }
    for index in range.reversed() {
      let byte = Int(source[index].word >> shift & 0xFF)
      ends[byte] -= 1
      target[ends[byte]] = source[index]
    }
  }
}

extension UInt64 {
  /// The word with bytes that are ordered like the code units of UTF-16: EE and EF, with which
  /// U+E000 to U+FFFF begin, come after all others.
  @inline(__always)
  fileprivate var codeUnitRanks: UInt64 {
    if self & Self.highBits == 0 { return self }
    // The lowest bit is that in which EE and EF differ.
    let others = (self ^ 0xEEEE_EEEE_EEEE_EEEE) & 0xFEFE_FEFE_FEFE_FEFE
    let matches = ~((others & ~Self.highBits) &+ ~Self.highBits | others | ~Self.highBits)
    return self &+ matches >> 3
  }
}
