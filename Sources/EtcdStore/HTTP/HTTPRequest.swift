internal import FoundationEssentials

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
