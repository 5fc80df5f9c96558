internal import FileStorage
internal import Threading

/// Collects the events of callers, timers and the remote store into batches for the one worker task,
/// which they wake, and holds what that task shares with its callers.
///
/// The queue guards a value of a type of each worker's own: its events, and whatever else has to
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
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The waiters whose tasks were canceled before they could suspend.
    var cancelledWaiters: Set<Int> = []
    var failureHandlers: [@Sendable (Status.Failure) -> Void] = []
    var stateFileClaim: OwnershipLock?
  }

  private let state: Lock<State>
  /// The status, which the queue and the worker keep up to date.
  let status: StatusBoard<Status>

  /// Creates a queue.
  ///
  /// - Parameter hasEvents: Whether the worker begins without waiting for an event.
  init(_ events: Events, hasEvents: Bool, status: StatusBoard<Status>) {
    state = Lock(State(events: events, hasEvents: hasEvents))
    self.status = status
  }

  // MARK: Events

  /// Changes the state, and wakes the worker if the closure returns true.
  ///
  /// - Returns: Whether it did; false after cancellation.
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

  /// Returns something of the events.
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
    let waiter = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    defer { _ = state.withLock { $0.cancelledWaiters.remove(waiter) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let canWait = wake { state in
          if state.cancelledWaiters.contains(waiter) { return false }
          state.waiters[waiter] = continuation
          state.isImmediate = true
          return true
        }
        if !canWait { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        let continuation = state.waiters.removeValue(forKey: waiter)
        if continuation == nil { state.cancelledWaiters.insert(waiter) }
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Adds a handler for errors from now on.
  func onFailure(_ handler: @escaping @Sendable (Status.Failure) -> Void) {
    state.withLock { state in if !state.isCancelled { state.failureHandlers.append(handler) } }
  }

  /// Ends the queue: the worker and all waiters resume, and later events are discarded.
  ///
  /// - Parameter body: Discards the events until now.
  func cancel(_ body: (inout Events) -> Void) {
    let old = state.withLock { state in
      defer {
        state.isCancelled = true
        body(&state.events)
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
    for continuation in old.waiters.values { continuation.resume(throwing: CancellationError()) }
  }

  // MARK: Streams

  /// Begins a stream of remote changes. Events of earlier streams are ignored from now on.
  ///
  /// - Parameter body: Changes the events and the status with it.
  /// - Returns: The number of the stream.
  func beginStream(_ body: (inout Events, inout Status) -> Void) -> Int {
    nextStream { events, status in
      status.isConnected = true
      body(&events, &status)
    }
  }

  /// Ends the current stream; how it ends and further events of it are ignored.
  ///
  /// - Parameter body: Changes the events with it.
  func endStream(_ body: (inout Events) -> Void = { _ in }) {
    _ = nextStream { events, status in
      status.isConnected = false
      body(&events)
    }
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

  /// Starts to iterate the changes of a remote store. Their end is an event.
  ///
  /// - Parameters:
  ///   - stream: The number of the stream.
  ///   - receive: Posts an update.
  func follow(
    _ remote: any RemoteStore, after revision: Int64, as stream: Int,
    _ receive: @escaping @Sendable (RemoteUpdate) -> Void
  ) -> Task<Void, Never> {
    Task {
      do {
        for try await update in remote.changes(after: revision) { receive(update) }
        recordDisconnection(RemoteStoreError.unreachable, from: stream)
      } catch {
        recordDisconnection(error, from: stream)
      }
    }
  }

  private func recordDisconnection(_ error: any Error, from stream: Int) {
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
  /// - Parameter take: Takes the events since the batch before.
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
    let continuations = state.withLock { state in
      waiters.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for continuation in continuations { continuation.resume(with: result) }
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

  /// Keeps the claim until cancellation.
  func keep(_ claim: OwnershipLock) {
    state.withLock { state in
      if state.isCancelled { return }
      claim.markHeld()
      state.stateFileClaim = claim
    }
  }
}

/// The events that a worker takes from its queue, those since the batch before, and the waiters.
struct EventBatch<Events: Sendable>: Sendable {
  /// The events that are special to the worker.
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
  /// An entry was put.
  case put(RemoteEntry)
  /// The entry was removed, at this revision or before.
  case removal(revision: Int64)

  /// Whether the entry was removed.
  var isRemoval: Bool {
    if case .removal = self { true } else { false }
  }
}
