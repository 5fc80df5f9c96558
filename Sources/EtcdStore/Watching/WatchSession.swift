internal import FoundationEssentials
internal import PreferencesSync

/// The stream of changes after a revision, over as many connections as it takes.
actor WatchSession {
  private let client: GatewayClient
  private let keys: KeySpace
  private var assembler: UpdateAssembler
  private var connection: WatchConnection?
  private var backoff = RetryBackoff(.milliseconds(100)...Duration.seconds(2))
  /// The duration of a connection after which the next one is tried at once.
  private static let shortest = Duration.seconds(1)
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
        let answer = try await connection.next()
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
        // A member that ends every stream at once is not asked without a pause.
        if duration < Self.shortest {
          var generator = SystemRandomNumberGenerator()
          try await Task.sleep(for: backoff.advance(using: &generator))
        }
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
          let new = WatchConnection(
            try await client.watch(keys, after: assembler.revision, at: endpoint), client, keys,
            endpoint)
          connection = new
          return new
        } catch {
          try Task.checkCancellation()
          failure = Self.failure(error, at: endpoint)
          guard let known = failure as? EtcdError, known.isOfMember else { throw failure }
          client.endpoints.advance(from: endpoint)
        }
      }
      var generator = SystemRandomNumberGenerator()
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
