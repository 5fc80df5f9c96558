internal import FoundationEssentials
internal import Preferences
internal import PropertyList
internal import Threading

/// Local changes.
extension SyncWorker {
  /// Merges added and removed keys and the changes of the store's own domain, and saves the result.
  mutating func mergeLocalChanges(_ current: [ByteKey: Int]) async throws(SynchronizationError) {
    for (key, synced) in keys where current[key] != synced.generation {
      keys[key] = nil
      removedKeys.insert(key)
    }
    if !current.isEmpty || !removedKeys.isEmpty {
      // What the previous holder of the claim has written to the store is not a change.
      _ = try await events.claim(stateFile) { [store] in store.reloadOwnDomain() }
    }
    // The first access loads both files.
    let (file, problem) = try await BackgroundThread.run {
      [store, stateFile] () throws(SynchronizationError) in
      (try store.ownFileState(), stateFile.problems.first)
    }
    if let problem { throw .stateFile(problem) }
    if case .saved = file { hasStoreFile = true }
    if machine == nil {
      let stored = StateFileMachine(stateFile.plistValue(forKey: StateFileName.machine))
      machine = stored ?? StateFileMachine()
      isMachineUnsaved = stored == nil
    }
    if mayHaveLostStateFile {
      isMachineUnsaved = true
      for key in keys.keys { update(key) { $0.markUnsaved() } }
      mayHaveLostStateFile = false
    }
    for (key, generation) in current where keys[key] == nil {
      add(key, generation, file)
    }
    for key in changedKeys.keys { update(key) { $0.markDated() } }
    for key in checksAllKeys ? Array(keys.keys) : Array(changedKeys.keys) {
      mergeLocal(key, setAt: changedKeys[key] ?? clock.now, file)
    }
    checksAllKeys = false
    changedKeys = [:]
    try await save()
  }

  /// Starts to synchronize a key, from its entry in the state file if there is one.
  private mutating func add(
    _ key: ByteKey, _ generation: Int, _ file: PreferencesStore.OwnFile
  ) {
    needsSnapshot = true
    // A change made after the key was added has a known date.
    let change = changedKeys.removeValue(forKey: key)
    guard !removedKeys.contains(key),
      let stored = stateFile.plistValue(forKey: StateFileName.entry(ofKey: key.text))
    else {
      keys[key] = SyncedKey(key.text, generation: generation)
      let value = store.ownValue(forKey: key.text)
      let date = change ?? clock.now
      let origin = origin
      update(key) { $0.mergeLocal(value, setAt: date, by: origin, isInitial: change == nil) }
      return
    }
    let synced = SyncedKey(key.text, generation: generation, stored: stored)
    keys[key] = synced
    if synced.hasSavedValue { hasStoreFile = true }
    if let problem = synced.problem { events.report(problem) }
    // A value that differs from the stored one was changed while no synchronizer ran.
    let date = if case .saved(let date) = file { min(date, clock.now) } else { clock.now }
    mergeLocal(key, setAt: change ?? date, file)
  }

  /// Merges the value of a key in the store's own domain.
  ///
  /// - Parameter date: The date of the change, if the value differs from the known one.
  /// - Returns: The value, which another thread may have changed since.
  @discardableResult
  mutating func mergeLocal(
    _ key: ByteKey, setAt date: Date, _ file: PreferencesStore.OwnFile
  ) -> PlistValue? {
    let own = store.ownValue(forKey: key.text)
    var value = own
    // A missing file is not a removal of each of its keys. One that was never there is not missing.
    // It may have been removed before the value was read, and after the state was.
    let isLost = value == nil && hasStoreFile && (file == .missing || isStoreFileMissing)
    // A value that the file's format has rounded is not a change.
    if let known = keys[key]?.record?.value, value != known, value == store.ownForm(of: known) {
      value = known
    }
    let origin = origin
    update(key) { synced in
      if isLost {
        synced.scheduleLocalWrite(over: value)
      } else {
        synced.mergeLocal(value, setAt: date, by: origin)
      }
    }
    return own
  }

  private var isStoreFileMissing: Bool { (try? store.ownFileState()) == .missing }

  // MARK: Saving

  /// Saves changed state to the state file, and writes remote values to the store.
  ///
  /// The order of writes lets a successor tell new values from known ones after a crash at any
  /// point: local values are on disk in the store before the state file records them as known, and
  /// the state file records which value a remote value replaces until that is on disk in the store.
  mutating func save() async throws(SynchronizationError) {
    try await saveState()
    // A value that the store cannot save would keep it from saving all others.
    for synced in keys.values where synced.needsLocalWrite {
      if let value = synced.record?.value,
        let obstacle = store.obstacle(to: value, forKey: synced.key)
      {
        update(ByteKey(synced.key)) { $0.markUnstorable(obstacle) }
      }
    }
    let writes = keys.values.filter(\.needsLocalWrite)
    if writes.isEmpty { return }
    // Otherwise the values that stay would seem to be set again.
    do throws(PreferencesError) { try store.checkWritable() } catch { throw .store(error) }
    let (machine, clock, hadFile) = (machine, clock, hasStoreFile)
    let (written, result) = await BackgroundThread.run {
      [store, stateFile, events, keys] () -> ([SyncedKey], Result<Bool, SynchronizationError>) in
      guard let claim = events.stateFileClaim else { return ([], .success(false)) }
      defer { withExtendedLifetime(claim) {} }
      // What another process has saved since is not replaced unseen.
      store.reloadOwnDomain()
      var written: [SyncedKey] = []
      for var synced in writes where events.isCurrent(synced.key, generation: synced.generation) {
        // If the store has another value by now, its observer has recorded that change. So it is if
        // the old value was set again since the new one replaced it.
        let isStored =
          !synced.isReplacedInMemory
          && store.replaceOwnValue(
            synced.replaced?.value, with: synced.record?.value, forKey: synced.key)
        if isStored { events.note(.storedLocally(key: synced.key)) }
        // It stays where the file could not be read; the next attempt writes it.
        let isUnwritten =
          !isStored && !synced.isReplacedInMemory
          && store.ownValue(forKey: synced.key) == synced.replaced?.value
        if isUnwritten { continue }
        synced.markLocalWrite()
        written.append(synced)
      }
      do throws(SynchronizationError) {
        // Also after cancellation: a later change back to the old value would seem to be that value.
        let (saved, isSaved) = try Self.save(
          store, written, of: keys, machine, hadFile: hadFile, at: clock.now, to: stateFile,
          areWritten: true)
        return (saved, .success(isSaved))
      } catch {
        return (written, .failure(error))
      }
    }
    for synced in written {
      update(ByteKey(synced.key)) {
        $0 = synced
        if case .success = result { $0.markSaved() }
      }
    }
    if try result.get() { hasStoreFile = true }
  }

