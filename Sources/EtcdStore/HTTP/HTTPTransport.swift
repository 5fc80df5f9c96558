internal import FoundationEssentials

/// Sends a request, and returns at once.
typealias HTTPTransport = @Sendable (HTTPRequest) -> HTTPExchange

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
  /// How long the first bytes of the response may take. The whole response may take ten times as
  /// long, unless it is a stream.
  var timeout: Duration
  /// Whether the response continues until one side ends it.
  var isStream = false
}

/// Why a request has no complete answer.
enum HTTPFailure: Error, Sendable, Hashable {
  /// The request was not sent, because there is no connection.
  case noConnection(reason: String)
  /// The server's or the client's certificate was refused. The request was not sent.
  case certificate(reason: String)
  /// The connection ended without an answer.
  case connectionLost(reason: String)
  /// The answer was cut off.
  case truncated
  /// There was no answer in time.
  case timedOut
  /// The server does not speak HTTP, or TLS where that is required.
  case notHTTP
  /// The caller has canceled the request.
  case cancelled
}
