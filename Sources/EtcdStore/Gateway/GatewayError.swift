/// A failure that etcd itself reports.
struct GatewayError: Error, Sendable, Hashable {
  /// The code of gRPC.
  var code: Int
  /// The text, made fit for one line.
  var message: String
  /// The index of the part of a stream that was refused; nil if the error is not about one.
  var part: Int?

  init(code: Int, message: String) {
    self.code = code
    self.message = PrintableText.make(message)
  }

  /// The failure for a canceled stream, whose reason is only a text.
  init(cancelReason: String, part: Int?) {
    self.init(code: 14, message: cancelReason)
    self.part = part
    if message.contains("permission denied") { code = 7 }
    if needsToken { code = 16 }
  }

  /// Whether the request is larger than the cluster accepts.
  var isTooLarge: Bool {
    message.contains("request is too large") || message.contains("larger than max")
      || message.contains("too many operations")
  }

  /// Whether the history before the requested revision is gone.
  var isCompacted: Bool { message.contains("has been compacted") }

  /// Whether the cluster does not have the requested revision: it is compacted or in the future.
  var isWithoutRevision: Bool { isCompacted || message.contains("is a future revision") }

  /// Whether the user must log in, for the first time or again.
  var needsToken: Bool {
    code == 16 || message.contains("invalid auth token") || message.contains("user name is empty")
      || message.contains("revision of auth store is old")
  }

  /// The error for callers.
  func error(at endpoint: Endpoint) -> EtcdError {
    let kind: EtcdError.Kind =
      switch code {
      // No answer in time, aborted, unavailable.
      case 4, 10, 14: .unavailable(reason: message)
      case _ where needsToken: .unauthenticated
      case 7: .permissionDenied
      case 8 where message.contains("database space exceeded"): .noSpace
      case 8 where !isTooLarge: .unavailable(reason: message)
      default: .refused(reason: message)
      }
    return EtcdError(kind, at: endpoint)
  }
}
