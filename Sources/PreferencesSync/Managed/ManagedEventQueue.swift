internal import FileStorage
internal import Preferences
internal import Threading

/// Collects the events of callers, timers and the remote store into batches for the one task of a
/// replica.
final class ManagedEventQueue: Sendable {
  /// The events since the batch before.
  struct Batch: Sendable {
    /// The latest change received for each key.
    var changes: [ByteKey: ReceivedChange] = [:]
    /// The revision up to which all changes were received; nil if none were.
    var revision: Int64?
    /// The error that ended the stream of changes; nil if it has not ended.
    var disconnection: (any Error)?
    /// Whether everything is to be compared at once, regardless of a pause.
    var isImmediate = false
    /// Whether a pause has ended.
    var endsPause = false
    /// The callers waiting for completion.
    var waiters: Set<Int> = []
  }

  private struct State {
    // The replica begins without a call.
    var hasEvents = true
    var batch = Batch()
    var isCancelled = false
    var streamCount = 0
    var waiterCount = 0
    var worker: CheckedContinuation<Void, Never>?
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The waiters whose tasks were canceled before they could suspend.
    var cancelledWaiters: Set<Int> = []
    var failureHandlers: [@Sendable (ManagedPreferencesError) -> Void] = []
    var stateFileClaim: OwnershipLock?
  }

  private let state = Lock(State())

  /// Changes the state, and wakes the worker if the closure returns true.
  private func post(_ body: (inout State) -> Bool) {
    let worker: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard !state.isCancelled, body(&state) else { return nil }
      state.hasEvents = true
      defer { state.worker = nil }
      return state.worker
    }
    worker?.resume()
  }

  // MARK: Callers

  /// Requests that everything is compared at once.
  func requestAttempt() {
    post { state in
      state.batch.isImmediate = true
      return true
    }
  }

  /// Ends a pause.
  func endPause() {
    post { state in
      state.batch.endsPause = true
      return true
    }
  }

  /// Waits until everything was compared.
  func waitForCompletion() async throws {
    let waiter = state.withLock { state in
      state.waiterCount += 1
      return state.waiterCount
    }
    defer { _ = state.withLock { $0.cancelledWaiters.remove(waiter) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let canWait = state.withLock { state in
          if state.cancelledWaiters.contains(waiter) || state.isCancelled { return false }
          state.waiters[waiter] = continuation
          return true
        }
        guard canWait else { return continuation.resume(throwing: CancellationError()) }
        post { state in
          state.batch.waiters.insert(waiter)
          state.batch.isImmediate = true
          return true
        }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.batch.waiters.remove(waiter)
        let continuation = state.waiters.removeValue(forKey: waiter)
        if continuation == nil { state.cancelledWaiters.insert(waiter) }
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  func onFailure(_ handler: @escaping @Sendable (ManagedPreferencesError) -> Void) {
    state.withLock { state in if !state.isCancelled { state.failureHandlers.append(handler) } }
  }

  /// Ends the queue: the worker and all waiters resume, and later events are discarded.
  func cancel() {
    let old = state.withLock { state in
      defer {
        state.isCancelled = true
        state.batch = Batch()
        state.worker = nil
        state.waiters = [:]
        state.failureHandlers = []
        state.stateFileClaim = nil
      }
      return state
    }
    old.stateFileClaim?.markReleasing()
    old.worker?.resume()
    for continuation in old.waiters.values { continuation.resume(throwing: CancellationError()) }
  }

  // MARK: Streams

  /// Begins a stream of changes; events of earlier streams are ignored from now on.
  ///
  /// - Returns: The number of the stream.
  func beginStream() -> Int {
    state.withLock { state in
      state.streamCount += 1
      state.batch.disconnection = nil
      state.batch.changes = [:]
      state.batch.revision = nil
      return state.streamCount
    }
  }

  /// Records an update received from a stream.
  func recordUpdate(_ update: RemoteUpdate, from stream: Int) {
    post { state in
      guard stream == state.streamCount else { return false }
      for key in update.removedKeys {
        state.batch.changes[ByteKey(key)] = .removal(revision: update.revision)
      }
      for entry in update.entries { state.batch.changes[ByteKey(entry.key)] = .put(entry) }
      state.batch.revision = update.revision
      return true
    }
  }

  /// Records the error that ended a stream.
  func recordDisconnection(_ error: any Error, from stream: Int) {
    post { state in
      guard stream == state.streamCount else { return false }
      state.batch.disconnection = error
      return true
    }
  }

  // MARK: Worker

  /// The exclusive claim to the state file; nil before it is acquired and after cancellation.
  var stateFileClaim: OwnershipLock? { state.withLock { $0.stateFileClaim } }

  /// Keeps the claim until cancellation.
  func keep(_ claim: OwnershipLock) {
    state.withLock { state in
      if state.isCancelled { return }
      claim.markHeld()
      state.stateFileClaim = claim
    }
  }

  /// Waits for events, and returns them; nil after cancellation.
  func next() async -> Batch? {
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
      state.hasEvents = false
      var remainder = Batch()
      remainder.waiters = state.batch.waiters
      defer { state.batch = remainder }
      return state.batch
    }
  }

  /// Resumes waiters whose work has completed or failed.
  func resume(_ waiters: Set<Int>, with result: Result<Void, any Error>) {
    let continuations = state.withLock { state in
      state.batch.waiters.subtract(waiters)
      return waiters.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for continuation in continuations { continuation.resume(with: result) }
  }

  /// Calls the failure handlers.
  func report(_ error: ManagedPreferencesError) {
    for handler in state.withLock({ $0.failureHandlers }) { handler(error) }
  }
}
