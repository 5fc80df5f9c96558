/// What all the encoders of one encoding share.
final class EncodingSession {
  let userInfo: [CodingUserInfoKey: Any]
  private var depth: CodingDepth
  /// The number of entries of the last dictionary, since the next may well be of the same type.
  var expectedEntries = 0
  /// The keys of the dictionaries so far. Nothing that changes them comes back to an encoder.
  @exclusivity(unchecked) var shapes = ShapeTree()
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
  @inline(__always)
  func enter<T>(_ value: T, at path: CodingPath) throws(EncodingError) {
    // The error's copy of the value is made for an error alone.
    guard isSound, depth.enter() else { throw refusal(of: value, at: path) }
  }

  private func refusal(of value: Any, at path: CodingPath) -> EncodingError {
    .invalid(value, at: tooDeep ?? path, depth.sentence)
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
