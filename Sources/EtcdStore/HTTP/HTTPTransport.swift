internal import FoundationEssentials

/// The interface of a transport, which sends requests.
protocol HTTPTransport: Sendable {
  /// Sends a request, and returns at once.
  func start(_ request: HTTPRequest) -> HTTPExchange
}

/// A POST of JSON to an endpoint.
struct HTTPRequest: Sendable {
  /// The member that is asked.
  var endpoint: Endpoint
  /// The path of the call, beginning with a slash.
  var path: String
  /// The JSON.
  var body: Data
  /// The token of the user; nil for none.
  var token: String?
  /// The contents of certificate files.
  var certificates: Certificates
  /// How long the connection may take.
  var connectTimeout: Duration
  /// How long the first bytes of the answer may take, and a tenth of what all of it may take unless
  /// it is a stream.
  var timeout: Duration
  /// Whether the answer goes on until one side ends it.
  var isStream = false
}

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
