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
  var connection: RemoteConnection<SyncEvents, PreferencesSynchronizer.Status>
  var uploadBackoff: RetryBackoff
  /// Whether the last attempt to upload has failed.
  var isUploadFailing = false
  let clock: SyncClock
  /// Dates the changes of this process as long as the worker exists.
  let stampClock: StampClock
  /// The name of this synchronizer in the stamps of the store.
  let tracker: String

  /// This machine as in the state file; nil before the file is read.
  var machine: StateFileMachine?
  /// Whether ``machine`` is not yet in the state file.
  var isMachineUnsaved = false
  /// The revision of its mark in the registry; nil if it is not known.
  var markRevision: Int64?
  /// Whether an upload of an earlier process may still take place, as it can until there is a new mark.
  var mayHaveLateUpload: Bool
  /// The fingerprints of records that were stored since the state file was saved.
  var answeredUploads: [String] = []
  var keys: [ByteKey: SyncedKey] = [:]
  /// The store's own domain as it was last read or saved.
  var stored = PreferencesStore.StampedValues()
  /// The removed keys whose entries are still in the state file.
  var removedKeys: Set<ByteKey> = []
  /// The local changes not merged yet.
  var changedKeys: [ByteKey: Date] = [:]
  /// Whether all keys must be compared with the store.
  var checksAllKeys = false
  /// The revision up to which remote changes have been received.
  var receivedRevision: Int64 = 0
  /// The remote changes not merged yet.
  var remoteChanges: [ByteKey: ReceivedChange] = [:]
  /// Whether a snapshot of the remote store must be merged.
  var needsSnapshot = false
  /// Whether the difference of the clocks has been reported, and is still large.
  var hasReportedSkew = false
  /// All changes up to this revision of the remote store are merged and saved.
  var seenRevision: Int64 = 0
  /// The registry's marker of collected removals; nil if there is none.
  var collectedRemovals: CollectedRemovals?
  /// When the registry is used next; nil before the first connection.
  var nextMaintenance: ContinuousClock.Instant?
  /// The task that wakes the worker at this time.
  var maintenance: Task<Void, Never>?
  /// Whether the state file could not be read, and may have been replaced since.
  var mayHaveLostStateFile = false
  /// The paused work, and the task that ends the pause; nil outside a pause.
  private(set) var pause: (work: PausedWork, end: Task<Void, Never>)?

  /// The work that a pause stops.
  enum PausedWork {
    /// Uploads, which the remote store may refuse while it delivers changes.
    case uploads
    /// All use of the remote store.
    case everything
  }

  /// Synchronizes until the event queue is canceled.
  mutating func run() async {
    while let batch = await events.next({ $0.takeBatch() }) {
      merge(batch)
      correctStampClock()
      do throws(SynchronizationError) {
        try await mergeLocalChanges(batch.events.keys)
        showKeys()
        let isComplete = try await exchangeWithRemote()
        // The first contact shows whether the clock is right.
        correctStampClock()
        showKeys()
        events.status.update { $0.fileError = nil }
        if isComplete { events.resume(batch.waiters, with: result) }
      } catch {
        showKeys()
        // The remote store is used only after both files have been read.
        events.status.update { $0.fileError = error.isOfRemote ? nil : error }
        handle(error, batch.waiters)
      }
    }
    connection.close()
    endPause()
    maintenance?.cancel()
  }

  private mutating func merge(_ batch: EventBatch<SyncEvents.Batch>) {
    changedKeys.merge(batch.events.changedKeys) { $1 }
    remoteChanges.merge(batch.events.remoteChanges) { $1 }
    receivedRevision = batch.events.receivedRevision
    removedKeys.formUnion(batch.events.removedKeys)
    if !batch.waiters.isEmpty {
      // Completion includes changes whose events have not arrived yet.
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
    beginPause(of: .everything, connection.fail(error, waiters))
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

  // MARK: Times

  /// The origin of the changes of this machine.
  var origin: String { machine?.origin ?? "" }

  /// Asks for more clocks if two differ too much, and reports this once until they agree again.
  mutating func checkClock() async {
    guard let skew = clock.skew else { return }
    let magnitude = skew < .zero ? .zero - skew : skew
    if magnitude > clock.tolerance {
      await clock.askServers()
      if !hasReportedSkew { events.report(.clockSkew(skew)) }
      hasReportedSkew = true
    } else if magnitude * 2 < clock.tolerance {
      hasReportedSkew = false
    }
  }

  /// Makes the store date changes by the corrected clock.
  func correctStampClock() {
    stampClock.correct(by: clock.now.timeIntervalSince(clock.ownNow))
  }

  /// Changes the times of pending records so that the remote store can accept them: not in the
  /// future, and after removals that were collected.
  mutating func restampPendingRecords() {
    let now = mayHaveLateUpload ? nil : clock.certainNow
    let origin = origin
    let tolerance = clock.tolerance / .seconds(1)
    let collected = collectedRemovals?.time
    for key in keys.filter(\.value.isUploadable).keys {
      update(key) { synced in
        synced.restamp(after: collected, by: origin)
        if let now { synced.restamp(at: now, tolerance: tolerance, by: origin) }
      }
    }
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
}
