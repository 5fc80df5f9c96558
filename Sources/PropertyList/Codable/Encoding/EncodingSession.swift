/// The state that all encoders of one call share.
final class EncodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  private var depth: CodingDepth
  /// The number of entries of the last dictionary, because the next may be of the same type.
  var expectedEntryCount = 0
  /// The shapes of the dictionaries so far. No change of it reenters an encoder.
  @exclusivity(unchecked) var shapes = ShapeTree()
  /// The path of the first container that is nested too deeply. Requesting a container cannot
  /// throw, so encoding the next value does.
  private var depthViolation: CodingPath?

  init(userInfo: [CodingUserInfoKey: any Sendable], limits: PlistLimits) {
    self.userInfo = userInfo
    depth = CodingDepth(limits: limits)
  }

  /// Records a violation if a container at this depth is nested too deeply.
  func recordContainer(atDepth depth: Int, _ path: CodingPath) {
    if depth >= self.depth.limit && depthViolation == nil { depthViolation = path }
  }

  var isWithinDepthLimit: Bool { depthViolation == nil }

  /// Counts a nested value; unless it throws, ``leave()`` must follow.
  @inline(__always)
  func enter<T>(_ value: T, at path: CodingPath) throws(EncodingError) {
    // A call that is not inlined keeps the error's copy of the value out of this path.
    guard isWithinDepthLimit, depth.enter() else { throw depthError(of: value, at: path) }
  }

  private func depthError(of value: Any, at path: CodingPath) -> EncodingError {
    .invalid(value, at: depthViolation ?? path, depth.errorDescription)
  }

  func leave() { depth.leave() }

  func checkDepth(of value: Any) throws(EncodingError) {
    if let depthViolation { throw .invalid(value, at: depthViolation, depth.errorDescription) }
  }
}

extension EncodingError {
  static func invalid(_ value: Any, at path: CodingPath, _ text: String) -> EncodingError {
    .invalidValue(value, Context(codingPath: path.keys, debugDescription: text))
  }

  static func nilElement(at path: CodingPath) -> EncodingError {
    .invalid(Any?.none as Any, at: path, "An array in a property list cannot contain nil.")
  }
}

extension PlistValue {
  /// Returns an integer value, signed if it fits; throws if it does not fit into 64 bits, signed or
  /// unsigned.
  static func number(
    _ number: some FixedWidthInteger, at path: @autoclosure () -> CodingPath
  ) throws(EncodingError) -> PlistValue {
    if let signed = Int64(exactly: number) { return .integer(signed) }
    if let unsigned = UInt64(exactly: number) { return .unsignedInteger(unsigned) }
    throw .invalid(
      number, at: path(),
      "The integer \(number) is out of range for a property list; expected -2^63 to 2^64-1.")
  }
}
