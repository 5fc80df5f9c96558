/// Why a request has no complete answer.
enum HTTPFailure: Error, Sendable, Hashable {
  /// There is no connection, so that the request was not sent.
  case noConnection(reason: String)
  /// The certificate of the server, or that of the client, was refused. The request was not sent.
  case certificate(reason: String)
  /// The connection ended without an answer.
  case connectionLost(reason: String)
  /// The answer ended before its end.
  case truncated
  /// There was no answer in time.
  case timedOut
  /// The server does not speak HTTP or, where that is wanted, TLS.
  case notHTTP
  /// The caller has canceled the request.
  case cancelled

  /// Whether the request has certainly not been sent.
  var isBeforeRequest: Bool {
    switch self {
    case .noConnection, .certificate: true
    default: false
    }
  }
}
