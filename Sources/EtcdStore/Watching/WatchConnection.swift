internal import FoundationEssentials
internal import Threading

/// A connection to a member that tells of changes, and the task that asks whether it still answers.
///
/// A stopped process and a member that has lost the others keep their connections, and what lies
/// between may keep one and pass nothing on.
final class WatchConnection {
  /// The wait of the receiver for the changes after a revision.
  private struct Wait: Equatable {
    var revision: Int64
    var start: ContinuousClock.Instant
  }

  let endpoint: Endpoint
  let start = ContinuousClock.now
  private var lines: LineStream
  private let exchange: HTTPExchange
  private let wait = Lock<Wait?>(nil)
  private let keepAlive: Task<Void, Never>

  /// More than twice the ten minutes after which etcd reports progress by default.
  private static let longestSilence = Duration.seconds(1500)
  /// One in this many probes also checks for changes that have not arrived, which costs the member
  /// more.
  private static let changeCheckInterval = 3

  init(_ lines: LineStream, _ client: GatewayClient, _ keys: KeySpace, _ endpoint: Endpoint) {
    let exchange = lines.exchange
    self.lines = lines
    self.exchange = exchange
    self.endpoint = endpoint
    keepAlive = Self.keepingAlive(exchange, wait, client, keys, endpoint)
  }

  deinit {
    end()
  }

  func end() {
    keepAlive.cancel()
    exchange.cancel()
  }

  /// Waits for the next answer, of changes after a revision.
  nonisolated(nonsending) func next(after revision: Int64) async throws -> WatchAnswer.Body {
    wait.withLock { $0 = Wait(revision: revision, start: .now) }
    defer { wait.withLock { $0 = nil } }
    guard let line = try await lines.next() else {
      throw HTTPFailure.connectionLost(reason: "the stream of changes ended")
    }
    guard let answer = GatewayCoding.answer(line, as: WatchAnswer.self) else {
      throw EtcdError(.notEtcd(status: 200), at: endpoint)
    }
    try answer.check(at: endpoint)
    return answer.result!
  }

  /// Checks repeatedly that the member answers with a majority behind it, and that the stream has
  /// delivered what there was at an earlier probe.
  private static func keepingAlive(
    _ exchange: HTTPExchange, _ wait: Lock<Wait?>, _ client: GatewayClient, _ keys: KeySpace,
    _ endpoint: Endpoint
  ) -> Task<Void, Never> {
    Task {
      var known: Int64 = 0
      var count = 0
      var byteCount = 0
      while (try? await Task.sleep(for: client.options.keepAliveInterval)) != nil {
        do {
          // A receiver that is busy does not miss what has arrived.
          let current = wait.withLock { $0 }
          var missing: ClosedRange<Int64>?
          count += 1
          if let current, known > current.revision, count % changeCheckInterval == 0 {
            missing = current.revision + 1...known
          }
          let (revision, hasEntry) = try await client.probe(keys, for: missing, at: endpoint)
          known = revision
          // What takes long to arrive is on its way.
          let isSilent = exchange.byteCount == byteCount
          byteCount = exchange.byteCount
          let isMissing =
            missing != nil && hasEntry && isSilent && wait.withLock { $0 } == current
          if isMissing || current.map({ .now - $0.start > longestSilence }) ?? false {
            return exchange.fail(.timedOut)
          }
        } catch {
          if Task.isCancelled { return }
          return exchange.fail(.timedOut)
        }
      }
    }
  }
}
