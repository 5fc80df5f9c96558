internal import FoundationEssentials
internal import Preferences

/// The one task that synchronizes: it takes note of what has changed here and there, remembers it, brings
/// it to the store and to the remote store, and rests until there is more.
struct SyncWorker: Sendable {
  let store: PreferencesStore
  let remote: any RemoteStore
  /// The file of what is remembered.
  let queue: PreferencesStore
  let mailbox: SyncMailbox
  /// How long to rest after an upload.
  let uploadInterval: Duration
  var retryDelay: RetryDelay
  let now: @Sendable () -> Date

  /// The keys as they are known, and those whose traces have to be removed.
  var keys: [ByteKey: SyncedKey] = [:]
  var forgotten: Set<ByteKey> = []
  /// What has come in of which no note was taken yet.
  var touched: [ByteKey: Date] = [:]
  var checksAll = false
  var entries: [ByteKey: RemoteEntry] = [:]
  /// Whether all entries of the remote store have to be looked at.
  var needsSnapshot = false
  /// Whether the file of what is remembered could not be read, and may have been replaced by another.
  var hasLostQueue = false
  /// Whether it was told that another synchronizer uses that file.
  var hasReportedUse = false
  /// The task that listens to the remote store; nil while there is no connection.
  var stream: Task<Void, Never>?
  /// Since when it listens.
  var streamStart = ContinuousClock.now
  /// The task that ends a rest, during which nothing is asked of the remote store; nil while there is none.
  var rest: Task<Void, Never>?

  /// Synchronizes until the mailbox is closed.
  mutating func run() async {
    while let work = await mailbox.next() {
      gather(work)
      do throws(SynchronizationError) {
        try await followStore(work.keys)
        if try await followRemote() { mailbox.resume(work.waiters, result) }
      } catch {
        fail(error, work.waiters)
      }
    }
    disconnect()
    rest?.cancel()
  }

  private mutating func gather(_ work: SyncMailbox.Work) {
    touched.merge(work.touched) { $1 }
    entries.merge(work.entries) { $1 }
    forgotten.formUnion(work.removed)
    if !work.waiters.isEmpty {
      // They want to know about everything, whoever has not told of it yet.
      checksAll = true
      needsSnapshot = true
    }
    if let error = work.disconnection { fail(.remote(error), []) }
    if work.isPrompted { endRest() }
  }

  /// What those are told who waited for all to be done.
  private var result: Result<Void, any Error> {
    for synced in keys.values.sorted(by: { $0.addition < $1.addition }) {
      if let problem = synced.problem { return .failure(problem) }
    }
    return .success(())
  }

  private mutating func fail(_ error: SynchronizationError, _ waiters: Set<Int>) {
    if Task.isCancelled { return }
    if case .queue = error { hasLostQueue = true }
    if stream != nil { retryDelay.afterSuccess(lasting: .now - streamStart) }
    if case .remote = error {
      disconnect()
    } else {
      // That does not pass by itself, as a lost connection does.
      mailbox.resume(waiters, .failure(error))
    }
    report(error)
    var generator = SystemRandomNumberGenerator()
    beginRest(retryDelay.afterFailure(using: &generator))
  }

  private mutating func report(_ error: SynchronizationError) {
    if case .stateFileLocked = error {
      if hasReportedUse { return }
      hasReportedUse = true
    }
    mailbox.report(error)
  }

  /// Changes what is known of a key, and tells when that brings the key to a stop.
  mutating func change(_ key: ByteKey, _ body: (inout SyncedKey) -> Void) {
    guard var synced = keys[key] else { return }
    let wasRunning = synced.problem == nil
    body(&synced)
    keys[key] = synced
    if wasRunning, let problem = synced.problem { mailbox.report(problem) }
    // It has not listened meanwhile.
    if !wasRunning && synced.problem == nil { needsSnapshot = true }
  }

  // MARK: Resting

  mutating func beginRest(_ time: Duration) {
    endRest()
    rest = Task { [mailbox] in
      if (try? await Task.sleep(for: time)) != nil { mailbox.prompt() }
    }
  }

  private mutating func endRest() {
    rest?.cancel()
    rest = nil
  }

  mutating func disconnect() {
    stream?.cancel()
    stream = nil
    mailbox.endStream()
  }
}
