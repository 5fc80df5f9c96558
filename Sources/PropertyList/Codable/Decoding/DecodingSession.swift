internal import FoundationEssentials

/// The state that all decoders of one call share.
final class DecodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  private let readsNullText: Bool
  private var depth: CodingDepth
  private var allowance: DecodingAllowance
  /// The lookups of the shapes of dictionaries.
  private var lookups: [ObjectIdentifier: KeyLookup] = [:]

  init(
    of root: PlistValue, size: Int?, userInfo: [CodingUserInfoKey: any Sendable],
    limits: PlistLimits, readsNullText: Bool
  ) {
    allowance = DecodingAllowance(for: root, size: size, limits: limits)
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
    if let lookup = lookups[ObjectIdentifier(shape)] {
      lookup.markShared()
      return lookup
    }
    let lookup = KeyLookup(shape)
    lookups[ObjectIdentifier(shape)] = lookup
    return lookup
  }

  /// Throws if a container is nested too deeply, or if far more values have been decoded than a
  /// document of this size may describe.
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
