internal import FoundationEssentials
internal import Preferences

/// What has changed there.
extension SyncWorker {
  /// Takes note of what the remote store has told, and unless this is a rest, looks for more and uploads
  /// what is to be uploaded.
  ///
  /// - Returns: Whether nothing is left to be done.
  mutating func followRemote() async throws(SynchronizationError) -> Bool {
    for entry in entries.values { try receive(entry) }
    entries = [:]
    try await save()
    if keys.isEmpty {
      disconnect()
      return true
    }
    guard rest == nil else { return false }
    if stream == nil || needsSnapshot { try await connect() }
    // Of what the remote store has first, so that what is uploaded next replaces that.
    try await save()
    let hasUploaded = try await upload()
    try await save()
    if hasUploaded && uploadInterval > .zero { beginRest(uploadInterval) }
    return true
  }

  /// Looks at all that the remote store has, and listens from then on.
  private mutating func connect() async throws(SynchronizationError) {
    let snapshot: RemoteSnapshot
    do {
      snapshot = try await remote.entries()
    } catch {
      throw .remote(error)
    }
    needsSnapshot = false
    var missing = Set(keys.keys)
    for entry in snapshot.entries {
      let key = ByteKey(entry.key)
      missing.remove(key)
      change(key) { $0.noteSnapshot(revision: entry.revision) }
      try receive(entry)
    }
    for key in missing { change(key) { $0.receiveNothing() } }
    if stream == nil { listen(after: snapshot.revision) }
  }

  private mutating func listen(after revision: Int64) {
    let number = mailbox.beginStream()
    streamStart = .now
    stream = Task { [remote, mailbox] in
      do {
        for try await entry in remote.changes(after: revision) {
          mailbox.receive(entry, from: number)
        }
        mailbox.disconnect(RemoteStoreError.unreachable, from: number)
      } catch {
        mailbox.disconnect(error, from: number)
      }
    }
  }

  /// Takes note of an entry of the remote store.
  private mutating func receive(_ entry: RemoteEntry) throws(SynchronizationError) {
    let key = ByteKey(entry.key)
    guard let synced = keys[key], entry.revision > synced.revision else { return }
    // What was set here meanwhile counts first.
    note(key, at: now(), try store.checkedOwnFile())
    let value = store.ownValue(forKey: entry.key)
    change(key) { $0.receive(entry, over: value) }
  }

  /// Uploads what is to be uploaded, what was set first at first.
  ///
  /// - Returns: Whether there was anything.
  private mutating func upload() async throws(SynchronizationError) -> Bool {
    let pending = keys.values.filter(\.isReady).compactMap { synced in
      synced.record.map { (key: synced.key, date: $0.date) }
    }
    for (key, _) in pending.sorted(by: { $0.date < $1.date }) { try await upload(ByteKey(key)) }
    return !pending.isEmpty
  }

  private mutating func upload(_ key: ByteKey) async throws(SynchronizationError) {
    while let synced = keys[key], synced.isReady, let record = synced.record,
      mailbox.has(key.text, since: synced.addition)
    {
      let result: RemotePutResult
      do {
        result = try await remote.put(record.data, forKey: key.text, replacing: synced.revision)
      } catch RemoteStoreError.rejected(let reason) {
        change(key) { $0.noteRejection(reason) }
        return
      } catch {
        throw .remote(error)
      }
      guard mailbox.has(key.text, since: synced.addition) else { return }
      switch result {
      case .stored(let revision):
        change(key) { $0.noteUpload(revision: revision) }
      case .refused(let entry?):
        try receive(entry)
      case .refused(nil):
        change(key) { $0.receiveNothing() }
      }
      // It would be asked the same for ever.
      if let after = keys[key], after.isReady, after.revision == synced.revision {
        throw .remote(RemoteStoreError.contradiction(key: key.text))
      }
    }
  }
}
