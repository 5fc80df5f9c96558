internal import FoundationEssentials
internal import PreferencesSync

/// Receives the changes of any number of parts of a store over one stream, on as many connections as it
/// takes.
///
/// The stream resumes whenever there is a new part: with a stream for each newcomer, parts that return one
/// after the other from a time without the cluster would never share one again. Changes of a part that has
/// left are ignored.
actor WatchHub {
  /// The changes of a part, which one task takes. If that is slow, only the last change of each key is
  /// left for it, so that it does not delay the other parts.
  private struct Part {
    var assembler: UpdateAssembler
    /// Wakes the task.
    let signal: AsyncStream<Void>.Continuation
    /// Why there are no further changes; nil as long as there are.
    var end: (any Error)?
  }

  private let client: GatewayClient
  private var parts: [UUID: Part] = [:]
  /// Whether there are parts that the stream does not serve.
  private var isIncomplete = false
  /// The latest stream; nil before the first.
  private var exchange: HTTPExchange?
  /// The task that receives changes while there are parts.
  private var task: Task<Void, Never>?

  /// How long parts are collected before a stream resumes with them.
  private static let gatherTime = Duration.milliseconds(200)
  /// Attempts back off after a shorter stream, and follow within half of it after a longer one, so that the
  /// machines whose member has ended do not come to the next one in the same moment.
  private static let shortestStream = Duration.seconds(1)
  /// More than twice etcd's default interval of progress reports, ten minutes.
  private static let longestSilence = Duration.seconds(1500)
  /// One in this many probes also checks for changes that have not arrived, which costs the member
  /// more, for fewer parts than the 128 operations that a cluster accepts by default.
  private static let changeCheckInterval = 3
  private static let largestCheck = 100

  init(_ client: GatewayClient) { self.client = client }

  /// Returns the changes of a part after a revision.
  nonisolated func changes(
    of keys: KeySpace, after revision: Int64
  ) -> AsyncThrowingStream<RemoteUpdate, any Error> {
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = UUID()
    let assembler = UpdateAssembler(keys, after: revision, client.options)
    Task { await add(Part(assembler: assembler, signal: signal), id) }
    // The task is canceled, or takes no more.
    signal.onTermination = { _ in Task { await self.remove(id) } }
    return AsyncThrowingStream {
      for await _ in signals { if let update = try await self.take(id) { return update } }
      throw CancellationError()
    }
  }

  // MARK: Parts

  private func add(_ part: Part, _ id: UUID) async {
    if case .terminated = part.signal.yield() { return }
    parts[id] = part
    if isIncomplete { return }
    isIncomplete = true
    if task != nil { try? await Task.sleep(for: Self.gatherTime) }
    guard isIncomplete else { return }
    exchange?.cancel()
    task = task ?? Task { await run() }
  }

  private func remove(_ id: UUID) {
    parts[id] = nil
    endIfUnused()
  }

  private func take(_ id: UUID) throws -> RemoteUpdate? {
    if let update = parts[id]?.assembler.take() { return update }
    if let end = parts[id]?.end { throw end }
    return nil
  }

  /// Ends the changes of parts. Their tasks first take those that were received.
  private func end(_ ids: [UUID], _ error: any Error) {
    for id in ids {
      parts[id]?.end = error
      parts[id]?.signal.yield()
    }
    endIfUnused()
  }

  private func endIfUnused() {
    guard parts.values.allSatisfy({ $0.end != nil }) else { return }
    task?.cancel()
    task = nil
    isIncomplete = false
  }

  // MARK: The stream

  private func run() async {
    var backoff = RetryBackoff(.milliseconds(100)...Duration.seconds(2))
    var generator = SystemRandomNumberGenerator()
    // When the changes end unless there is a stream by then. The first one is not waited for.
    var limit = ContinuousClock.now
    var failures = 0
    while !Task.isCancelled {
      isIncomplete = false
      let ids = parts.filter { $0.value.end == nil }.map(\.key)
      let endpoint = client.endpoints.current
      var start: ContinuousClock.Instant?
      do {
        var stream = try await connect(ids, at: endpoint)
        (start, failures) = (.now, 0)
        try await receive(&stream, ids, at: endpoint)
      } catch {
        if Task.isCancelled { return }
        if start != nil { limit = .now + client.options.resumeTimeout }
        if start != nil, isIncomplete { continue }
        let failure = EtcdError.known(error, at: endpoint)
        guard failure.isOfMember else {
          // What is refused to one may be granted to the others.
          end((error as? GatewayError)?.part.map { [ids[$0]] } ?? ids, failure)
          continue
        }
        client.endpoints.advance(from: endpoint)
        if start == nil { failures += 1 }
        // All members are tried before a pause.
        if !failures.isMultiple(of: client.endpoints.all.count) { continue }
        let time = start.map { .now - $0 } ?? .zero
        backoff.reset(afterSuccessLasting: time)
        let pause =
          time < Self.shortestStream
          ? backoff.advance(using: &generator) : Self.shortestStream * Double.random(in: 0..<0.5)
        if start == nil, .now + pause > limit { end(ids, failure) }
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// Begins a stream of parts. A part ends if its revision belongs to another history of the cluster.
  private func connect(_ ids: [UUID], at endpoint: Endpoint) async throws -> WatchStream {
    for id in ids { parts[id]?.assembler.discardIncomplete() }
    let stream = try await client.watch(ids.compactMap { parts[$0]?.assembler }, at: endpoint)
    for (id, mark) in zip(ids, stream.marks) {
      let known = parts[id]?.assembler.mark
      if let mark, known?.agrees(with: mark) ?? true {
        parts[id]?.assembler.mark = known ?? mark
      } else {
        end([id], RemoteStoreError.revisionCompacted)
      }
    }
    return stream
  }

  /// Receives changes until the stream fails, or there are parts that it does not serve.
  private func receive(
    _ stream: inout WatchStream, _ ids: [UUID], at endpoint: Endpoint
  ) async throws {
    let exchange = stream.lines.exchange
    let probes = Task { await keepAlive(exchange, ids, at: endpoint) }
    defer {
      probes.cancel()
      exchange.cancel()
    }
    try Task.checkCancellation()
    self.exchange = exchange
    while !isIncomplete {
      guard let line = try await stream.lines.next() else {
        throw HTTPFailure.connectionLost(reason: "the stream of changes ended")
      }
      guard let answer = GatewayCoding.answer(line, as: WatchAnswer.self) else {
        throw EtcdError(.notEtcd(status: 200), at: endpoint)
      }
      let id = answer.result.flatMap { stream.indices[$0.number] }.map { ids[$0] }
      do {
        let result = try answer.checked(at: endpoint)
        guard let id, parts[id]?.end == nil else { continue }
        try parts[id]?.assembler.add(result, at: endpoint)
        parts[id]?.signal.yield()
      } catch {
        let failure = EtcdError.known(error, at: endpoint)
        guard let id, !failure.isOfMember else { throw failure }
        end([id], failure)
      }
    }
    throw CancellationError()
  }

  /// Checks repeatedly that the member answers, and that the stream has delivered all changes known
  /// from an earlier probe; ends it otherwise.
  ///
  /// A stopped process keeps its connections, and a device on the way may keep one and forward
  /// nothing.
  private func keepAlive(_ exchange: HTTPExchange, _ ids: [UUID], at endpoint: Endpoint) async {
    var known: Int64 = 0
    var probes = 0
    var lastCount: Int?
    var arrival = ContinuousClock.now
    while (try? await Task.sleep(for: client.options.keepAliveInterval)) != nil {
      // A busy receiver does not miss changes that have arrived, and those that take long to arrive are
      // on their way.
      let count = exchange.awaitedCount
      let isSilent = count != nil && count == lastCount
      if !isSilent { arrival = .now }
      lastCount = count
      probes += 1
      let checked = isSilent && probes.isMultiple(of: Self.changeCheckInterval) ? ids : []
      let missing = checked.shuffled().prefix(Self.largestCheck).compactMap { parts[$0] }
        .filter { $0.end == nil && $0.assembler.revision < known }
        .map { ($0.assembler.keys, $0.assembler.revision + 1...known) }
      do {
        let (revision, hasEntry) = try await client.probe(for: missing, at: endpoint)
        known = revision
        if hasEntry && exchange.awaitedCount == count || .now - arrival > Self.longestSilence {
          return exchange.fail(.timedOut)
        }
      } catch {
        if !Task.isCancelled { exchange.fail(.timedOut) }
        return
      }
    }
  }
}
