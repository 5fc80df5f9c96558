/// What all the encoders of one encoding share.
final class EncodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  private var depth: CodingDepth
  /// Where a container was asked for that lies too deep. Asking cannot fail, so the next value does.
  private var tooDeep: CodingPath?

  init(userInfo: [CodingUserInfoKey: any Sendable], limits: PlistLimits) {
    self.userInfo = userInfo
    depth = CodingDepth(limits: limits)
  }

  /// Notes that a container is opened within so many others.
  func open(within containers: Int, at path: CodingPath) {
    if containers >= depth.limit && tooDeep == nil { tooDeep = path }
  }

  /// Whether containers may still be opened.
  var isSound: Bool { tooDeep == nil }

  /// Goes down into a value; unless it throws, ``leave()`` must follow.
  func enter(_ value: Any, at path: @autoclosure () -> CodingPath) throws(EncodingError) {
    try check(value)
    guard depth.enter() else { throw .invalid(value, at: path(), depth.sentence) }
  }

  /// Comes up from a value.
  func leave() {
    depth.leave()
  }

  /// Throws if a container was opened too deep.
  func check(_ value: Any) throws(EncodingError) {
    if let tooDeep { throw .invalid(value, at: tooDeep, depth.sentence) }
  }
}
