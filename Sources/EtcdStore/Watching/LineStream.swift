internal import FoundationEssentials

/// The lines of an answer that goes on.
struct LineStream: Sendable {
  let exchange: HTTPExchange
  private var buffer = Data()
  /// Where the next line begins.
  private var start = 0
  /// Up to where there is no line feed.
  private var searched = 0
  private let limit: Int
  private let endpoint: Endpoint

  init(_ exchange: HTTPExchange, limit: Int, at endpoint: Endpoint) {
    self.exchange = exchange
    self.limit = limit
    self.endpoint = endpoint
  }

  /// Waits for the next line; nil at the end of the answer.
  ///
  /// - Throws: ``EtcdError`` if the line is longer than the limit, ``HTTPFailure``,
  ///   `CancellationError`.
  mutating func next() async throws -> Data? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer {
          start = end + 1
          searched = start
        }
        return Data(buffer[start..<end])
      }
      buffer.removeSubrange(..<start)
      start = 0
      searched = buffer.count
      if buffer.count > limit {
        exchange.cancel()
        throw EtcdError(.tooLarge(limit: limit), at: endpoint)
      }
      guard let data = try await exchange.next() else {
        // Only a whole line counts.
        if buffer.isEmpty { return nil }
        throw HTTPFailure.truncated
      }
      buffer += data
    }
  }

  /// Waits for the rest of an answer that is not one of lines.
  mutating func rest() async throws -> Data {
    while buffer.count <= limit, let data = try await exchange.next() { buffer += data }
    return buffer
  }
}
