internal import FileStorage
internal import PropertyList
internal import Threading

extension DomainFile {
  /// An edit on top of all other changes. Its result must be values that preferences can hold. If
  /// it returns false, nothing is saved.
  typealias Edit = (inout PlistDictionary) -> Bool

  /// Commits the changes made so far. If that fails, the changes stay and can be committed later.
  func commit(within limit: TimeLimit, _ delivery: inout Delivery) throws(PreferencesError) {
    try inTurn(within: limit) { turn throws(PreferencesError) in
      try commit(limit, turn, &delivery)
    }
  }

  private func commit(
    _ limit: TimeLimit, _ turn: borrowing Turn, _ delivery: inout Delivery
  ) throws(PreferencesError) {
    if beginSaving(&delivery) { try save(limit, turn, &delivery) }
  }

  /// Commits the changes made so far together with an edit. If that fails, the changes stay and can
  /// be committed later.
  ///
  /// - Parameter edit: Called again if another program has changed the file during the commit.
  func commit(
    within limit: TimeLimit, _ delivery: inout Delivery, _ edit: Edit
  ) throws(PreferencesError) {
    try inTurn(within: limit) { turn throws(PreferencesError) in
      // Otherwise reading a value in the edit could load the file.
      open(turn, until: limit.deadline, &delivery)
      beginSaving(&delivery)
      try save(limit, turn, &delivery, hasEdit: true) { values throws(PreferencesError) in
        // A fork does not wait for code outside the library.
        ForkGate.shared.allowingForks { edit(&values) }
      }
    }
  }

  /// Commits the changes made so far together with an update of a synchronizer.
  func commit(
    _ update: StampUpdate, within limit: TimeLimit, _ delivery: inout Delivery
  ) throws(PreferencesError) {
    try inTurn(within: limit) { turn throws(PreferencesError) in
      open(turn, until: limit.deadline, &delivery)
      beginSaving(&delivery)
      try save(limit, turn, &delivery, hasEdit: true, update)
    }
  }

  /// Commits the changes made so far in the turn of an update that ends the process.
  func commitWithinUpdate(_ limit: TimeLimit) throws(PreferencesError) {
    var delivery = Delivery()
    try lane.withinTurn { turn throws(PreferencesError) in try commit(limit, turn, &delivery) }
  }

  /// Calls a closure in a turn, or throws after a timeout or if this thread already has the turn.
  func inTurn<Result>(
    within limit: TimeLimit, _ body: (borrowing Turn) throws(PreferencesError) -> Result
  ) throws(PreferencesError) -> Result {
    if let result = try withTurn(until: limit.deadline, body) { return result }
    throw lane.isHeldHere
      ? .withinUpdate(path: path ?? "")
      : .lockTimeout(path: path ?? "", waited: limit.duration, lockFile: nil)
  }

  /// Begins to commit all changes made so far, and returns whether there are any.
  @discardableResult
  private func beginSaving(_ delivery: inout Delivery) -> Bool {
    StateLock.change { change in
      values.beginSaving(in: change, &delivery)
      let isSaving = values.isSaving(in: change)
      if isSaving { change[state].saving.begin() }
      return isSaving
    }
  }

  /// Saves the changes being committed and publishes the new contents of the file.
  private func save(
    _ limit: TimeLimit, _ turn: borrowing Turn, _ delivery: inout Delivery, hasEdit: Bool = false,
    _ update: StampUpdate? = nil,
    _ edit: (inout PlistDictionary) throws(PreferencesError) -> Bool = { _ in true }
  ) throws(PreferencesError) {
    // Only the thread that has the turn changes these values.
    let (before, old, stamps) = StateLock.change {
      ($0[state], values.dictionary(in: $0), $0[state].constraints?.stamps)
    }
    let known = DomainContents(values: old, file: before.file, stamps: stamps?.stored)
    let saved = values.savingKeys(turn)
    let stamping = Stamping(stamps, values: old, ownKeys: saved.keys, update)
    /// The changed keys, if they are known.
    let ownKeys = !hasEdit && !saved.replacesAll ? saved.keys : nil

    let merge: Merge?
    do throws(PreferencesError) {
      if let path {
        let start = ContinuousClock.now
        merge = try write(
          to: path, known: known, before, ownKeys: ownKeys, stamping, limit, turn, &delivery,
          edit)
        if merge != nil { runtime.commits.note(since: start) }
      } else {
        var new = values.merge(into: known, isKnown: true, turn)
        let isEdited = try edit(&new.contents.values)
        if let stamping { new.stamp(stamping, isKnown: true, at: "", isRounded: false) }
        merge = isEdited ? new : nil
      }
    } catch {
      noteFailure(error, &delivery)
      throw error
    }
    guard let merge else { return noteFailure(nil, &delivery) }
    publish(merge, old: old, saved: saved.keys, ownKeys: ownKeys, &delivery)
    StateLock.change { $0[state].watch }?.noteIdentity(merge.contents.file?.version.identity)
    keepCopy(of: merge.contents, turn, &delivery)
  }

