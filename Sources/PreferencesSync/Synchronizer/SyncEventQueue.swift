internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import Threading

/// Collects the events of callers, observers and the remote store into batches for the one worker
/// task, and holds the state that these share with it.
final class SyncEventQueue: Sendable {
  /// The events since the batch before, coalesced by key.
  struct Batch: Sendable {
    /// The synchronized keys with their generations.
    var keys: [ByteKey: Int] = [:]
    /// The removed keys.
    var removedKeys: Set<ByteKey> = []
    /// The keys changed in the store's own domain, with the dates of the changes.
    var changedKeys: [ByteKey: Date] = [:]
    /// The latest change received from the remote store for each key.
    var remoteChanges: [ByteKey: ReceivedChange] = [:]
    /// The error that ended the stream of changes; nil if it has not ended.
    var disconnection: (any Error)?
    /// The revision up to which the remote changes are received.
    var receivedRevision: Int64 = 0
    /// Whether an attempt is due at once, regardless of a pause.
    var isImmediate = false
    /// The callers waiting for completion of all work.
    var waiters: Set<Int> = []
  }

  private struct State {
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

  private let state = Lock(State())
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
  private func showPendingKeys(_ state: State, stoppedKeys: Int? = nil) {
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
  private func show(_ progress: StreamProgress, isConnected: Bool? = nil) {
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

  // MARK: Worker

  /// Returns whether a key is still synchronized and has not been added again since a generation.
  func isCurrent(_ key: String, generation: Int) -> Bool {
    state.withLock { !$0.isCancelled && $0.batch.keys[ByteKey(key)] == generation }
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
      remainder.keys = state.batch.keys
      remainder.waiters = state.batch.waiters
      defer { state.batch = remainder }
      state.batch.receivedRevision = state.progress.received
      state.takenChanges += state.batch.changedKeys.count
      return state.batch
    }
  }

  /// Shows in the status how many keys are pending and stopped, all changes taken before included.
  func showKeys(pending: Int, stopped: Int) {
    state.withLock { state in
      state.pendingKeys = pending
      state.takenChanges = 0
      showPendingKeys(state, stoppedKeys: stopped)
    }
  }

  /// The greatest revision of an entry of the remote store, of any key.
  var newestEntryRevision: Int64 { state.withLock { $0.progress.newestEntry } }

  /// Records that all remote changes up to a revision are merged.
  func markMerged(upTo revision: Int64) {
    state.withLock { state in
      if state.isCancelled { return }
      state.progress.merge(upTo: revision)
      show(state.progress)
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
  func report(_ error: SynchronizationError) {
    status.update { status, date in
      status.lastError = error
      status.lastErrorDate = date
    }
    for handler in state.withLock({ $0.failureHandlers }) { handler(error) }
  }

  func note(_ step: SyncStep) {
    for handler in state.withLock({ $0.stepHandlers }) { handler(step) }
  }
}
