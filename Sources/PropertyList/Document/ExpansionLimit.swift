/// The limit for the size of the text that is written for a value. Text repeats what a value
/// shares, and indents it: a binary property list of a few hundred bytes can describe a gigabyte of
/// text. Beyond a certain size, the text may be at most ``PlistLimits/maximumExpansion`` times as
/// large as the value in binary. The binary size is determined only when the text has reached that
/// size.
package struct ExpansionLimit {
  private let root: PlistValue
  private let options: PlistWriteOptions
  /// The size that is known to be allowed.
  private var size: Int

  package static let freeSize = 16 << 20

  package init(for root: PlistValue, options: PlistWriteOptions = PlistWriteOptions()) {
    (self.root, self.options) = (root, options)
    size = min(Self.freeSize, options.limits.maximumSize)
  }

  /// Throws if the text is larger than is allowed.
  @inline(__always)
  package mutating func check(_ count: Int) throws(PlistError.Kind) {
    if count > size { try extend(to: count) }
  }

  @inline(never)
  private mutating func extend(to count: Int) throws(PlistError.Kind) {
    let limits = options.limits
    if count > limits.maximumSize { throw .tooLarge(limit: limits.maximumSize) }
    let factor = max(limits.maximumExpansion, 1)
    // The limit is determined for twice the size, so that this happens rarely.
    let wanted = max(count, size) / factor * 2 + 1
    let binarySize = BinaryPlistWriter.size(of: root, upTo: wanted, options: options)
    size = min(max(binarySize.times(factor), Self.freeSize), limits.maximumSize)
    if count > size { throw .expandsTooFar(limit: size, factor: factor) }
  }
}

extension Int {
  /// The product, or the largest integer if it is larger.
  fileprivate func times(_ factor: Int) -> Int {
    let (product, overflowed) = multipliedReportingOverflow(by: factor)
    return overflowed ? .max : product
  }
}

extension PlistValue {
  /// The number of values that may always be visited or decoded one by one, however often they are shared.
  fileprivate static let freeNodeCount = 1 << 17

  /// Throws if the value shares so many parts that visiting each occurrence would take far longer
  /// than its binary size suggests, or if it is nested too deeply for the stack.
  package func checkExpansion() throws(PlistError) {
    let extent = BinaryPlistWriter.extent(of: self)
    let limits = PlistLimits()
    if extent.isTooDeep { throw PlistError(.tooDeep(limit: limits.maximumDepth)) }
    let limit = max(extent.size.times(limits.maximumExpansion), Self.freeNodeCount)
    if extent.nodeCount > limit { throw PlistError(.tooManyNodes(limit: limit)) }
  }

  /// The approximate size of the value in a binary property list, in bytes.
  package var binarySize: Int { BinaryPlistWriter.extent(of: self).size }
}

/// The number of values that may be decoded. A binary document of a few hundred bytes can refer to
/// the same values millions of times, and decoded types do not share anything. Beyond a certain
/// number, the number of values may be at most ``PlistLimits/maximumExpansion`` times the size of
/// the document in bytes.
struct DecodingAllowance {
  private let root: PlistValue
  /// The number of bytes of a binary document; nil for other values.
  private let size: Int?
  /// The number of values for each byte.
  private let factor: Int
  private var count = 0
  /// The number that is known to be allowed.
  private var limit = PlistValue.freeNodeCount

  init(for root: PlistValue, size: Int?, limits: PlistLimits) {
    (self.root, self.size) = (root, size)
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
    // The limit is determined for twice the count, so that this happens rarely.
    let wanted = count / factor * 2 + 1
    let size =
      size ?? BinaryPlistWriter.size(of: root, upTo: wanted, options: PlistWriteOptions())
    limit = max(size.times(factor), PlistValue.freeNodeCount)
    return count <= limit
  }

  var errorDescription: String {
    "More than \(limit) values are decoded, over \(factor) times the number of "
      + "bytes in binary."
  }
}
