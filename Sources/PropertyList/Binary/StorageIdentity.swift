internal import FoundationEssentials

/// The location in memory of the bytes of a long string or data. Equal identities mean equal
/// values, without a comparison of the bytes.
struct StorageIdentity: Hashable {
  private let address: UnsafeRawPointer?
  private let count: Int

  /// The size in bytes up to which hashing a value costs less than finding its identity.
  private static let shortSize = 512

  /// Nil for values that are short or have no storage of their own.
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