  /// Records that a commit has failed; without an error, because its edit returned false.
  private func noteFailure(_ error: PreferencesError?, _ delivery: inout Delivery) {
    StateLock.change { change in
      reschedule(in: change) { schedule, now, delay in
        schedule.noteFailure(at: now, delay: delay)
      }
      guard let error, case .contents = error.cause else { return }
      note(error, in: change, &delivery)
    }
    if error != nil { runtime.commits.noteFailure() }
  }

  /// Locks the file, merges the changes into its present contents, and replaces it.
  ///
  /// - Returns: Nil if the edit fails.
  private func write(
    to path: String, known: DomainContents, _ before: DomainState, ownKeys: [String]?,
    _ stamping: Stamping?, _ limit: TimeLimit,
    _ turn: borrowing Turn, _ delivery: inout Delivery,
    _ edit: (inout PlistDictionary) throws(PreferencesError) -> Bool
  ) throws(PreferencesError) -> Merge? {
    // Locked if the process ends within an update. A forked child does not hold its parent's lock.
    let held = lane.lockedFile(turn).flatMap { $0.isLost ? nil : $0 }
    let file =
      if let held { held } else {
        try lock(path, within: limit, keepsLockFile: before.keepsLockFile, reportsWait: true)
      }
    lane.setLockedFile(file, turn)
    defer {
      if held == nil {
        lane.setLockedFile(nil, turn)
        file.unlock()
      }
    }

    // Repeated if a program that does not take the lock has changed the file during the commit.
    for round in 0..<LockedFile.attempts {
      if round > 0 { try file.renewLock(within: limit) }
      // Unless an edit depends on the bytes, a file that looks unchanged is compared byte by byte
      // only once, when it is replaced.
      let isCertain = round > 0 || ownKeys == nil
      let (present, changed) = try DomainContents.read(
        path, attempts: 11, systemAttempts: 11, until: limit.deadline,
        expectsFile: before.expectsFile, on: runtime.disk
      ) { () throws(PreferencesError) in
        try file.read(since: known.file?.version, comparesBytes: isCertain)
      }
      if let changed { try check(changed, turn) }
      var merge = values.merge(into: changed ?? known, isKnown: changed == nil, turn)
      guard try edit(&merge.contents.values) else { return nil }
      // The check or the edit has forked, and this is the child.
      if file.isLost { throw PreferencesError(LockedFile.lostByFork, path: path) }
      if before.storesWholeSeconds { merge.roundToWholeSeconds() }
      try keepVersion(in: &merge, at: path)
      let stored = merge.contents.stamps
      if let stamping = stamping ?? Stamping(found: stored) {
        merge.stamp(
          stamping, isKnown: changed == nil, at: path, isRounded: before.storesWholeSeconds)
      }

      let isStored = merge.isStored(
        isMissing: present.identity == nil, ownKeys: ownKeys, stamps: stored)
      if isStored, !before.mustRewrite {
        if !isCertain, case .unchanged(let version) = present, version.identity.isRacy { continue }
        // The program that wrote or removed it may not have waited for the disk.
        noteUncertainty()
        try file.flushPresent()
        if let version = present.version { merge.contents.file?.version = version }
      } else if !(try replace(file, at: path, present, with: &merge.contents, before, &delivery)) {
        continue
      }
      return merge
    }
    throw PreferencesError(LockedFile.keepsChanging, path: path)
  }

