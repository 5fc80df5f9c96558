internal import FoundationEssentials

/// The location in memory of the values of a container that is not empty. As long as the values are
/// in memory, equal identities mean equal containers, without a comparison of the values.
struct ContainerIdentity: Hashable {
  private let address: UnsafeRawPointer
  private let count: Int
  private let isSet: Bool
  /// The keys of a dictionary.
  private let shape: ObjectIdentifier?

  /// Nil for leaves and empty containers.
  @inline(__always)
  init?(_ value: PlistValue) {
    switch value {
    case .dictionary(let dictionary): self.init(dictionary)
    case .array(let elements): self.init(elements, isSet: false)
    case .set(let elements): self.init(elements, isSet: true)
    default: return nil
    }
  }

  @inline(__always)
  init?(_ dictionary: PlistDictionary) {
    self.init(dictionary.contents, isSet: false, shape: ObjectIdentifier(dictionary.shape))
  }

  @inline(__always)
  init?(_ values: [PlistValue], isSet: Bool, shape: ObjectIdentifier? = nil) {
    let start = values.withUnsafeBufferPointer { $0.baseAddress }
    guard !values.isEmpty, let start else { return nil }
    address = UnsafeRawPointer(start)
    count = values.count
    (self.isSet, self.shape) = (isSet, shape)
  }

  /// A hash that takes a few instructions.
  @inline(__always)
  var hash32: UInt32 { withUnsafeBytes(of: address) { ByteHash.hash32($0) } }
}

/// The results of a function of containers. With it, traversing a value that shares its parts takes
/// a time that depends on its size in memory, not on how often the parts occur. The value must stay
/// in memory while the memo is used.
package struct ContainerMemo<Result> {
  private var results: [ContainerIdentity: Result] = [:]
  private var count = 0

  /// The number of containers that are traversed before results are kept: most values have fewer,
  /// and need no results.
  static var freeCount: Int { 4096 }

  package init() {}

  package func result(for container: PlistValue) -> Result? {
    if results.isEmpty { return nil }
    return ContainerIdentity(container).flatMap { results[$0] }
  }

  package mutating func insert(_ result: Result, for container: PlistValue) {
    guard let identity = ContainerIdentity(container) else { return }
    count += 1
    if count > Self.freeCount { results[identity] = result }
  }
}

/// The location in memory of the bytes of a long string or data. Equal identities mean equal
/// values, without a comparison of the bytes.
struct StorageIdentity: Hashable {
  private let address: UnsafeRawPointer?
  private let count: Int

  /// Up to this size in bytes, hashing a value costs less than finding its identity.
  private static let shortSize = 512

  /// Nil for values that are short, or that have no separate storage.
  @inline(__always)
  init?(_ value: PlistValue) {
    switch value {
    case .string(let string) where string.utf8.count > Self.shortSize: self.init(long: value)
    case .data(let data) where data.count > Self.shortSize: self.init(long: value)
    default: return nil
    }
  }

  @inline(never)
  private init?(long value: PlistValue) {
    let storage =
      switch value {
      case .string(let string): string.withBytes { ($0.baseAddress, $0.count) }
      case .data(let data): data.withUnsafeBytes { ($0.baseAddress, $0.count) }
      default: (nil as UnsafeRawPointer?, 0)
      }
    guard storage.1 > 0 else { return nil }
    (address, count) = storage
  }
}
