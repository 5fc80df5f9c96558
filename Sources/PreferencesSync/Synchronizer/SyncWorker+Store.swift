internal import FileStorage
internal import FoundationEssentials
internal import Preferences
internal import PropertyList

/// What has changed here.
extension SyncWorker {
  /// Takes note of the keys that there are and of what the store's own domain holds for them, and remembers
  /// it.
  mutating func followStore(_ current: [ByteKey: Int]) async throws(SynchronizationError) {
    for (key, synced) in keys where current[key] != synced.addition {
      keys[key] = nil
      forgotten.insert(key)
    }
    if !current.isEmpty || !forgotten.isEmpty { try await claimQueue() }
    // Both files are read here if they have not been yet.
    let (file, problem) = try await blocking { [store, queue] () throws(SynchronizationError) in
      (try store.checkedOwnFile(), queue.problems.first)
    }
    if let problem { throw .queue(problem) }
    if hasLostQueue {
      for key in keys.keys { change(key) { $0.noteLoss() } }
      hasLostQueue = false
    }
    for (key, addition) in current where keys[key] == nil {
      add(key, addition, file)
    }
    for key in touched.keys { change(key) { $0.noteTouch() } }
    for key in checksAll ? Array(keys.keys) : Array(touched.keys) {
      note(key, at: touched[key] ?? now(), file)
    }
    checksAll = false
    touched = [:]
    try await save()
  }

  /// Sees to it that no other synchronizer uses the file of what is remembered.
  private func claimQueue() async throws(SynchronizationError) {
    if mailbox.claim != nil { return }
    try await blocking { [queue, mailbox] () throws(SynchronizationError) in
      let claim: OwnershipLock?
      do throws(PreferencesError) {
        claim = try queue.claimOwnFile()
      } catch {
        throw .queue(error)
      }
      guard let claim else { throw .stateFileLocked(path: queue.domain) }
      // What the one before has left there.
      queue.synchronize()
      mailbox.keep(claim)
    }
  }

  private mutating func add(
    _ key: ByteKey, _ addition: Int, _ file: PreferencesStore.OwnFile
  ) {
    needsSnapshot = true
    // Who has changed it since it was added, had that in mind.
    let touch = touched.removeValue(forKey: key)
    guard !forgotten.contains(key), let remembered = queue.plistValue(forKey: key.text) else {
      keys[key] = SyncedKey(key.text, addition: addition)
      let value = store.ownValue(forKey: key.text)
      let date = touch ?? now()
      change(key) { $0.note(value, at: date, isNew: touch == nil) }
      return
    }
    let synced = SyncedKey(key.text, addition: addition, remembered: remembered)
    keys[key] = synced
    if let problem = synced.problem { mailbox.report(problem) }
    // What is another value now has become so while nobody looked.
    let date = if case .saved(let date) = file { min(date, now()) } else { now() }
    note(key, at: touch ?? date, file)
  }

  /// Takes note of what the store's own domain holds for a key.
  ///
  /// - Parameter date: When that was set, if it is another value than was known.
  mutating func note(_ key: ByteKey, at date: Date, _ file: PreferencesStore.OwnFile) {
    var value = store.ownValue(forKey: key.text)
    // That a file has gone says nothing about each of its keys.
    let isLost = value == nil && file == .missing
    // Nor is it a change that the file cannot hold a value exactly.
    if let known = keys[key]?.record?.value, value != known, value == store.ownForm(of: known) {
      value = known
    }
    change(key) { synced in
      if isLost { synced.restore(over: value) } else { synced.note(value, at: date) }
    }
  }

  // MARK: Saving

  /// Remembers what has changed, and puts values of the remote store into the store.
  ///
  /// In this order, a crash at any point leaves a state in which what is new here can be told from what is
  /// not: values that were set here are on the store's disk before they are remembered as known, and of
  /// those that come from elsewhere it is remembered what they replace until they are on the store's disk.
  mutating func save() async throws(SynchronizationError) {
    try await remember()
    // One that cannot be saved would keep all others from it.
    for synced in keys.values where synced.isReplacing {
      if let value = synced.record?.value, !store.canHold(value, forKey: synced.key) {
        change(ByteKey(synced.key)) { $0.noteUnstorable() }
      }
    }
    let replacing = keys.values.filter(\.isReplacing)
    if replacing.isEmpty { return }
    try await blocking { [store, mailbox] () throws(SynchronizationError) in
      guard let claim = mailbox.claim else { return }
      defer { withExtendedLifetime(claim) {} }
      for synced in replacing where mailbox.has(synced.key, since: synced.addition) {
        // Where there is another value by now, an observer has told of it.
        _ = store.replaceOwnValue(
          synced.replaced?.value, with: synced.record?.value, forKey: synced.key)
      }
      try store.saveOwnDomain()
    }
    for synced in replacing { change(ByteKey(synced.key)) { $0.noteReplacement() } }
    try await remember()
  }

  /// Brings what has changed to the file of what is remembered.
  private mutating func remember() async throws(SynchronizationError) {
    let changed = keys.values.filter(\.isChanged)
    if changed.isEmpty && forgotten.isEmpty { return }
    let forgotten = forgotten.filter { keys[$0]?.entry == nil }
    try await blocking { [store, queue, mailbox] () throws(SynchronizationError) in
      guard let claim = mailbox.claim else { return }
      defer { withExtendedLifetime(claim) {} }
      try store.saveOwnDomain()
      do throws(PreferencesError) {
        try queue.update { values in
          for key in forgotten { values[key.text] = nil }
          for synced in changed { values[synced.key] = synced.entry?.value }
        }
      } catch {
        throw .queue(error)
      }
    }
    self.forgotten = []
    for synced in changed { change(ByteKey(synced.key)) { $0.noteSaving() } }
  }
}

extension PreferencesStore {
  /// The state of the file of the store's own domain, which can be read.
  func checkedOwnFile() throws(SynchronizationError) -> OwnFile {
    do throws(PreferencesError) {
      return try ownFile()
    } catch {
      throw .store(error)
    }
  }

  /// Brings the store's own domain to its disk.
  fileprivate func saveOwnDomain() throws(SynchronizationError) {
    do throws(PreferencesError) {
      try flush()
    } catch {
      throw .store(error)
    }
  }
}
