/// The connection of a worker to its remote store: the stream of changes, and what follows a failure.
struct RemoteConnection<Events: Sendable, Status: ConnectionStatus>: Sendable {
  private let events: EventQueue<Events, Status>
  private var backoff: RetryBackoff
  /// The task that iterates over the changes; nil while there is none.
  private var stream: Task<Void, Never>?
  private var streamStart = ContinuousClock.now
  private var hasReportedLock = false

  init(_ events: EventQueue<Events, Status>, _ backoff: RetryBackoff) {
    self.events = events
    self.backoff = backoff
  }

  /// Whether there is a stream.
  var isOpen: Bool { stream != nil }

  /// Starts to iterate over the changes of a remote store, whose end is posted as an event.
  ///
  /// - Parameters:
  ///   - number: The number of the stream.
  ///   - receive: Posts an update.
  mutating func open(
    _ remote: any RemoteStore, after revision: Int64, as number: Int,
    _ receive: @escaping @Sendable (RemoteUpdate) -> Void
  ) {
    streamStart = .now
    stream = Task { [events] in
      do {
        for try await update in remote.changes(after: revision) { receive(update) }
        events.recordDisconnection(RemoteStoreError.unreachable, from: number)
      } catch {
        events.recordDisconnection(error, from: number)
      }
    }
  }

  /// Ends the stream, if there is one. This is not a lost connection.
  mutating func close() {
    guard isOpen else { return }
    events.endStream()
    stream?.cancel()
    stream = nil
  }

  /// Reports an error, and ends the stream if the remote store has failed.
  ///
  /// - Parameter waiters: The callers that fail with it, unless it passes by itself.
  /// - Returns: The delay before the next attempt.
  mutating func fail(_ error: Status.Failure, _ waiters: Set<Int>) -> Duration {
    if isOpen { backoff.reset(afterSuccessLasting: .now - streamStart) }
    if error.isOfRemote { close() }
    // Until the lock is free, there is nothing else to say.
    if !error.isOfLock || !hasReportedLock { events.report(error) }
    hasReportedLock = hasReportedLock || error.isOfLock
    if !error.isOfRemote { events.resume(waiters, with: .failure(error)) }
    return nextDelay()
  }

  /// The delay after another failure.
  mutating func nextDelay() -> Duration {
    var generator = SystemRandomNumberGenerator()
    return backoff.advance(using: &generator)
  }
}
