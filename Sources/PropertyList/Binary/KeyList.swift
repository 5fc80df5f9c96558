/// The keys of a dictionary in a binary property list, which may repeat.
struct KeyList {
  /// The distinct keys in the order of their first occurrence.
  let shape: DictionaryShape
  /// The position in the shape for each index in the file; nil if the keys are distinct, so that
  /// both are the same.
  private let positions: [Int]?

  init(_ keys: [String]) {
    if let shape = DictionaryShape(distinct: keys) {
      self.shape = shape
      positions = nil
    } else {
      var dictionary: PlistDictionary = [:]
      positions = keys.map { key in
        dictionary.updateValue(.null, forKey: key)
        return dictionary.shape.position(of: key)!
      }
      shape = dictionary.shape
    }
  }

  /// Returns the position in the shape of the key at an index in the file.
  @inline(__always)
  func position(of index: Int) -> Int { positions.map { $0[index] } ?? index }

  func key(at index: Int) -> String { shape.keys[position(of: index)] }

  /// The index in the file of the last occurrence of each key of the shape; empty if the keys are
  /// distinct.
  var lastIndices: [Int] {
    guard let positions else { return [] }
    var indices = Array(repeating: 0, count: shape.keys.count)
    for (index, position) in positions.enumerated() { indices[position] = index }
    return indices
  }
}

/// A direct-mapped cache of the key lists of recently read dictionaries, keyed by the bytes of
/// their references: dictionaries of one kind mostly refer to the same keys in the same order. It saves
/// 43 % of the instructions of reading the document of `make counts`.
struct KeyListCache {
  struct Entry {
    /// The keys; nil while a document is only validated.
    let keys: KeyList?
    /// The number of nodes that the keys count as.
    let nodeCount: Int
  }

  private struct Slot {
    /// The range of the references in the file.
    let references: Range<Int>
    let entry: Entry
  }

  private var slots = [Slot?](repeating: nil, count: 64)

  /// The size of the longest list of references that is cached, in bytes.
  private static let maximumSize = 4096

  func entry(at range: Range<Int>, in bytes: BinaryBytes) -> Entry? {
    guard range.count <= Self.maximumSize, let slot = slots[slotIndex(of: range, in: bytes)],
      slot.references.count == range.count,
      bytes[slot.references].hasSameBytes(as: bytes[range])
    else { return nil }
    return slot.entry
  }

  /// Caches the entry for the references in a range and evicts what its slot held.
  mutating func insert(_ entry: Entry, at range: Range<Int>, in bytes: BinaryBytes) {
    guard range.count <= Self.maximumSize else { return }
    slots[slotIndex(of: range, in: bytes)] = Slot(references: range, entry: entry)
  }

  private func slotIndex(of range: Range<Int>, in bytes: BinaryBytes) -> Int {
    Int(ByteHash.hash32(bytes[range])) & (slots.count - 1)
  }
}
