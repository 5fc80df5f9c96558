internal import FoundationEssentials
internal import PreferencesSync

/// A connection to a member that tells of changes, and the task that asks whether it still answers.
///
/// A stopped process and a member that has lost the others keep their connections.
final class WatchConnection {
  let endpoint: Endpoint
  let start = ContinuousClock.now
  private var lines: LineStream
  private let exchange: HTTPExchange
  private let keepAlive: Task<Void, Never>

  init(_ lines: LineStream, _ client: GatewayClient, _ keys: KeySpace, _ endpoint: Endpoint) {
    let exchange = lines.exchange
    self.lines = lines
    self.exchange = exchange
    self.endpoint = endpoint
    keepAlive = Self.keepingAlive(exchange, client, keys, endpoint)
  }

  deinit {
    end()
  }

  func end() {
    keepAlive.cancel()
    exchange.cancel()
  }

  /// Waits for the next answer.
  nonisolated(nonsending) func next() async throws -> WatchAnswer.Body {
    guard let line = try await lines.next() else {
      throw HTTPFailure.connectionLost(reason: "the stream of changes ended")
    }
    guard let answer = GatewayCoding.answer(line, as: WatchAnswer.self) else {
      throw EtcdError(.notEtcd(status: 200), at: endpoint)
    }
    try answer.check(at: endpoint)
    return answer.result!
  }

  /// Looks repeatedly whether the member answers with a majority behind it.
  private static func keepingAlive(
    _ exchange: HTTPExchange, _ client: GatewayClient, _ keys: KeySpace, _ endpoint: Endpoint
  ) -> Task<Void, Never> {
    Task {
      while (try? await Task.sleep(for: client.options.keepAliveInterval)) != nil {
        do {
          try await client.look(keys, at: endpoint)
        } catch {
          if Task.isCancelled { return }
          return exchange.fail(.timedOut)
        }
      }
    }
  }
}
