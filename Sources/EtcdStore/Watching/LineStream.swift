internal import FoundationEssentials

/// The lines of a response that does not end by itself.
struct LineStream: Sendable {
  let exchange: HTTPExchange
  private var buffer = Data()
  /// Where the next line begins.
  private var start = 0
  /// The end of the bytes that have been searched for a line feed.
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
        defer { (start, searched) = (end + 1, end + 1) }
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
        // A line that was cut off is an error.
        if buffer.isEmpty { return nil }
        throw HTTPFailure.truncated
      }
      buffer += data
    }
  }

  /// Puts back lines, which come next.
  mutating func putBack(_ lines: Data) {
    buffer.replaceSubrange(..<start, with: lines)
    (start, searched) = (0, 0)
  }

  /// Waits for the rest of an answer that does not consist of lines.
  mutating func rest() async throws -> Data {
    while buffer.count <= limit, let data = try await exchange.next() { buffer += data }
    return buffer
  }
}

/// The answer of a member to the requests of parts, which delivers their changes.
struct WatchStream: Sendable {
  var lines: LineStream
  /// The indices of the parts by the member's numbers.
  var indices: [Int64: Int] = [:]
  /// The marks of the parts' revisions; nil where the cluster does not have the revision.
  var marks: [RevisionMark?] = []
}
