internal import FoundationEssentials
internal import Preferences

/// Remote changes and uploads.
extension SyncWorker {
  /// Merges the received remote entries and, outside a pause, connects if necessary and uploads
  /// pending records.
  ///
  /// - Returns: Whether all work is complete.
  mutating func exchangeWithRemote() async throws(SynchronizationError) -> Bool {
    for entry in remoteEntries.values { try mergeRemote(entry) }
    remoteEntries = [:]
    try await save()
    if keys.isEmpty {
      disconnect()
      return true
    }
    guard pause == nil else { return false }
    if stream == nil || needsSnapshot { try await connect() }
    // Remote values are saved before uploads replace them.
    try await save()
    let hasUploaded = try await upload()
    try await save()
    if hasUploaded && uploadInterval > .zero { beginPause(uploadInterval) }
    return true
  }

  /// Merges a snapshot of the remote store, and starts a stream of its changes if there is none.
  private mutating func connect() async throws(SynchronizationError) {
    let snapshot: RemoteSnapshot
    do {
      snapshot = try await remote.entries()
    } catch {
      throw .remote(error)
    }
    events.note(.connected)
    needsSnapshot = false
    var missing = Set(keys.keys)
    for entry in snapshot.entries {
      let key = ByteKey(entry.key)
      missing.remove(key)
      update(key) { $0.discardRevision(after: entry.revision) }
      try mergeRemote(entry)
    }
    for key in missing { update(key) { $0.mergeRemoteAbsence() } }
    if stream == nil { startStream(after: snapshot.revision) }
  }

  private mutating func startStream(after revision: Int64) {
    let number = events.beginStream()
    streamStart = .now
    stream = Task { [remote, events] in
      do {
        for try await entry in remote.changes(after: revision) {
          events.recordRemoteChange(entry, from: number)
        }
        events.recordDisconnection(RemoteStoreError.unreachable, from: number)
      } catch {
        events.recordDisconnection(error, from: number)
      }
    }
  }

  /// Merges an entry of the remote store.
  private mutating func mergeRemote(_ entry: RemoteEntry) throws(SynchronizationError) {
    let key = ByteKey(entry.key)
    guard let synced = keys[key], entry.revision > synced.revision else { return }
    events.note(.received(key: entry.key))
    // A local change made meanwhile is merged first.
    mergeLocal(key, setAt: now(), try store.ownFileState())
    let value = store.ownValue(forKey: entry.key)
    update(key) { $0.mergeRemote(entry, over: value) }
  }

  /// Uploads the pending records in the order of their dates.
  ///
  /// - Returns: Whether there were any.
  private mutating func upload() async throws(SynchronizationError) -> Bool {
    let pending = keys.values.filter(\.isUploadable).compactMap { synced in
      synced.record.map { (key: synced.key, date: $0.date) }
    }
    for (key, _) in pending.sorted(by: { $0.date < $1.date }) { try await upload(ByteKey(key)) }
    return !pending.isEmpty
  }

  /// Uploads the record of a key, again after each conflict that it wins.
  private mutating func upload(_ key: ByteKey) async throws(SynchronizationError) {
    while let synced = keys[key], synced.isUploadable, let record = synced.record,
      events.isCurrent(key.text, generation: synced.generation)
    {
      events.note(.uploading(key: key.text))
      let result: RemotePutResult
      do {
        result = try await remote.put(record.data, forKey: key.text, replacing: synced.revision)
      } catch RemoteStoreError.rejected(let reason) {
        update(key) { $0.markRejected(reason: reason) }
        return
      } catch {
        throw .remote(error)
      }
      guard events.isCurrent(key.text, generation: synced.generation) else { return }
      switch result {
      case .stored(let revision):
        update(key) { $0.markUploaded(revision: revision) }
        events.note(.uploaded(key: key.text))
      case .conflict(let current?):
        events.note(.overtaken(key: key.text))
        try mergeRemote(current)
      case .conflict(nil):
        events.note(.overtaken(key: key.text))
        update(key) { $0.mergeRemoteAbsence() }
      }
      // The same put would conflict forever.
      if let after = keys[key], after.isUploadable, after.revision == synced.revision {
        throw .remote(RemoteStoreError.inconsistent(key: key.text))
      }
    }
  }
}
