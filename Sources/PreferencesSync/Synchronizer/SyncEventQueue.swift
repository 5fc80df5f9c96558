internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import Threading

/// Collects the events of callers, observers and the remote store into batches for the one worker
/// task, and holds the state that these share with it.
final class SyncEventQueue: Sendable {
  struct State {
    var batch = Batch()
    var hasEvents = false
    var isCancelled = false
    var generationCount = 0
    var streamCount = 0
    var waiterCount = 0
    /// The worker task while it waits for events.
    var worker: CheckedContinuation<Void, Never>?
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// The waiters whose tasks were canceled before they could suspend.
    var cancelledWaiters: Set<Int> = []
    var failureHandlers: [@Sendable (SynchronizationError) -> Void] = []
    var stepHandlers: [@Sendable (SyncStep) -> Void] = []
    var progress = StreamProgress()
    /// The number of pending keys as the worker last counted them, and of the changes that it has
    /// taken since.
    var pendingKeys = 0
    var takenChanges = 0
    var stateFileClaim: OwnershipLock?
  }

  let state = Lock(State())
  /// The status, which the queue and the worker keep up to date.
  let status: StatusBoard<PreferencesSynchronizer.Status>

  init(status: StatusBoard<PreferencesSynchronizer.Status>) { self.status = status }

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

  /// The keys in the order in which they were added.
  var keys: [String] {
    state.withLock { $0.batch.keys }.sorted { $0.value < $1.value }.map(\.key.text)
  }

  func add(_ keys: [String]) {
    post { state in
      let old = state.generationCount
      for key in keys where state.batch.keys[ByteKey(key)] == nil {
        state.generationCount += 1
        state.batch.keys[ByteKey(key)] = state.generationCount
      }
      return state.generationCount > old
    }
  }

  /// Removes keys; nil removes all.
  func remove(_ keys: [String]?) {
    post { state in
      let removed = keys?.map { ByteKey($0) } ?? Array(state.batch.keys.keys)
      for key in removed {
        state.batch.keys[key] = nil
        state.batch.removedKeys.insert(key)
        state.batch.changedKeys[key] = nil
        state.batch.remoteChanges[key] = nil
      }
      return true
    }
  }

  /// Requests an attempt at once.
  func requestAttempt() {
    post { state in
      state.batch.isImmediate = true
      return true
    }
  }

  /// Requests what is due at this time.
  func requestMaintenance() {
    post { _ in true }
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

  func onFailure(_ handler: @escaping @Sendable (SynchronizationError) -> Void) {
    state.withLock { state in if !state.isCancelled { state.failureHandlers.append(handler) } }
  }

  func onStep(_ handler: @escaping @Sendable (SyncStep) -> Void) {
    state.withLock { state in if !state.isCancelled { state.stepHandlers.append(handler) } }
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
    status.finish()
    old.stateFileClaim?.markReleasing()
    old.worker?.resume()
    for continuation in old.waiters.values { continuation.resume(throwing: CancellationError()) }
  }

  // MARK: Observers and streams

  /// Records a change of a key in the store's own domain.
  func recordLocalChange(of key: String, at now: () -> Date) {
    let date = now()
    post { state in
      guard state.batch.keys[ByteKey(key)] != nil else { return false }
      state.batch.changedKeys[ByteKey(key)] = date
      showPendingKeys(state)
      return true
    }
  }

  /// Shows in the status how many keys are pending, with changes not merged yet. The lock is held.
  func showPendingKeys(_ state: State, stoppedKeys: Int? = nil) {
    status.update { status in
      status.pendingKeys = state.pendingKeys + state.takenChanges + state.batch.changedKeys.count
      if let stoppedKeys { status.stoppedKeys = stoppedKeys }
    }
  }

  /// Begins a stream of the remote changes after a snapshot, which is merged. Events of earlier
  /// streams are ignored from now on.
  ///
  /// - Returns: The number of the stream.
  func beginStream(after snapshot: RemoteSnapshot) -> Int {
    state.withLock { state in
      state.streamCount += 1
      state.batch.disconnection = nil
      state.progress = StreamProgress(
        revision: snapshot.revision, newestEntry: snapshot.entries.map(\.revision).max() ?? 0)
      show(state.progress, isConnected: true)
      return state.streamCount
    }
  }

  /// Ends the current stream; how it ends and further events of it are ignored.
  func endStream() {
    state.withLock { state in
      state.streamCount += 1
      state.batch.disconnection = nil
      status.update { $0.isConnected = false }
    }
  }

  /// Shows the progress of the stream in the status. The lock is held, so that the last one stays.
  func show(_ progress: StreamProgress, isConnected: Bool? = nil) {
    status.update { status in
      status.revision = progress.merged
      status.remoteRevision = progress.received
      if let isConnected { status.isConnected = isConnected }
    }
  }

  /// Records an update received from a stream.
  func recordRemoteUpdate(_ update: RemoteUpdate, from stream: Int) {
    post { state in
      guard stream == state.streamCount else { return false }
      status.noteContact()
      var hasChanges = false
      for key in update.removedKeys.map({ ByteKey($0) }) where state.batch.keys[key] != nil {
        state.batch.remoteChanges[key] = .removal(revision: update.revision)
        hasChanges = true
      }
      for entry in update.entries where state.batch.keys[ByteKey(entry.key)] != nil {
        state.batch.remoteChanges[ByteKey(entry.key)] = .put(entry)
        hasChanges = true
      }
      state.progress.receive(update, concernsKeys: hasChanges)
      show(state.progress)
      return hasChanges
    }
  }

  /// Records the error that ended a stream.
  func recordDisconnection(_ error: any Error, from stream: Int) {
    post { state in
      guard stream == state.streamCount else { return false }
      state.batch.disconnection = error
      status.update { $0.isConnected = false }
      return true
    }
  }
}
