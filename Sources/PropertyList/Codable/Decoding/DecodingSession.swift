internal import FoundationEssentials

/// The state that all decoders of one call share.
final class DecodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  private let readsNullText: Bool
  private var depth: CodingDepth
  private var allowance: DecodingAllowance
  /// The lookups of the shapes of dictionaries in memory.
  private var lookups: [KeyLookup] = []
  private var lookupIndex = HashIndex()

  init(
    of root: DecodingInput, userInfo: [CodingUserInfoKey: any Sendable], limits: PlistLimits,
    readsNullText: Bool
  ) {
    allowance = DecodingAllowance(for: root, limits: limits)
    (self.userInfo, self.readsNullText) = (userInfo, readsNullText)
    depth = CodingDepth(limits: limits)
  }

  func isNil(_ value: PlistValue) -> Bool {
    switch value {
    case .null: true
    case .string(let text): readsNullText && text.hasSameBytes(as: "$null")
    default: false
    }
  }

  func keyLookup(for shape: DictionaryShape) -> KeyLookup {
    // The low bits of an address are zero by its alignment.
    let hash = UInt32(truncatingIfNeeded: Int(bitPattern: ObjectIdentifier(shape)) >> 4)
    let index = lookupIndex.findOrInsert(lookups.count, hash: hash) { lookups[$0].hasShape(shape) }
    if index < lookups.count {
      lookups[index].markShared()
    } else {
      lookups.append(KeyLookup(shape))
    }
    return lookups[index]
  }

  /// Throws if a container is nested too deeply, or so many values have been decoded that they are
  /// out of proportion to the document.
  func checkContainer(of count: Int, atDepth depth: Int, _ path: CodingPath) throws(DecodingError) {
    if depth >= self.depth.limit { throw .corrupted(at: path, self.depth.errorDescription) }
    guard allowance.take(count) else { throw .corrupted(at: path, allowance.errorDescription) }
  }

  /// Counts a nested value; unless it throws, ``leave()`` must follow.
  func enter(at path: CodingPath) throws(DecodingError) {
    guard depth.enter() else { throw .corrupted(at: path, depth.errorDescription) }
  }

  func leave() { depth.leave() }
}

/// The number of values that may be decoded. A binary document of a few hundred bytes can refer to
/// the same values millions of times, and types that are decoded share nothing. So from some number
/// on, the number of values may be ``PlistLimits/maximumExpansion`` times the size of the document
/// in bytes.
private struct DecodingAllowance {
  private let root: DecodingInput
  /// The number of values for each byte.
  private let factor: Int
  private var count = 0
  /// The number that is allowed, as far as it has been determined.
  private var limit = Self.freeCount

  private static let freeCount = 1 << 17

  init(for root: DecodingInput, limits: PlistLimits) {
    self.root = root
    factor = max(limits.maximumExpansion, 1)
  }

  /// Counts values that are about to be decoded, and returns whether they are allowed.
  @inline(__always)
  mutating func take(_ more: Int) -> Bool {
    count += more
    return count <= limit || extend()
  }

  @inline(never)
  private mutating func extend() -> Bool {
    let size: Int
    switch root {
    case .encoded(let container): size = container.document.size
    case .value(let value):
      // Determined for twice the count, so that this happens seldom.
      let wanted = count / factor * 2 + 1
      size = BinaryPlistWriter.size(of: value, upTo: wanted, options: PlistWriteOptions())
    }
    let (product, overflowed) = size.multipliedReportingOverflow(by: factor)
    limit = max(overflowed ? .max : product, Self.freeCount)
    return count <= limit
  }

  var errorDescription: String {
    "More than \(limit) values are decoded, over \(factor) times the number of "
      + "bytes in binary."
  }
}
