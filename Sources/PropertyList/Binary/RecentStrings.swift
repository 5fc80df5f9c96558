/// The objects of some strings that have been written lately, so that a string that is often repeated
/// need not be encoded again to find its object.
///
/// A string is recognized by its representation: a short one wherever it is, a longer one if it
/// shares its storage. The strings must stay in memory.
struct RecentStrings {
  private struct Entry {
    var representation = "".representation
    /// The number of the object; nil if the entry is free.
    var object: UInt32?
  }

  /// An entry for each hash of a representation; empty until the first string is inserted.
  private var entries: [Entry] = []

  private static let hashBits = 8

  /// Returns the object of a string; nil if it is not known.
  @inline(__always)
  func object(of string: String) -> UInt32? {
    if entries.isEmpty { return nil }
    let representation = string.representation
    let entry = entries[Self.hash(representation)]
    return entry.representation == representation ? entry.object : nil
  }

  /// Inserts the object of a string, in place of one with the same hash.
  mutating func insert(_ object: UInt32, of string: String) {
    if entries.isEmpty { entries = Array(repeating: Entry(), count: 1 << Self.hashBits) }
    let representation = string.representation
    entries[Self.hash(representation)] = Entry(representation: representation, object: object)
  }

  @inline(__always)
  private static func hash(_ representation: SIMD2<UInt64>) -> Int {
    let product = (representation.x ^ representation.y) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> UInt64(64 - hashBits))
  }
}
