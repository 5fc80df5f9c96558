internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The events of a synchronizer, and the state that its worker shares with its callers.
struct SyncEvents: Sendable {
  /// The events since the previous batch, coalesced by key.
  struct Batch: Sendable {
    /// The synchronized keys with their generations.
    var keys: [ByteKey: Int] = [:]
    var removedKeys: Set<ByteKey> = []
    /// The keys changed in the store's own domain, with the dates of the changes.
    var changedKeys: [ByteKey: Date] = [:]
    /// The latest change received from the remote store for each key.
    var remoteChanges: [ByteKey: ReceivedChange] = [:]
    /// The revision up to which remote changes have been received.
    var receivedRevision: Int64 = 0
  }

  var batch = Batch()
  var generationCount = 0
  var stepHandlers: [@Sendable (SyncStep) -> Void] = []
  var progress = StreamProgress()
  /// The number of pending keys as the worker last counted them, and of the changes that it has
  /// taken since.
  var pendingKeys = 0
  var takenChanges = 0

  /// Removes and returns the events since the previous batch; the keys stay.
  mutating func takeBatch() -> Batch {
    takenChanges += batch.changedKeys.count
    batch.receivedRevision = progress.received
    defer { batch = Batch(keys: batch.keys) }
    return batch
  }
}

/// The events for the one worker task of a synchronizer.
typealias SyncEventQueue = EventQueue<SyncEvents, PreferencesSynchronizer.Status>

extension SyncEventQueue {
  // MARK: Callers

  /// The keys in the order they were added.
  var keys: [String] {
    read(\.batch.keys).sorted { $0.value < $1.value }.map(\.key.text)
  }

  func add(_ keys: [String]) {
    post { events in
      let old = events.generationCount
      for key in keys where events.batch.keys[ByteKey(key)] == nil {
        events.generationCount += 1
        events.batch.keys[ByteKey(key)] = events.generationCount
      }
      return events.generationCount > old
    }
  }

  /// Removes keys; nil removes all.
  func remove(_ keys: [String]?) {
    post { events in
      let removed = keys?.map { ByteKey($0) } ?? Array(events.batch.keys.keys)
      for key in removed {
        events.batch.keys[key] = nil
        events.batch.removedKeys.insert(key)
        events.batch.changedKeys[key] = nil
        events.batch.remoteChanges[key] = nil
      }
      return true
    }
  }

  func onStep(_ handler: @escaping @Sendable (SyncStep) -> Void) {
    change { $0.stepHandlers.append(handler) }
  }

  // MARK: Worker

  /// Returns whether a key is still synchronized and has not been added again since a generation.
  func isCurrent(_ key: String, generation: Int) -> Bool {
    read { $0.batch.keys[ByteKey(key)] == generation }
  }

  /// Shows in the status how many keys are pending and stopped, including all changes taken so far.
  func showKeys(pending: Int, stopped: Int) {
    change { events in
      events.pendingKeys = pending
      events.takenChanges = 0
      showPendingKeys(events, stoppedKeys: stopped)
    }
  }

  /// The greatest revision of an entry of the remote store, of any key.
  var newestEntryRevision: Int64 { read(\.progress.newestEntry) }

  /// Records that all remote changes up to a revision are merged.
  func markMerged(upTo revision: Int64) {
    change { events in
      events.progress.merge(upTo: revision)
      status.update { $0.show(events.progress) }
    }
  }

  func note(_ step: SyncStep) {
    for handler in read(\.stepHandlers) { handler(step) }
  }

  // MARK: Observers and streams

  /// Records a change of a key in the store's own domain.
  func recordLocalChange(of key: String, at now: () -> Date) {
    let date = now()
    post { events in
      guard events.batch.keys[ByteKey(key)] != nil else { return false }
      events.batch.changedKeys[ByteKey(key)] = date
      showPendingKeys(events)
      return true
    }
  }

  /// Shows in the status how many keys are pending, with changes not merged yet. The lock is held.
  func showPendingKeys(_ events: SyncEvents, stoppedKeys: Int? = nil) {
    status.update { status in
      status.pendingKeys =
        events.pendingKeys + events.takenChanges + events.batch.changedKeys.count
      if let stoppedKeys { status.stoppedKeys = stoppedKeys }
    }
  }

  /// Begins a stream of the remote changes after a snapshot, which is merged. Later events of
  /// earlier streams are ignored.
  ///
  /// - Returns: The number of the stream.
  func beginStream(after snapshot: RemoteSnapshot) -> Int {
    beginStream { events, status in
      events.progress = StreamProgress(
        revision: snapshot.revision, newestEntry: snapshot.entries.map(\.revision).max() ?? 0)
      status.show(events.progress)
    }
  }

  /// Records an update received from a stream.
  func recordUpdate(_ update: RemoteUpdate, from stream: Int) {
    status.noteContact()
    post(from: stream) { events in
      var hasChanges = false
      for key in update.removedKeys.map({ ByteKey($0) }) where events.batch.keys[key] != nil {
        events.batch.remoteChanges[key] = .removal(revision: update.revision)
        hasChanges = true
      }
      for entry in update.entries where events.batch.keys[ByteKey(entry.key)] != nil {
        events.batch.remoteChanges[ByteKey(entry.key)] = .put(entry)
        hasChanges = true
      }
      events.progress.receive(update, concernsKeys: hasChanges)
      // The lock is held, so that the latest progress is shown.
      status.update { $0.show(events.progress) }
      return hasChanges
    }
  }
}

extension PreferencesSynchronizer.Status {
  mutating func show(_ progress: StreamProgress) {
    revision = progress.merged
    remoteRevision = progress.received
  }
}
