internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// Remote changes and uploads.
extension SyncWorker {
  /// Merges the received remote entries and, outside pauses, connects if necessary and uploads pending
  /// records.
  ///
  /// - Returns: Whether all work is complete.
  mutating func exchangeWithRemote() async throws(SynchronizationError) -> Bool {
    if remoteChanges.values.contains(where: \.isRemoval) {
      try await loadCollectedRemovals(upTo: receivedRevision)
    }
    for (key, change) in remoteChanges {
      switch change {
      case .put(let entry): try mergeRemote(entry)
      case .removal(let revision): try mergeRemoteRemoval(of: key, revision: revision)
      }
    }
    remoteChanges = [:]
    try await save()
    events.markMerged(upTo: receivedRevision)
    if stream != nil { seenRevision = max(seenRevision, receivedRevision) }
    if keys.isEmpty {
      disconnect()
      return true
    }
    guard pause?.work != .everything else { return false }
    if stream == nil || needsSnapshot { try await connect() }
    checkClock()
    guard pause == nil else { return false }
    restampPendingRecords()
    // Remote values are saved before uploads replace them.
    try await save()
    let hasUploaded: Bool
    do throws(SynchronizationError) {
      if isUploadFailing { try await look() }
      hasUploaded = try await upload()
    } catch {
      guard error.leavesStream else { throw error }
      pauseUploads(after: error)
      return false
    }
    try await save()
    uploadBackoff.reset()
    isUploadFailing = false
    events.status.update { $0.isUploadFailing = false }
    try await maintainRegistry()
    if hasUploaded && uploadInterval > .zero { beginPause(of: .uploads, uploadInterval) }
    return true
  }

  /// Reads an entry after a failed upload. Unlike a change, a cluster that elects a leader answers that as
  /// soon as it has one, and it may be asked again elsewhere.
  private func look() async throws(SynchronizationError) {
    guard let key = keys.values.first?.key else { return }
    do {
      _ = try await remote.entry(forKey: key, at: nil)
    } catch {
      throw .remote(error)
    }
  }

  /// Reports why nothing can be uploaded, and pauses before the next attempt. Other machines'
  /// changes still arrive, and so does the record of an upload whose answer was lost.
  private mutating func pauseUploads(after error: SynchronizationError) {
    if Task.isCancelled { return }
    isUploadFailing = true
    events.status.update { $0.isUploadFailing = true }
    events.report(error)
    var generator = SystemRandomNumberGenerator()
    beginPause(of: .uploads, uploadBackoff.advance(using: &generator))
  }

  /// Merges a snapshot of the remote store, and starts a stream of its changes if there is none.
  private mutating func connect() async throws(SynchronizationError) {
    do throws(SynchronizationError) {
      try await mergeSnapshot()
    } catch {
      needsSnapshot = true
      throw error
    }
  }

  /// Merges a snapshot of the remote store. After an error it may be merged in part.
  private mutating func mergeSnapshot() async throws(SynchronizationError) {
    let snapshot: RemoteSnapshot
    do {
      snapshot = try await remote.entries()
    } catch {
      throw .remote(error)
    }
    events.status.noteContact()
    events.note(.connected)
    try await loadCollectedRemovals(upTo: snapshot.revision)
    needsSnapshot = false
    var missing = Set(keys.keys)
    for entry in snapshot.entries {
      let key = ByteKey(entry.key)
      missing.remove(key)
      update(key) { $0.discardRevision(unlessOf: entry) }
      try mergeRemote(entry)
    }
    let file = try store.ownFileState()
    for key in missing { mergeRemoteAbsence(of: key, file) }
    if stream == nil { startStream(after: snapshot) }
    try await save()
    seenRevision = snapshot.revision
  }

  private mutating func startStream(after snapshot: RemoteSnapshot) {
    let number = events.beginStream(after: snapshot)
    streamStart = .now
    stream = events.follow(remote, after: snapshot.revision, as: number) { [events] in
      events.recordUpdate($0, from: number)
    }
  }

