/// How far coding has gone down, for values that would go on for ever or further than the stack.
///
/// Containers are counted where they are opened. Values are counted besides, since one may code
/// another in its own stead without any container, as an optional or a class that refers to itself
/// does.
struct CodingDepth {
  /// The greatest number of containers within containers.
  let limit: Int
  /// The number of values that are being coded within each other.
  private var values = 0

  /// How many values there may be for each container.
  private static let valuesInContainer = 2

  init(limits: PlistLimits) {
    limit = limits.maximumDepth
  }

  /// Goes down into a value and says whether that is allowed; if it is, ``leave()`` must follow.
  mutating func enter() -> Bool {
    // A value in the innermost container counts as well.
    guard values / Self.valuesInContainer <= limit else { return false }
    values += 1
    return true
  }

  /// Comes up from a value.
  mutating func leave() {
    values -= 1
  }

  /// What an error says of values that go down too far.
  var sentence: String { "Containers or values are nested deeper than \(limit) levels." }
}

/// With coders of others, values go down by recursion, which must not depend on input alone.
extension Encoder {
  /// Throws where a container would lie deeper than property lists go.
  func checkDepth(of value: Any) throws(EncodingError) {
    let path = codingPath
    let depth = CodingDepth(limits: PlistLimits())
    if path.count >= depth.limit {
      throw .invalidValue(
        value, EncodingError.Context(codingPath: path, debugDescription: depth.sentence))
    }
  }
}

extension Decoder {
  /// Throws where a value would lie deeper than property lists go.
  func checkDepth() throws(DecodingError) {
    let path = codingPath
    let depth = CodingDepth(limits: PlistLimits())
    if path.count > depth.limit {
      throw .dataCorrupted(
        DecodingError.Context(codingPath: path, debugDescription: depth.sentence))
    }
  }
}