  /// Encodes the new contents and replaces the file with them.
  ///
  /// - Returns: False if another program has changed the file since it was read.
  private func replace(
    _ file: any LockedDomainFile, at path: String, _ present: ConditionalRead,
    with contents: inout DomainContents, _ before: DomainState, _ delivery: inout Delivery
  ) throws(PreferencesError) -> Bool {
    try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try present.identity?.checkOwnerMayWrite()
    }
    // The keys are kept in the order in which they are written, so that the next commit need not
    // sort them.
    contents.values.sortKeys()
    let (data, format, obstacle) = try contents.encode(pinned: before.pinnedFormat, path: path)
    noteUncertainty()
    guard let version = try file.replace(present.version, with: data) else { return false }
    let old = contents.file?.format ?? .xml
    if before.pinnedFormat == nil, format != old {
      delivery.add(
        .formatChange(path: path, from: old, to: format, reason: obstacle), on: runtime.events)
    }
    if contents.file?.hasComments == true {
      delivery.add(.commentLoss(path: path), on: runtime.events)
    }
    if let change = file.ownerChange, isFirstReport(of: .ownerChange) {
      delivery.add(
        .ownerChange(
          path: path, from: PreferencesEvent.Owner(change.old),
          to: PreferencesEvent.Owner(change.new)), on: runtime.events)
    }
    contents.file = DomainContents.File(version: version, format: format)
    return true
  }

  /// Records that the contents of the disk are unknown until the commit has succeeded.
  private func noteUncertainty() { StateLock.change { $0[state].mustRewrite = true } }

  /// Publishes the new contents of the file.
  ///
  /// - Parameters:
  ///   - old: The committed values before.
  ///   - saved: The keys that were committed.
  ///   - ownKeys: The same keys, if no other keys have changed.
  private func publish(
    _ merge: Merge, old: PlistDictionary, saved: [String], ownKeys: [String]?,
    _ delivery: inout Delivery
  ) {
    let isSuppressed = Propagation.isSuppressed
    var base = old
    if isSuppressed, !merge.isOwn {
      // Observers are first notified of what other processes have saved; these notifications are
      // not suppressed.
      let changed = old.keysChanged(to: merge.found)
      StateLock.change { values.install(merge.found, changed: changed, in: $0, &delivery) }
      base = merge.found
    }
    // Changes of this process are already visible; observers may not know of other changes.
    let ownKeys = merge.isOwn ? ownKeys : nil
    let changed = ownKeys ?? base.keysChanged(to: merge.contents.values)
    StateLock.change { change in
      noteContents(merge.contents, in: change, &delivery)
      if merge.contents.stamps != nil || change[state].constraints?.stamps != nil {
        change[state].changeStamps { $0.didSave(merge.contents.stamps) }
      }
      change[state].didSave()
      values.install(
        merge.contents.values, changed: changed, observed: saved, endsSaving: true,
        isSuppressed: isSuppressed, in: change, &delivery)
      publishPhase(in: change)
      noteSaved(in: change, &delivery)
      if values.hasChanges(in: change) { return }
      delivery.deferRelease(of: change[state].constraints?.removeEndedChecks())
    }
  }

  // MARK: Locking

  /// Locks a file, creating its folder if necessary.
  ///
  /// - Parameter reportsWait: Whether a long wait is reported.
  func lock(
    _ path: String, within limit: TimeLimit, keepsLockFile: Bool, reportsWait: Bool = false
  ) throws(PreferencesError) -> any LockedDomainFile {
    try creatingFolder(of: path) { () throws(PreferencesError) in
      try runtime.disk.lock(path, within: limit, keepsLockFile: keepsLockFile) { lockFile in
        if reportsWait { reportWait(for: lockFile, at: path) }
      }
    }
  }

  /// Calls a closure, and once more after creating the folder of the file if that is missing.
  private func creatingFolder<Result>(
    of path: String, _ body: () throws(PreferencesError) -> Result
  ) throws(PreferencesError) -> Result {
    do throws(PreferencesError) { return try body() } catch {
      guard error.cause == .missing else { throw error }
      try runtime.disk.createFolder(of: path)
      return try body()
    }
  }

  /// Reports once that another process keeps the file locked.
  private func reportWait(for lockFile: String, at path: String) {
    guard isFirstReport(of: .lockWait) else { return }
    var delivery = Delivery()
    delivery.add(.lockWait(path: path, lockFile: lockFile), on: runtime.events)
    delivery.deliverAsynchronously(by: runtime.deliveries)
  }

  /// Claims the file, creating its folder if necessary.
  ///
  /// - Returns: Nil if another process or object has claimed it, or the domain is in memory.
  func claimFile() throws(PreferencesError) -> OwnershipLock? {
    guard let path else { return nil }
    return try creatingFolder(of: path) { () throws(PreferencesError) in
      try PreferencesError.wrapping(path) { () throws(FileSystemError) in
        try AtomicFile(path).acquireOwnership()
      }
    }
  }
}
