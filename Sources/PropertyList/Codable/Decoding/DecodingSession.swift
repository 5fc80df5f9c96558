/// What all the decoders of one decoding share.
final class DecodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  private let readsNullText: Bool
  private var depth: CodingDepth
  /// The keys of the dictionaries that have been made, and their numbers by their shapes.
  private var keys: [DecodedKeys] = []
  private var keyNumbers = HashIndex()

  init(userInfo: [CodingUserInfoKey: any Sendable], limits: PlistLimits, readsNullText: Bool) {
    self.userInfo = userInfo
    self.readsNullText = readsNullText
    depth = CodingDepth(limits: limits)
  }

  /// Whether a value stands for nil.
  func isNil(_ value: PlistValue) -> Bool {
    switch value {
    case .null: true
    case .string(let text): readsNullText && text.hasSameBytes(as: "$null")
    default: false
    }
  }

  /// The keys of dictionaries that have such a shape.
  func keys(of shape: DictionaryShape) -> DecodedKeys {
    // Allocations differ in the bits above their alignment.
    let hash = UInt32(truncatingIfNeeded: Int(bitPattern: ObjectIdentifier(shape)) >> 4)
    let number = keyNumbers.number(hash: hash, orNew: keys.count) { keys[$0].are(of: shape) }
    if number < keys.count {
      keys[number].share()
    } else {
      keys.append(DecodedKeys(shape))
    }
    return keys[number]
  }

  /// Throws if a container within so many others lies too deep.
  func open(within containers: Int, at path: CodingPath) throws(DecodingError) {
    if containers >= depth.limit { throw .corrupted(at: path, depth.sentence) }
  }

  /// Goes down into a value; unless it throws, ``leave()`` must follow.
  func enter(at path: CodingPath) throws(DecodingError) {
    guard depth.enter() else { throw .corrupted(at: path, depth.sentence) }
  }

  /// Comes up from a value.
  func leave() {
    depth.leave()
  }
}
