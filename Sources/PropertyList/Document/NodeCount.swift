internal import FoundationEssentials

/// The count that ``PlistLimits/maximumNodeCount`` limits.
///
/// Each value counts once, and a string, key or data once more for every 64 bytes, so that a long
/// one that is shared counts for its size when written out.
struct NodeCount {
  private let limit: Int
  private(set) var count = 0

  init(limits: PlistLimits) {
    limit = limits.maximumNodeCount
  }

  /// Counts a value without its contents.
  @inline(__always)
  mutating func add(_ value: PlistValue) throws(PlistError.Kind) {
    try add(Self.count(of: value))
  }

  /// Counts a container without its contents.
  @inline(__always)
  mutating func addContainer() throws(PlistError.Kind) {
    try add(1)
  }

  /// Counts a key in addition to its value.
  @inline(__always)
  mutating func add(key: String) throws(PlistError.Kind) {
    try add(Self.count(ofKey: key))
  }

  /// Adds to the count.
  @inline(__always)
  mutating func add(_ more: Int) throws(PlistError.Kind) {
    count += more
    if count > limit { throw .tooManyNodes(limit: limit) }
  }

  /// The count of a value without its contents.
  @inline(__always)
  static func count(of value: PlistValue) -> Int {
    switch value {
    case .string(let string): 1 + string.utf8.count / 64
    case .data(let data): 1 + data.count / 64
    default: 1
    }
  }

  /// The count of a key in addition to its value.
  @inline(__always)
  static func count(ofKey key: String) -> Int { count(ofKeyBytes: key.utf8.count) }

  /// The count of a key of a given length in addition to its value.
  @inline(__always)
  static func count(ofKeyBytes count: Int) -> Int { count / 64 }
}
