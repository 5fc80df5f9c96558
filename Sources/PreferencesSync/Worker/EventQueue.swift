internal import FileStorage
internal import Preferences
internal import Threading

/// Collects the events of callers, timers and the remote store into batches for the one worker
/// task, which they wake. It also holds the state that the task shares with its callers.
///
/// The queue guards a value whose type each worker defines: its events, and everything that must
/// change together with them.
final class EventQueue<Events: Sendable, Status: ConnectionStatus>: Sendable {
  private struct State {
    var events: Events
    /// The error that ended the stream of changes; nil if it has not ended.
    var disconnection: (any Error)?
    /// Whether an attempt is due at once, regardless of a pause.
    var isImmediate = false
    var hasEvents: Bool
    var isCancelled = false
    var streamCount = 0
    /// The worker task while it waits for events.
    var worker: CheckedContinuation<Void, Never>?
    var waiterCount = 0
    var waiters: [Int: AsyncStream<Result<Void, any Error>>.Continuation] = [:]
    var failureHandlers: [@Sendable (Status.Failure) -> Void] = []
    var stateFileClaim: OwnershipLock?
  }

  private let state: Lock<State>
  /// The events at first, and again after cancellation.
  private let initial: Events
  /// The status, which the queue and the worker keep up to date.
  let status: StatusBoard<Status>

  /// Creates a queue.
  ///
  /// - Parameter hasEvents: Whether the worker begins without waiting for an event.
  init(_ events: Events, hasEvents: Bool, status: StatusBoard<Status>) {
    initial = events
    state = Lock(State(events: events, hasEvents: hasEvents))
    self.status = status
  }

  // MARK: Events