  /// Saves the store, and then changed state to the state file.
  private mutating func saveState() async throws(SynchronizationError) {
    let changed = keys.values.filter(\.isUnsaved)
    if changed.isEmpty && removedKeys.isEmpty && !isMachineUnsaved { return }
    let removed = removedKeys.filter { keys[$0]?.entry == nil }
    let (machine, clock, hadFile) = (machine, clock, hasStoreFile)
    let result = try await BackgroundThread.run {
      [store, stateFile, events, keys] () throws(SynchronizationError) -> ([SyncedKey], Bool)? in
      // There is none after cancellation, and before there are keys.
      guard let claim = events.stateFileClaim else { return nil }
      defer { withExtendedLifetime(claim) {} }
      return try Self.save(
        store, changed, of: keys, machine, hadFile: hadFile, at: clock.now, to: stateFile,
        removing: removed)
    }
    guard let (saved, isSaved) = result else { return }
    if isSaved { hasStoreFile = true }
    removedKeys = []
    isMachineUnsaved = false
    for synced in saved {
      update(ByteKey(synced.key)) {
        $0 = synced
        $0.markSaved()
      }
    }
  }

  /// Saves the store, and then the entries of keys to the state file.
  ///
  /// - Parameters:
  ///   - all: All keys, which a state file that was lost gets.
  ///   - hadFile: Whether the store had a file before.
  ///   - areWritten: Whether the records' values are in the store now.
  /// - Returns: The keys as saved, and whether the store has a file with all values.
  private static func save(
    _ store: PreferencesStore, _ keys: [SyncedKey], of all: [ByteKey: SyncedKey],
    _ machine: StateFileMachine?, hadFile: Bool, at date: Date, to stateFile: PreferencesStore,
    removing removed: Set<ByteKey> = [], areWritten: Bool = false
  ) throws(SynchronizationError) -> ([SyncedKey], Bool) {
    let file = try store.saveOwnDomain()
    var saved = keys
    for index in saved.indices {
      if areWritten { saved[index].markLocalWriteSaved() }
      if !hadFile {
        saved[index].mergeRemoval(from: store, file, at: date, by: machine?.origin ?? "")
      }
    }
    try stateFile.updateState(of: saved, among: all, removing: removed, machine)
    return if case .saved = file { (saved, true) } else { (saved, false) }
  }
}

extension SyncedKey {
  /// Merges the removal of a value before the store had a file.
  ///
  /// The observer has also recorded it. But if the synchronizer ends before that is merged, the value
  /// would seem to be one of a file that is missing now, and would be restored.
  ///
  /// - Parameter file: The state of the file after it was saved.
  fileprivate mutating func mergeRemoval(
    from store: PreferencesStore, _ file: PreferencesStore.OwnFile, at date: Date, by origin: String
  ) {
    guard file == .missing, store.ownValue(forKey: key) == nil else { return }
    mergeLocal(nil, setAt: date, by: origin)
  }
}

extension PreferencesStore {
  /// Returns the state of the file of the store's own domain; throws if it cannot be read.
  func ownFileState() throws(SynchronizationError) -> OwnFile {
    do throws(PreferencesError) {
      return try ownFile()
    } catch {
      throw .store(error)
    }
  }

  /// Saves the store's own domain.
  ///
  /// - Returns: The state of the file then; it is missing before the first value.
  fileprivate func saveOwnDomain() throws(SynchronizationError) -> OwnFile {
    do throws(PreferencesError) {
      try flush()
      return try ownFile()
    } catch {
      throw .store(error)
    }
  }

  /// Changes the entries of keys in this state file, and saves it.
  fileprivate func updateState(
    of changed: [SyncedKey], among all: [ByteKey: SyncedKey], removing removed: Set<ByteKey>,
    _ machine: StateFileMachine?
  ) throws(SynchronizationError) {
    do throws(PreferencesError) {
      try update { values in
        // A file that was removed has nothing.
        let isLost = values[StateFileName.machine] == nil
        if let machine { values[StateFileName.machine] = machine.value }
        for key in removed { values[StateFileName.entry(ofKey: key.text)] = nil }
        for synced in isLost ? Array(all.values) : [] {
          guard let entry = synced.entry else { continue }
          values[StateFileName.entry(ofKey: synced.key)] = entry.value
        }
        for synced in changed {
          values[StateFileName.entry(ofKey: synced.key)] = synced.entry?.value
        }
      }
    } catch {
      throw .stateFile(error)
    }
  }
}
