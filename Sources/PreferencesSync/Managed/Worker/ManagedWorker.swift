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
  var connection: RemoteConnection<ManagedEvents, ManagedPreferencesReplica.Status>
  /// The minimum time between saves of the revision while no file changes.
  let revisionInterval: Duration

  /// The contents of the state file, with a revision that may be later.
  var state = ManagedState()
  /// The revision in the state file, and when the file was read or saved.
  var savedRevision: Int64 = 0
  var saveTime = ContinuousClock.now
  /// The domains whose files may differ from the remote store.
  var unsaved: Set<ByteKey> = []
  var domains: [ByteKey: ManagedPreferencesReplica.Status.Domain] = [:]
  var needsSnapshot = true
  var strayEntry: ManagedPreferencesError?
  /// The task that ends a pause after a failure; nil outside a pause.
  var pause: Task<Void, Never>?

  /// Replicates until the event queue is canceled.
  mutating func run() async {
    while let batch = await events.next({ exchange(&$0, with: ManagedEvents()) }) {
      if batch.isImmediate || batch.events.endsPause { endPause() }
      if batch.isImmediate { needsSnapshot = true }
      do throws(ManagedPreferencesError) {
        try await claimStateFile()
        try merge(batch.events)
        if let error = batch.disconnection, !batch.isImmediate {
          try await save()
          throw .remote(error)
        }
        guard pause == nil || connection.isOpen else { continue }
        if !connection.isOpen || needsSnapshot { try await connect() }
        try await save()
        events.resume(batch.waiters, with: result)
      } catch {
        handle(error, batch.waiters)
      }
    }
    connection.close()
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
    beginPause(connection.fail(error, waiters))
    connection.close()
  }

  mutating func beginPause(_ duration: Duration) {
    endPause()
    pause = Task { [events] in
      if (try? await Task.sleep(for: duration)) != nil {
        events.post { !exchange(&$0.endsPause, with: true) }
      }
    }
  }

  mutating func endPause() {
    pause?.cancel()
    pause = nil
  }
}
