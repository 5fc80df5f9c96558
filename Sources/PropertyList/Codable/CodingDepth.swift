/// The nesting depth of a coding process, which is limited so that values cannot overflow the
/// stack. Containers are counted when they are opened. Values are also counted, because a value can
/// code another value in its place without a container, as an optional does, or a class that refers
/// to itself.
struct CodingDepth {
  let limit: Int
  /// The number of nested values that are being coded.
  private var values = 0

  private static let valuesPerContainer = 2

  init(limits: PlistLimits) { limit = limits.maximumDepth }

  /// Counts a value and returns whether the limit allows it; if so, ``leave()`` must follow.
  mutating func enter() -> Bool {
    // A value in the innermost container is also counted.
    guard values / Self.valuesPerContainer <= limit else { return false }
    values += 1
    return true
  }

  mutating func leave() { values -= 1 }

  var errorDescription: String { "Containers or values are nested deeper than \(limit) levels." }
}

/// Other encoders recurse for each nested container, so the depth is checked against the default
/// limit.
extension Encoder {
  /// Throws if a container for a value would exceed the depth limit of property lists.
  func checkDepth(of value: Any) throws(EncodingError) {
    let path = codingPath
    let depth = CodingDepth(limits: PlistLimits())
    if path.count >= depth.limit {
      throw .invalidValue(
        value, EncodingError.Context(codingPath: path, debugDescription: depth.errorDescription))
    }
  }
}

extension Decoder {
  /// Throws if the value exceeds the depth limit of property lists.
  func checkDepth() throws(DecodingError) {
    let path = codingPath
    let depth = CodingDepth(limits: PlistLimits())
    if path.count > depth.limit {
      throw .dataCorrupted(
        DecodingError.Context(codingPath: path, debugDescription: depth.errorDescription))
    }
  }
}