  /// Changes the state, and wakes the worker if the closure returns true.
  ///
  /// - Returns: Whether the worker was woken; false after cancellation.
  @discardableResult
  private func wake(_ body: (inout State) -> Bool) -> Bool {
    let (isPosted, worker) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      guard !state.isCancelled, body(&state) else { return (false, nil) }
      state.hasEvents = true
      defer { state.worker = nil }
      return (true, state.worker)
    }
    worker?.resume()
    return isPosted
  }

  /// Changes the events, and wakes the worker if the closure returns true. Does nothing after
  /// cancellation.
  func post(_ body: (inout Events) -> Bool) {
    wake { body(&$0.events) }
  }

  /// Changes the events, unless the queue is canceled.
  func change(_ body: (inout Events) -> Void) {
    state.withLock { state in if !state.isCancelled { body(&state.events) } }
  }

  /// Returns the result of a closure that reads the events.
  func read<Result>(_ body: (Events) -> Result) -> Result {
    state.withLock { body($0.events) }
  }

  // MARK: Callers

  /// Requests an attempt at once.
  func requestAttempt() {
    wake { state in
      state.isImmediate = true
      return true
    }
  }

  /// Waits until all work is complete.
  func waitForCompletion() async throws {
    let (results, waiter) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    let canWait = wake { [state = self.state] new in
      new.waiterCount += 1
      let number = new.waiterCount
      new.waiters[number] = waiter
      new.isImmediate = true
      // Released outside the lock.
      waiter.onTermination = { _ in _ = state.withLock { $0.waiters.removeValue(forKey: number) } }
      return true
    }
    if canWait { for await result in results { return try result.get() } }
    throw CancellationError()
  }

  /// Adds a handler for future errors.
  func onFailure(_ handler: @escaping @Sendable (Status.Failure) -> Void) {
    state.withLock { state in if !state.isCancelled { state.failureHandlers.append(handler) } }
  }

  /// Ends the queue: the worker and all waiters resume, and all events are discarded.
  func cancel() {
    let old = state.withLock { state in
      defer {
        state.isCancelled = true
        state.events = initial
        state.disconnection = nil
        state.worker = nil
        state.waiters = [:]
        state.failureHandlers = []
        state.stateFileClaim = nil
      }
      return state
    }
    status.finish()
    old.stateFileClaim?.markReleasing()
    old.worker?.resume()
    for waiter in old.waiters.values { waiter.finish() }
  }

  // MARK: Streams

  /// Begins a stream of remote changes. Later events of earlier streams are ignored.
  ///
  /// - Parameter body: Changes the events and the status in the same step.
  /// - Returns: The number of the stream.
  func beginStream(_ body: (inout Events, inout Status) -> Void) -> Int {
    nextStream { events, status in
      status.isConnected = true
      body(&events, &status)
    }
  }

  /// Ends the current stream. Its further events, including its end, are ignored.
  func endStream() {
    _ = nextStream { _, status in status.isConnected = false }
  }

  private func nextStream(_ body: (inout Events, inout Status) -> Void) -> Int {
    let (stream, disconnection) = state.withLock { state in
      state.streamCount += 1
      status.update { body(&state.events, &$0) }
      return (state.streamCount, exchange(&state.disconnection, with: nil))
    }
    // Released outside the lock.
    withExtendedLifetime(disconnection) {}
    return stream
  }

  /// Changes the events, and wakes the worker if the closure returns true. Does nothing if the
  /// stream is not the current one.
  func post(from stream: Int, _ body: (inout Events) -> Bool) {
    wake { stream == $0.streamCount && body(&$0.events) }
  }

  /// Records the error that has ended a stream.
  func recordDisconnection(_ error: any Error, from stream: Int) {
    wake { state in
      guard stream == state.streamCount else { return false }
      state.disconnection = error
      status.update { $0.isConnected = false }
      return true
    }
  }

  // MARK: Worker

  /// Waits for events, and returns them; nil after cancellation.
  ///
  /// - Parameter take: Removes and returns the events since the previous batch.
  func next<Taken>(_ take: (inout Events) -> Taken) async -> EventBatch<Taken>? {
    await withCheckedContinuation { continuation in
      let isWaiting = state.withLock { state in
        if state.hasEvents || state.isCancelled { return false }
        state.worker = continuation
        return true
      }
      if !isWaiting { continuation.resume() }
    }
    return state.withLock { state in
      if state.isCancelled { return nil }
      defer {
        state.hasEvents = false
        state.disconnection = nil
        state.isImmediate = false
      }
      return EventBatch(
        events: take(&state.events), disconnection: state.disconnection,
        isImmediate: state.isImmediate, waiters: Set(state.waiters.keys))
    }
  }

  /// Resumes waiters whose work has completed or failed.
  func resume(_ waiters: Set<Int>, with result: Result<Void, any Error>) {
    let resumed = state.withLock { state in
      waiters.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in resumed { waiter.yield(result) }
  }

  /// Shows an error in the status, and calls the failure handlers.
  func report(_ error: Status.Failure) {
    status.show(error)
    for handler in state.withLock({ $0.failureHandlers }) { handler(error) }
  }

  /// The exclusive claim to the state file; nil before it is acquired and after cancellation.
  ///
  /// A writer retains the claim until its write has ended, so that no successor starts before.
  var stateFileClaim: OwnershipLock? { state.withLock { $0.stateFileClaim } }

  /// Acquires the exclusive claim to a state file and keeps it until cancellation, unless it is held
  /// already.
  ///
  /// - Parameter read: Reads the file that the previous holder of the claim has written. If it
  ///   throws, the claim is not kept.
  /// - Returns: The result of reading; nil if the claim was held already.
  func claim<Contents: Sendable>(
    _ stateFile: PreferencesStore,
    reading read: @escaping @Sendable () throws(Status.Failure) -> Contents
  ) async throws(Status.Failure) -> Contents? {
    if stateFileClaim != nil { return nil }
    return try await BackgroundThread.run { () throws(Status.Failure) in
      let claim: OwnershipLock?
      do throws(PreferencesError) {
        claim = try stateFile.claimOwnFile()
      } catch {
        throw .stateFile(error)
      }
      guard let claim else { throw .stateFileLocked(path: stateFile.domain) }
      stateFile.synchronize()
      let contents = try read()
      self.keep(claim)
      return contents
    }
  }

  /// Keeps the claim until cancellation.
  private func keep(_ claim: OwnershipLock) {
    state.withLock { state in
      if state.isCancelled { return }
      claim.markHeld()
      state.stateFileClaim = claim
    }
  }
}

/// What a worker takes from its queue: the events since the previous batch, and the waiters.
struct EventBatch<Events: Sendable>: Sendable {
  /// The events that the worker defines.
  var events: Events
  /// The error that ended the stream of changes; nil if it has not ended.
  var disconnection: (any Error)?
  /// Whether an attempt is due at once, regardless of a pause.
  var isImmediate: Bool
  /// The callers waiting for completion of all work.
  var waiters: Set<Int>
}

/// A change of a key that was received from the remote store.
enum ReceivedChange: Sendable {
  case put(RemoteEntry)
  /// The entry was removed, at this revision or before.
  case removal(revision: Int64)

  /// Whether the entry was removed.
  var isRemoval: Bool {
    if case .removal = self { true } else { false }
  }
}
