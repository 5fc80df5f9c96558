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
    self.userInfo = userInfo
    self.readsNullText = readsNullText
    depth = CodingDepth(limits: limits)
  }

  /// Returns whether a value is decoded as nil.
  func isNil(_ value: PlistValue) -> Bool {
    switch value {
    case .null: true
    case .string(let text): readsNullText && text.hasSameBytes(as: "$null")
    default: false
    }
  }

  /// Returns the lookup for the dictionaries of a shape.
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

  /// Throws if a container is nested too deeply, or so much has been decoded that it is out of
  /// proportion to the document.
  ///
  /// - Parameters:
  ///   - count: The number of values in the container.
  ///   - depth: The number of containers around it.
  func checkContainer(of count: Int, atDepth depth: Int, _ path: CodingPath) throws(DecodingError) {
    if depth >= self.depth.limit { throw .corrupted(at: path, self.depth.errorDescription) }
    guard allowance.take(count) else { throw .corrupted(at: path, allowance.errorDescription) }
  }

  /// Counts a nested value; unless it throws, ``leave()`` must follow.
  func enter(at path: CodingPath) throws(DecodingError) {
    guard depth.enter() else { throw .corrupted(at: path, depth.errorDescription) }
  }

  func leave() {
    depth.leave()
  }
}
