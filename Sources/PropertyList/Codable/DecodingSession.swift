/// What all the decoders of one decoding share.
final class DecodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  private let readsNullText: Bool
  private var depth: CodingDepth

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
