internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The one task of a synchronizer: it merges local and remote changes, saves them to the state file
/// and the store, and uploads pending records.
struct SyncWorker: Sendable {
  let store: PreferencesStore
  let remote: any RemoteStore
  /// The collector of removals and its registry; nil without one.
  let collector: RemovalCollector?
  let stateFile: PreferencesStore
  let events: SyncEventQueue
  let uploadInterval: Duration
  var backoff: RetryBackoff
  var uploadBackoff: RetryBackoff
  /// Whether the last attempt to upload has failed.
  var isUploadFailing = false
  let clock: SyncClock

  /// This machine as in the state file; nil before the file is read.
  var machine: StateFileMachine?
  /// Whether that is not in the state file.
  var isMachineUnsaved = false
  var keys: [ByteKey: SyncedKey] = [:]
  /// The removed keys whose entries are still in the state file.
  var removedKeys: Set<ByteKey> = []
  /// The local changes not merged yet.
  var changedKeys: [ByteKey: Date] = [:]
  /// Whether all keys have to be compared with the store.
  var checksAllKeys = false
  /// Remote changes up to this revision are received.
  var receivedRevision: Int64 = 0
  /// The remote changes not merged yet.
  var remoteChanges: [ByteKey: ReceivedChange] = [:]
  /// Whether a snapshot of the remote store has to be merged.
  var needsSnapshot = false
  /// Whether the difference of the clocks has been reported, and is still large.
  var hasReportedSkew = false
  /// The revision of the remote store up to which all changes are merged and saved.
  var seenRevision: Int64 = 0
  /// The registry's marker of collected removals; nil if there is none.
  var collectedRemovals: CollectedRemovals?
  /// When the registry is used next; nil before the first connection.
  var nextMaintenance: ContinuousClock.Instant?
  /// The task that wakes the worker then.
  var maintenance: Task<Void, Never>?
  /// Whether the store's own domain had a file, now or when the state file was saved.
  var hasStoreFile = false
  /// Whether the state file could not be read, and may have been replaced since.
  var mayHaveLostStateFile = false
  var hasReportedLock = false
  /// The task that iterates the stream of remote changes; nil while disconnected.
  var stream: Task<Void, Never>?
  var streamStart = ContinuousClock.now
  /// What pauses, and the task that ends the pause; nil outside a pause.
  private(set) var pause: (work: PausedWork, end: Task<Void, Never>)?

  /// What does not happen in a pause.
  enum PausedWork {
    /// Uploads, which the remote store may refuse while it delivers changes.
    case uploads
    /// All use of the remote store.
    case everything
  }

  /// Synchronizes until the event queue is canceled.
  mutating func run() async {
    while let batch = await events.next() {
      merge(batch)
      do throws(SynchronizationError) {
        try await mergeLocalChanges(batch.events.keys)
        showKeys()
        let isComplete = try await exchangeWithRemote()
        showKeys()
        showFileError(nil)
        if isComplete { events.resume(batch.waiters, with: result) }
      } catch {
        showKeys()
        // The remote store is used after both files only.
        showFileError(error.isOfRemote ? nil : error)
        handle(error, batch.waiters)
      }
    }
    disconnect()
    endPause()
    maintenance?.cancel()
  }

  private mutating func merge(_ batch: EventBatch<SyncEvents.Batch>) {
    changedKeys.merge(batch.events.changedKeys) { $1 }
    remoteChanges.merge(batch.events.remoteChanges) { $1 }
    receivedRevision = batch.events.receivedRevision
    removedKeys.formUnion(batch.events.removedKeys)
    if !batch.waiters.isEmpty {
      // Completion includes changes for which no event has arrived yet.
      checksAllKeys = true
      needsSnapshot = true
    }
    if let error = batch.disconnection { handle(.remote(error), []) }
    if batch.isImmediate { endPause() }
  }

  /// The result for callers that wait for completion.
  private var result: Result<Void, any Error> {
    for synced in keys.values.sorted(by: { $0.generation < $1.generation }) {
      if let problem = synced.problem { return .failure(problem) }
    }
    return .success(())
  }

  /// Reports an error, and pauses before the next attempt.
  private mutating func handle(_ error: SynchronizationError, _ waiters: Set<Int>) {
    if Task.isCancelled { return }
    if case .stateFile = error { mayHaveLostStateFile = true }
    if stream != nil { backoff.reset(afterSuccessLasting: .now - streamStart) }
    if case .remote = error {
      disconnect()
      report(error)
    } else {
      report(error)
      // Unlike a lost connection, this does not pass by itself.
      events.resume(waiters, with: .failure(error))
    }
    var generator = SystemRandomNumberGenerator()
    beginPause(of: .everything, backoff.advance(using: &generator))
  }

  private mutating func report(_ error: SynchronizationError) {
    if case .stateFileLocked = error {
      if hasReportedLock { return }
      hasReportedLock = true
    }
    events.report(error)
  }

  /// Updates the state of a key, and reports an error that stops the key.
  mutating func update(_ key: ByteKey, _ body: (inout SyncedKey) -> Void) {
    guard var synced = keys[key] else { return }
    let wasRunning = synced.problem == nil
    body(&synced)
    keys[key] = synced
    if wasRunning, let problem = synced.problem { events.report(problem) }
    // Remote changes may have been ignored while the key was stopped.
    if !wasRunning && synced.problem == nil { needsSnapshot = true }
  }

  /// Shows in the status how many keys are pending and stopped.
  func showKeys() {
    var pending = changedKeys.count
    var stopped = 0
    for synced in keys.values {
      if synced.isPending { pending += 1 }
      if synced.problem != nil { stopped += 1 }
    }
    events.showKeys(pending: pending, stopped: stopped)
  }

  private func showFileError(_ error: SynchronizationError?) {
    events.status.update { $0.fileError = error }
  }

  // MARK: Pauses

  mutating func beginPause(of work: PausedWork, _ duration: Duration) {
    endPause()
    let end = Task { [events] in
      if (try? await Task.sleep(for: duration)) != nil { events.requestAttempt() }
    }
    pause = (work, end)
  }

  private mutating func endPause() {
    pause?.end.cancel()
    pause = nil
  }

  mutating func disconnect() {
    // The end of the stream must not count as a lost connection.
    events.endStream()
    stream?.cancel()
    stream = nil
  }
}
