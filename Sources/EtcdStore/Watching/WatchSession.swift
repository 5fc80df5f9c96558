internal import FoundationEssentials
internal import PreferencesSync

/// The stream of changes after a revision, over as many connections as it takes.
actor WatchSession {
  private let client: GatewayClient
  private let keys: KeySpace
  private var assembler: UpdateAssembler
  private var connection: WatchConnection?
  private var backoff = RetryBackoff(.milliseconds(100)...Duration.seconds(2))
  /// The duration of a connection after which the next one is tried soon, and how soon at the latest.
  private static let shortest = Duration.seconds(1)
  private static let spread = Duration.milliseconds(500)
  private var generator = SystemRandomNumberGenerator()
  /// When the stream ends unless there is a connection by then. The first one is not waited for.
  private var limit = ContinuousClock.now

  init(_ client: GatewayClient, _ keys: KeySpace, after revision: Int64) {
    self.client = client
    self.keys = keys
    assembler = UpdateAssembler(keys, after: revision, limit: client.options.largestAnswer)
  }

  /// Waits for the next update.
  ///
  /// - Throws: `RemoteStoreError.revisionCompacted`, `CancellationError`, or ``EtcdError`` if no
  ///   member with a majority behind it has answered for ``EtcdStore/Options/resumeTimeout``.
  func next() async throws -> RemoteUpdate {
    while true {
      let connection = try await currentConnection()
      do {
        let answer = try await connection.next(after: assembler.revision)
        if let update = try assembler.add(answer, at: connection.endpoint) { return update }
      } catch {
        try Task.checkCancellation()
        let failure = Self.failure(error, at: connection.endpoint)
        disconnect()
        guard let known = failure as? EtcdError, known.isOfMember else { throw failure }
        client.endpoints.advance(from: connection.endpoint)
        limit = .now + client.options.resumeTimeout
        let duration = ContinuousClock.now - connection.start
        backoff.reset(afterSuccessLasting: duration)
        // A member that ends every stream at once is not asked without a pause, and those whose member
        // has ended do not come to the next one in the same moment.
        try await Task.sleep(
          for: duration < Self.shortest
            ? backoff.advance(using: &generator)
            : Self.spread * Double.random(in: 0..<1, using: &generator))
      }
    }
  }

  private func disconnect() {
    connection?.end()
    connection = nil
    assembler.discardIncomplete()
  }

  private func currentConnection() async throws -> WatchConnection {
    if let connection { return connection }
    while true {
      var failure: any Error = EtcdError(.unreachable(reason: "there are no endpoints"))
      for _ in client.endpoints.all {
        let endpoint = client.endpoints.current
        do {
          let (lines, mark) = try await client.watch(
            keys, after: assembler.revision, known: assembler.mark, at: endpoint)
          assembler.mark = assembler.mark ?? mark
          let new = WatchConnection(lines, client, keys, endpoint)
          connection = new
          return new
        } catch {
          try Task.checkCancellation()
          failure = Self.failure(error, at: endpoint)
          guard let known = failure as? EtcdError, known.isOfMember else { throw failure }
          client.endpoints.advance(from: endpoint)
        }
      }
      let pause = backoff.advance(using: &generator)
      if .now + pause > limit { throw failure }
      try await Task.sleep(for: pause)
    }
  }

  /// The error for callers.
  private static func failure(_ error: any Error, at endpoint: Endpoint) -> any Error {
    switch error {
    case let error as HTTPFailure: EtcdError(error, at: endpoint)
    case let error as GatewayError: error.error(at: endpoint)
    default: error
    }
  }
}
