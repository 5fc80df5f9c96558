internal import FoundationEssentials

/// The number of values that may be decoded.
///
/// A binary document of a few hundred bytes can refer to the same values millions of times, and
/// types that are decoded share nothing. So from some number on, the number of values may be
/// ``PlistLimits/maximumExpansion`` times the size of the document in bytes.
struct DecodingAllowance {
  private let root: DecodingInput
  /// The number of values for each byte.
  private let factor: Int
  private var count = 0
  /// The number that is allowed, as far as it has been determined.
  private var limit = Self.freeCount

  /// The number of values that is always allowed.
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

  /// The debug description of errors for values that are not allowed.
  var errorDescription: String {
    "More than \(limit) values are decoded, over \(factor) times the number of "
      + "bytes in binary."
  }
}
