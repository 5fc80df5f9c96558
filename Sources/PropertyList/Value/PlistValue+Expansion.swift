extension PlistValue {
  /// The number of values that may always be visited one by one, however often they are shared.
  private static let freeNodeCount = 1 << 17

  /// Throws if visiting each occurrence of each value is out of proportion to what the value takes
  /// in binary, because it shares parts.
  package func checkExpansion() throws(PlistError) {
    let (size, nodeCount) = BinaryPlistWriter.extent(of: self)
    let (product, overflowed) = size.multipliedReportingOverflow(
      by: PlistLimits().maximumExpansion)
    let limit = max(overflowed ? .max : product, Self.freeNodeCount)
    if nodeCount > limit { throw PlistError(.tooManyNodes(limit: limit)) }
  }
}

extension PlistValue {
  /// About the number of bytes that the value takes in a binary property list.
  package var binarySize: Int { BinaryPlistWriter.extent(of: self).size }
}
