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
      case .put(let entry): mergeRemote(entry)
      case .removal(let revision):
        if let synced = keys[key], revision > synced.revision { mergeRemoteAbsence(of: key) }
      }
    }
    remoteChanges = [:]
    try await save()
    events.markMerged(upTo: receivedRevision)
    if connection.isOpen { seenRevision = max(seenRevision, receivedRevision) }
    if keys.isEmpty {
      connection.close()
      return true
    }
    guard pause?.work != .everything else { return false }
    if !connection.isOpen || needsSnapshot { try await connect() }
    await checkClock()
    guard pause == nil else { return false }
    var hasUploaded = false
    do throws(SynchronizationError) {
      var pending: ArraySlice<ByteKey> = []
      while true {
        if try await loadMark() { try await connect() }
        if pending.isEmpty || answeredUploads.count > Self.largestMark / 2 {
          try await refuseLateUploads()
          restampPendingRecords()
          // Remote values are saved before uploads replace them.
          try await save()
          if pending.isEmpty { pending = pendingKeys }
        }
        if pending.isEmpty { break }
        // Without a conflict, nothing else must be saved before the next uploads.
        let isStored = try await upload(pending.prefix(largestBatch))
        pending = isStored ? pending.dropFirst(largestBatch) : []
        hasUploaded = true
        showKeys()
      }
    } catch {
      guard error.leavesStream else { throw error }
      pauseUploads(after: error)
      return false
    }
    uploadBackoff.reset()
    isUploadFailing = false
    events.status.update { $0.isUploadFailing = false }
    try await maintainRegistry()
    if hasUploaded && uploadInterval > .zero { beginPause(of: .uploads, uploadInterval) }
    return true
  }

  /// Before a record gets an earlier time, makes sure that an earlier process's upload of it has
  /// taken place or never will.
  private mutating func refuseLateUploads() async throws(SynchronizationError) {
    guard mayHaveLateUpload, let now = clock.certainNow else { return }
    let latest = now + clock.tolerance / .seconds(1)
    guard keys.values.contains(where: { $0.isRestampable(after: latest) }) else { return }
    // If the mark cannot be written, the records keep their times.
    _ = try? await apply([], uploads: [])
    if !mayHaveLateUpload { try await connect() }
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
  /// After an error, the snapshot may be partly merged.
  private mutating func connect() async throws(SynchronizationError) {
    needsSnapshot = true
    // An entry that is missing afterwards has been removed.
    _ = try await loadMark()
    let snapshot: RemoteSnapshot
    do {
      snapshot = try await remote.entries()
    } catch {
      throw .remote(error)
    }
    events.status.noteContact()
    events.note(.connected)
    try await loadCollectedRemovals(upTo: snapshot.revision)
    var missing = Set(keys.keys)
    for entry in snapshot.entries {
      let key = ByteKey(entry.key)
      missing.remove(key)
      update(key) { $0.discardRevision(unlessOf: entry) }
      mergeRemote(entry)
    }
    for key in missing { mergeRemoteAbsence(of: key) }
    if machine?.mark?.uploads != nil {
      machine?.mark?.uploads = nil
      isMachineUnsaved = true
    }
    needsSnapshot = false
    if !connection.isOpen {
      let number = events.beginStream(after: snapshot)
      connection.open(remote, after: snapshot.revision, as: number) { [events] in
        events.recordUpdate($0, from: number)
      }
    }
    try await save()
    seenRevision = snapshot.revision
  }

  /// Merges an entry of the remote store.
  private mutating func mergeRemote(_ entry: RemoteEntry) {
    let key = ByteKey(entry.key)
    guard let synced = keys[key], entry.revision > synced.revision else { return }
    events.note(.received(key: entry.key))
    update(key) { $0.mergeRemote(entry) }
  }

  /// Merges the absence of an entry: its removal was collected, or it is uploaded again.
  private mutating func mergeRemoteAbsence(of key: ByteKey) {
    let collected = collectedRemovals?.time
    let hasSeenAll = seenRevision >= collectedRemovals?.revision ?? 0
    let mark = machine?.mark
    update(key) { $0.mergeRemoteAbsence(collected: collected, hasSeenAll: hasSeenAll, mark) }
  }

  /// The number of records that are uploaded with one call, which may be a transaction.
  private var largestBatch: Int { collector == nil ? 500 : Self.largestMark / 2 }
  /// The number of records that a mark names. The state file, which has all keys, is not saved more often.
  static let largestMark = 200

  /// The keys with pending records, in the order of their times.
  private var pendingKeys: ArraySlice<ByteKey> {
    let pending = keys.compactMap { key, synced in
      synced.isUploadable && events.isCurrent(key.text, generation: synced.generation)
        ? synced.record.map { (key: key, time: $0.time) } : nil
    }
    return pending.sorted { $0.time < $1.time }.map(\.key)[...]
  }

  /// Uploads pending records, or merges the entries that they conflict with.
  ///
  /// - Returns: Whether all were stored.
  private mutating func upload(
    _ pending: ArraySlice<ByteKey>
  ) async throws(SynchronizationError) -> Bool {
    let uploads = pending.compactMap { keys[$0] }.filter {
      $0.isUploadable && events.isCurrent($0.key, generation: $0.generation)
    }.compactMap { synced in synced.record.map { (synced: synced, record: $0) } }
    if uploads.isEmpty { return true }
    for (synced, _) in uploads { events.note(.uploading(key: synced.key)) }
    let results: [RemoteChangeResult]
    do {
      results = try await apply(
        uploads.map { RemoteChange(key: $0.key, data: $1.data, replacing: $0.revision) },
        uploads: uploads.compactMap(\.synced.fingerprint))
    } catch {
      for (synced, _) in uploads { update(ByteKey(synced.key)) { $0.markUnanswered() } }
      throw .remote(error)
    }
    events.status.noteContact()
    let current = zip(uploads.map(\.synced), results).filter { synced, _ in
      events.isCurrent(synced.key, generation: synced.generation)
    }
    for (old, result) in current { merge(result, of: old) }
    let isUnchanged = current.allSatisfy { old, _ in
      let new = keys[ByteKey(old.key)]
      return new?.isUploadable == true && new?.revision == old.revision
    }
    // If the mark has not conflicted, the same changes would conflict forever.
    let isStuck = isUnchanged && !current.isEmpty && (collector == nil || markRevision != nil)
    if isStuck || results.count != uploads.count {
      throw .remote(RemoteStoreError.inconsistent(key: uploads[0].synced.key))
    }
    return results.allSatisfy { if case .stored = $0 { true } else { false } }
  }

  /// Merges the result of an upload.
  private mutating func merge(_ result: RemoteChangeResult, of old: SyncedKey) {
    let key = ByteKey(old.key)
    switch result {
    case .stored(let revision):
      update(key) { $0.markUploaded(revision: revision) }
      events.note(.uploaded(key: old.key))
    case .conflict(let current):
      // Otherwise another record of the transaction has conflicted.
      if current?.revision ?? 0 != old.revision { events.note(.overtaken(key: old.key)) }
      if let current { mergeRemote(current) } else { mergeRemoteAbsence(of: key) }
    case .rejected(let reason):
      update(key) { $0.markRejected(reason: reason) }
    }
  }
}
