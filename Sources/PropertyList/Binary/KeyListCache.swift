/// The keys of dictionaries that were read not long ago, found by the references that the file has to
/// them: dictionaries of one kind mostly refer to the same keys in the same order.
struct BinaryShapes {
  private struct Entry {
    /// The references.
    let range: Range<Int>
    let keys: BinaryKeys?
    let nodes: Int
  }

  /// Each at the place that the hash of its references gives it.
  private var entries = [Entry?](repeating: nil, count: 64)

  /// Keys of more references are not kept.
  private static let longestRange = 4096

  /// The keys that the references in a range lead to, and their nodes; nil where they are not kept.
  func keys(
    at range: Range<Int>, in bytes: BinaryBytes
  ) -> (keys: BinaryKeys?, nodes: Int)? {
    guard range.count <= Self.longestRange, let entry = entries[place(of: range, in: bytes)],
      entry.range.count == range.count, bytes[entry.range].hasSameBytes(as: bytes[range])
    else { return nil }
    return (entry.keys, entry.nodes)
  }

  /// Keeps keys with their nodes, in the place of others.
  mutating func keep(
    _ known: (keys: BinaryKeys?, nodes: Int), at range: Range<Int>, in bytes: BinaryBytes
  ) {
    guard range.count <= Self.longestRange else { return }
    entries[place(of: range, in: bytes)] = Entry(
      range: range, keys: known.keys, nodes: known.nodes)
  }

  private func place(of range: Range<Int>, in bytes: BinaryBytes) -> Int {
    Int(truncatingIfNeeded: ByteHash.hash(bytes[range]) >> 32) & (entries.count - 1)
  }
}
