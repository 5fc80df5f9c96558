/// The interface of a transport, which sends requests.
protocol HTTPTransport: Sendable {
  /// Sends a request, and returns at once.
  func start(_ request: HTTPRequest) -> HTTPExchange
}
