internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// The events for the one worker task of a synchronizer.
typealias SyncEventQueue = EventQueue<SyncEvents, PreferencesSynchronizer.Status>

extension SyncEventQueue {
  /// Creates the queue of a synchronizer, which has no keys.
  convenience init(status: StatusBoard<PreferencesSynchronizer.Status>) {
    self.init(SyncEvents(), hasEvents: false, status: status)
  }

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

  /// Requests what is due at this time.
  func requestMaintenance() {
    post { _ in true }
  }

  func onStep(_ handler: @escaping @Sendable (SyncStep) -> Void) {
    change { $0.stepHandlers.append(handler) }
  }

  /// Ends the queue.
  func cancel() {
    cancel { $0.batch = SyncEvents.Batch() }
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

  /// Begins a stream of the remote changes after a snapshot, which is merged. Events of earlier
  /// streams are ignored from now on.
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
      // With the lock held, so that the last progress stays.
      status.update { $0.show(events.progress) }
      return hasChanges
    }
  }
}

extension PreferencesSynchronizer.Status {
  /// Shows the progress of the stream.
  mutating func show(_ progress: StreamProgress) {
    revision = progress.merged
    remoteRevision = progress.received
  }
}
