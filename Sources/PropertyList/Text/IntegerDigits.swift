/// The number of an integer's digits so far, whose overflow is checked at the end.
struct IntegerDigits {
  private var magnitude: UInt64 = 0
  private var hasOverflowed = false

  /// Appends a digit of the given base.
  @inline(__always)
  mutating func append(_ digit: UInt8, base: UInt64) {
    let (product, productOverflowed) = magnitude.multipliedReportingOverflow(by: base)
    let (sum, sumOverflowed) = product.addingReportingOverflow(UInt64(digit))
    hasOverflowed = hasOverflowed || productOverflowed || sumOverflowed
    magnitude = sum
  }

  /// The integer, which must be from -2^63 to 2^64-1.
  @inline(__always)
  func value(isNegative: Bool) throws(PlistError.Kind) -> PlistValue {
    guard !hasOverflowed else { throw .integerOutOfRange }
    if isNegative {
      guard magnitude <= Int64.min.magnitude else { throw .integerOutOfRange }
      return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return Int64(exactly: magnitude).map { .integer($0) } ?? .unsignedInteger(magnitude)
  }
}
