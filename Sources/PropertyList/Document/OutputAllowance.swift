/// The limit for the size of the text that is written for a value. Text repeats what a value
/// shares, and indents it: a binary property list of a few hundred bytes can describe a gigabyte of
/// text. So from some size on the text may be ``PlistLimits/maximumExpansion`` times as large as
/// the value is in binary, which is determined when that size is reached.
package struct OutputAllowance {
  private let root: PlistValue
  private let options: PlistWriteOptions
  /// The size that is allowed, as far as it has been determined.
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
    // Determined for twice the size, so that this happens seldom.
    let wanted = max(count, size) / factor * 2 + 1
    let binarySize = BinaryPlistWriter.size(of: root, upTo: wanted, options: options)
    let (product, overflowed) = binarySize.multipliedReportingOverflow(by: factor)
    size = min(max(overflowed ? .max : product, Self.freeSize), limits.maximumSize)
    if count > size { throw .expandsTooFar(limit: size, factor: factor) }
  }
}

extension PlistValue {
  /// The number of values that may always be visited one by one, however often they are shared.
  private static let freeNodeCount = 1 << 17

  /// Throws if visiting each occurrence of each value is out of proportion to what the value takes
  /// in binary, because it shares parts.
  package func checkExpansion() throws(PlistError) {
    let (size, nodeCount) = BinaryPlistWriter.extent(of: self)
    let (product, overflowed) = size.multipliedReportingOverflow(by: PlistLimits().maximumExpansion)
    let limit = max(overflowed ? .max : product, Self.freeNodeCount)
    if nodeCount > limit { throw PlistError(.tooManyNodes(limit: limit)) }
  }
}

extension PlistValue {
  /// About the number of bytes that the value takes in a binary property list.
  package var binarySize: Int { BinaryPlistWriter.extent(of: self).size }
}