  /// Merges an entry of the remote store.
  private mutating func mergeRemote(_ entry: RemoteEntry) throws(SynchronizationError) {
    let key = ByteKey(entry.key)
    guard let synced = keys[key], entry.revision > synced.revision else { return }
    events.note(.received(key: entry.key))
    // A local change made since is merged first. A later one must not be replaced.
    let value = mergeLocal(key, setAt: clock.now, try store.ownFileState())
    update(key) { $0.mergeRemote(entry, over: value) }
  }

  /// Merges the removal of an entry from the remote store.
  private mutating func mergeRemoteRemoval(
    of key: ByteKey, revision: Int64
  ) throws(SynchronizationError) {
    guard let synced = keys[key], revision > synced.revision else { return }
    mergeRemoteAbsence(of: key, try store.ownFileState())
  }

  /// Merges the absence of an entry in the remote store: its removal was collected, or it is uploaded
  /// again.
  private mutating func mergeRemoteAbsence(of key: ByteKey, _ file: PreferencesStore.OwnFile) {
    guard let synced = keys[key] else { return }
    // A local change made since is merged first. A later one must not be replaced.
    let isSynchronized = synced.record != nil && !synced.isPending
    let value = isSynchronized ? mergeLocal(key, setAt: clock.now, file) : nil
    let collected = collectedRemovals?.time
    let hasSeenAll = hasSeenCollectedRemovals
    update(key) { $0.mergeRemoteAbsence(collected: collected, hasSeenAll: hasSeenAll, over: value) }
  }

  /// The number of records that are uploaded with one call.
  private static let largestBatch = 500

  /// Uploads the pending records in the order of their times, and again after each conflict that
  /// they win.
  ///
  /// - Returns: Whether there were any.
  private mutating func upload() async throws(SynchronizationError) -> Bool {
    let pending = keys.filter(\.value.isUploadable).compactMap { key, synced in
      synced.record.map { (key: key, time: $0.time) }
    }
    var waiting = pending.sorted { $0.time < $1.time }.map(\.key)[...]
    while !waiting.isEmpty {
      let batch = waiting.prefix(Self.largestBatch)
      waiting = try await upload(batch) + waiting.dropFirst(batch.count)
      showKeys()
    }
    return !pending.isEmpty
  }

  /// Uploads records together.
  ///
  /// - Returns: The keys whose records conflicted and still have to be uploaded.
  private mutating func upload(
    _ batch: some Sequence<ByteKey>
  ) async throws(SynchronizationError) -> [ByteKey] {
    var uploads: [(key: ByteKey, synced: SyncedKey)] = []
    var changes: [RemoteChange] = []
    for key in batch {
      guard let synced = keys[key], synced.isUploadable, let record = synced.record,
        events.isCurrent(key.text, generation: synced.generation)
      else { continue }
      events.note(.uploading(key: key.text))
      uploads.append((key, synced))
      changes.append(
        RemoteChange(key: key.text, data: record.data, replacing: synced.revision))
    }
    if changes.isEmpty { return [] }
    let results: [RemoteChangeResult]
    do {
      results = try await remote.apply(changes)
    } catch {
      throw .remote(error)
    }
    events.status.noteContact()
    if results.count != changes.count {
      throw .remote(RemoteStoreError.inconsistent(key: changes[0].key))
    }
    var overtaken: [ByteKey] = []
    for ((key, synced), result) in zip(uploads, results)
    where events.isCurrent(key.text, generation: synced.generation) {
      try merge(result, of: key)
      guard let after = keys[key], after.isUploadable else { continue }
      // The same change would conflict forever.
      if after.revision == synced.revision {
        throw .remote(RemoteStoreError.inconsistent(key: key.text))
      }
      overtaken.append(key)
    }
    return overtaken
  }

  /// Merges the result of an upload.
  private mutating func merge(
    _ result: RemoteChangeResult, of key: ByteKey
  ) throws(SynchronizationError) {
    switch result {
    case .stored(let revision):
      update(key) { $0.markUploaded(revision: revision) }
      events.note(.uploaded(key: key.text))
    case .conflict(let current?):
      events.note(.overtaken(key: key.text))
      try mergeRemote(current)
    case .conflict(nil):
      events.note(.overtaken(key: key.text))
      mergeRemoteAbsence(of: key, try store.ownFileState())
    case .rejected(let reason):
      update(key) { $0.markRejected(reason: reason) }
    }
  }
}
