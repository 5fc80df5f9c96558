internal import FoundationEssentials
internal import Preferences
internal import PropertyList
internal import Threading

/// The one task of a replica: it follows the remote store and writes the files.
struct ManagedWorker: Sendable {
  let remote: any RemoteStore
  let folder: ManagedFolder
  let stateFile: PreferencesStore
  let events: ManagedEventQueue
  var entries: ManagedEntries
  var backoff: RetryBackoff
  /// How often the revision is saved at most while no file changes.
  let revisionInterval: Duration

  /// The contents of the state file, of which the revision may be later.
  var state = ManagedState()
  /// The revision in the state file, and when the file was read or saved.
  var savedRevision: Int64 = 0
  var saveTime = ContinuousClock.now
  /// The domains whose files may not have what the remote store has.
  var unsaved: Set<ByteKey> = []
  /// The status of each domain.
  var domains: [ByteKey: ManagedPreferencesReplica.Status.Domain] = [:]
  var needsSnapshot = true
  var hasReportedLock = false
  var strayEntry: ManagedPreferencesError?
  /// The task that iterates the stream of remote changes; nil while disconnected.
  var stream: Task<Void, Never>?
  var streamStart = ContinuousClock.now
  /// The task that ends a pause after a failure; nil outside a pause.
  var pause: Task<Void, Never>?

  init(
    remote: any RemoteStore, folder: ManagedFolder, stateFile: PreferencesStore,
    events: ManagedEventQueue, entries: ManagedEntries, backoff: RetryBackoff,
    revisionInterval: Duration
  ) {
    self.remote = remote
    self.folder = folder
    self.stateFile = stateFile
    self.events = events
    self.entries = entries
    self.backoff = backoff
    self.revisionInterval = revisionInterval
  }

  /// Replicates until the event queue is canceled.
  mutating func run() async {
    while let batch = await events.next() {
      if batch.isImmediate || batch.events.endsPause { endPause() }
      if batch.isImmediate { needsSnapshot = true }
      do throws(ManagedPreferencesError) {
        try await claimStateFile()
        try merge(batch.events)
        if let error = batch.disconnection, !batch.isImmediate {
          try await save()
          throw .remote(error)
        }
        guard pause == nil || stream != nil else { continue }
        if stream == nil || needsSnapshot { try await connect() }
        try await save()
        events.resume(batch.waiters, with: result)
      } catch {
        handle(error, batch.waiters)
      }
    }
    disconnect()
    pause?.cancel()
  }

  /// The result for callers that wait for completion.
  private var result: Result<Void, any Error> {
    for (_, domain) in domains.sorted(by: { $0.value.name < $1.value.name }) {
      if let error = domain.error { return .failure(error) }
    }
    return .success(())
  }

  // MARK: Failures

  /// Reports an error, and pauses before the next attempt.
  private mutating func handle(_ error: ManagedPreferencesError, _ waiters: Set<Int>) {
    if Task.isCancelled { return }
    if stream != nil { backoff.reset(afterSuccessLasting: .now - streamStart) }
    disconnect()
    if case .stateFileLocked = error {
      if !hasReportedLock { events.report(error) }
      hasReportedLock = true
    } else {
      events.report(error)
    }
    // Unlike a lost connection, other errors do not pass by themselves.
    if case .remote = error {} else { events.resume(waiters, with: .failure(error)) }
    beginPause()
  }

  mutating func beginPause() {
    endPause()
    var generator = SystemRandomNumberGenerator()
    let duration = backoff.advance(using: &generator)
    pause = Task { [events] in
      if (try? await Task.sleep(for: duration)) != nil { events.endPause() }
    }
  }

  mutating func endPause() {
    pause?.cancel()
    pause = nil
  }
}
