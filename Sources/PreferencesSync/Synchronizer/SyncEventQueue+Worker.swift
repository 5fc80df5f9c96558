internal import FileStorage
internal import Preferences
internal import Threading

/// What the worker asks of the queue, and tells it.
extension SyncEventQueue {
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
