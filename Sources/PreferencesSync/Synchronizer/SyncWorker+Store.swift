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
      // Values that the previous holder of the claim has written to the store are not changes.
      _ = try await events.claim(stateFile) { [store] in store.reloadOwnDomain() }
    }
    // The first access loads both files.
    let added = current.filter { keys[$0.key] == nil }
    let (removed, tracked) = (removedKeys.map(\.text), added.keys.map(\.text))
    let (stored, problem) = try await BackgroundThread.run {
      [store, stateFile, tracker] () throws(SynchronizationError) in
      let stored = try store.saveOwnDomain(tracking: tracked, untracking: removed, by: tracker)
      return (stored, stateFile.problems.first)
    }
    self.stored = stored
    if let problem { throw .stateFile(problem) }
    if machine == nil {
      let stored = StateFileMachine(stateFile.plistValue(forKey: StateFileName.machine))
      machine = stored ?? StateFileMachine()
      isMachineUnsaved = stored?.incarnation == nil
    }
    if mayHaveLostStateFile {
      isMachineUnsaved = true
      for key in keys.keys { update(key) { $0.markUnsaved() } }
      mayHaveLostStateFile = false
    }
    for (key, generation) in added { add(key, generation) }
    let changed = checksAllKeys ? Set(keys.keys) : Set(changedKeys.keys).union(added.keys)
    mergeLocal(changed, added: Set(added.keys))
    // A change replaces a value of unknown age, whatever the clock says. A changed key with the
    // same value was set again after it had been added.
    for key in changedKeys.keys { update(key) { $0.markDated() } }
    checksAllKeys = false
    changedKeys = [:]
    try await save()
  }

  /// Starts to synchronize a key, from its entry in the state file if there is one.
  private mutating func add(_ key: ByteKey, _ generation: Int) {
    needsSnapshot = true
    var synced = SyncedKey(key.text, generation: generation)
    if !removedKeys.contains(key),
      let stored = stateFile.plistValue(forKey: StateFileName.entry(ofKey: key.text))
    {
      synced = SyncedKey(key.text, generation: generation, stored: stored)
      if let problem = synced.problem { events.report(problem) }
    }
    keys[key] = synced
  }

  /// Merges the values of keys in the store's own domain.
  ///
  /// - Parameter added: The keys that this run has just begun to synchronize.
  private mutating func mergeLocal(_ changed: Set<ByteKey>, added: Set<ByteKey> = []) {
    let lost = lostKeys(changed)
    if !lost.isEmpty { events.report(.restoredValues(count: lost.count)) }
    let origin = origin
    for key in changed.union(lost) where keys[key] != nil {
      let value = stored.values[key.text]
      let stamped = StampedValue(value, stored.stamps.stamp(forKey: key.text))
      let now = clock.now
      // A change made after the key was added has a known date.
      let date = added.contains(key) ? changedKeys[key] : nil
      let own = SyncedKey.OwnValue(
        value: value, stamped: stamped, date: date ?? stored.date.map { min($0, now) } ?? now,
        isLost: lost.contains(key))
      let isInitial = added.contains(key) && date == nil
      update(key) { $0.mergeLocal(own, by: origin, isInitial: isInitial) }
    }
  }

  /// The keys whose values a program without stamps has removed, if they are more than half of at
  /// least four, and some of them were just changed.
  private func lostKeys(_ changed: Set<ByteKey>) -> Set<ByteKey> {
    func hadValue(_ key: ByteKey) -> Bool {
      stored.stamps.stamp(forKey: key.text).map { $0.hash != 0 } ?? false
    }
    func isLost(_ key: ByteKey) -> Bool { stored.values[key.text] == nil && hadValue(key) }
    guard changed.contains(where: isLost) else { return [] }
    let (lost, count) = (keys.keys.filter(isLost), keys.keys.count(where: hadValue))
    return count >= 4 && lost.count * 2 > count ? Set(lost) : []
  }

  // MARK: Saving

  /// Writes remote values to the store, and saves changed state to the state file.
  ///
  /// After a crash at any point, the stamps in the store's file show which of its values are
  /// changes. The store's file is saved first, unless a time in it becomes earlier: a later change
  /// must have a later time than the state file.
  mutating func save() async throws(SynchronizationError) {
    // Repeated for keys that have changed again.
    for _ in 0..<10 {
      let receding = keys.values.filter(\.isReceding)
      if !receding.isEmpty { try await saveState(of: receding) }
      guard try await writeLocally() else { break }
    }
    let changed = keys.values.filter(\.isUnsaved)
    if !changed.isEmpty || !removedKeys.isEmpty || isMachineUnsaved {
      try await saveState(of: changed)
    }
    answeredUploads = []
  }

  /// Writes remote values and missing stamps to the store, unless it has later values.
  ///
  /// - Returns: Whether there was anything to write.
  private mutating func writeLocally() async throws(SynchronizationError) -> Bool {
    // A value that the store cannot save would prevent it from saving all others.
    for synced in keys.values {
      if let value = synced.localWrite?.value,
        let obstacle = store.obstacle(to: value, forKey: synced.key)
      {
        update(ByteKey(synced.key)) { $0.markUnstorable(obstacle) }
      }
    }
    let changed = keys.values.filter { synced in
      synced.localWrite != nil
        || (synced.problem == nil && !stored.stamps.isTracked(synced.key, by: tracker))
    }
    if changed.isEmpty { return false }
    let result = try await BackgroundThread.run {
      [store, events, tracker] () throws(SynchronizationError) -> PreferencesStore.StampedValues? in
      guard let claim = events.stateFileClaim else { return nil }
      defer { withExtendedLifetime(claim) {} }
      let current = changed.filter { events.isCurrent($0.key, generation: $0.generation) }
      var change = StampUpdate(by: tracker)
      change.tracked = current.map(\.key)
      change.writes = current.compactMap(\.localWrite)
      if change.isEmpty { return nil }
      do throws(PreferencesError) { return try store.update(change) } catch { throw .store(error) }
    }
    guard let result else { return false }
    stored = result
    let current = changed.filter { events.isCurrent($0.key, generation: $0.generation) }
    for synced in current {
      let stamp = stored.stamps.stamp(forKey: synced.key)
      if let write = synced.localWrite, stamp?.time == write.time,
        stamp?.hash ?? 0 != write.known.hash
      {
        events.note(.storedLocally(key: synced.key))
      }
    }
    // This is reported once, for the first key.
    let untracked = current.filter { !stored.stamps.isTracked($0.key, by: tracker) }
    for synced in untracked { keys[ByteKey(synced.key)]?.markUntracked() }
    if let problem = untracked.first.flatMap({ keys[ByteKey($0.key)]?.problem }) {
      events.report(problem)
    }
    mergeLocal(Set(changed.map { ByteKey($0.key) }))
    return true
  }

  /// Saves changed state to the state file.
  private mutating func saveState(of changed: [SyncedKey]) async throws(SynchronizationError) {
    let removed = removedKeys.filter { keys[$0]?.entry == nil }
    // A mark whose write was not answered may have the current incarnation.
    if markRevision != nil || machine?.incarnation == nil { machine?.renewIncarnation() }
    let isSaved = try await BackgroundThread.run {
      [stateFile, events, keys, machine] () throws(SynchronizationError) -> Bool in
      // There is no claim after cancellation, and before there are keys.
      guard let claim = events.stateFileClaim else { return false }
      defer { withExtendedLifetime(claim) {} }
      try stateFile.updateState(of: changed, among: keys, removing: removed, machine)
      return true
    }
    guard isSaved else { return }
    removedKeys = []
    isMachineUnsaved = false
    for synced in changed { update(ByteKey(synced.key)) { $0.markSaved() } }
  }
}

extension PreferencesStore {
  /// Saves the store's own domain. Later changes of added keys have stamps, and changes of removed
  /// keys have none.
  fileprivate func saveOwnDomain(
    tracking added: [String], untracking removed: [String], by tracker: String
  ) throws(SynchronizationError) -> StampedValues {
    do throws(PreferencesError) {
      // Values that were set before have no known time.
      try saveChanges()
      let stored = try stampedValues()
      var change = StampUpdate(by: tracker)
      change.untracked = removed.filter { stored.stamps.isTracked($0, by: tracker) }
      change.tracked = added.filter {
        !stored.stamps.isTracked($0, by: tracker) || change.untracked.contains($0)
      }
      return change.isEmpty ? stored : try update(change)
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
        // A removed file contains nothing.
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
