internal import Preferences
internal import PropertyList

/// The calls of the worker.
extension SyncEventQueue {
  /// Waits for events, and returns them; nil after cancellation.
  func next() async -> EventBatch<SyncEvents.Batch>? {
    await next { $0.takeBatch() }
  }

  /// Returns whether a key is still synchronized and has not been added again since a generation.
  func isCurrent(_ key: String, generation: Int) -> Bool {
    read { $0.batch.keys[ByteKey(key)] == generation }
  }

  /// Shows in the status how many keys are pending and stopped, all changes taken before included.
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
}
