internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Threading

/// The error of a commit with an edit.
enum CommitError<EditError: Error>: Error {
  case preferences(PreferencesError)
  case edit(EditError)
}

extension DomainFile {
  /// An edit on top of all other changes. If it returns false, nothing is saved.
  private typealias Edit = (inout PlistDictionary) throws(PreferencesError) -> Bool

  /// Commits the changes made so far. If that fails, they stay and can be committed later.
  func commit(
    within limit: TimeLimit = TimeLimit(.seconds(10)), _ delivery: inout Delivery
  ) throws(PreferencesError) {
    try inTurn(within: limit) { turn throws(PreferencesError) in
      if beginSaving(&delivery) { try save(limit, turn, &delivery) }
      // Then the parent's changes that are left to this process.
      if hasInherited, hasDecidedInheritance { try save(limit, turn, &delivery) }
    }
  }

  /// Commits the changes made so far together with an edit. If that fails, the changes stay and can
  /// be committed later.
  ///
  /// - Parameter edit: Called again if another program has changed the file in between.
  func commit<EditError>(
    within limit: TimeLimit, _ delivery: inout Delivery,
    _ edit: (inout PlistDictionary) throws(EditError) -> Void
  ) throws(CommitError<EditError>) {
    var failure: EditError?
    do throws(PreferencesError) {
      try inTurn(within: limit) { turn throws(PreferencesError) in
        // The edit may read values, and must not have to load the file for that.
        load(turn, until: limit.deadline, &delivery)
        beginSaving(&delivery)
        try save(limit, turn, &delivery, hasEdit: true) { values throws(PreferencesError) in
          do throws(EditError) {
            // A fork need not wait for code from outside the library.
            try ForkGate.shared.allowingForks { () throws(EditError) in try edit(&values) }
          } catch {
            failure = error
            return false
          }
          try values.checkStorable()
          return true
        }
      }
    } catch {
      throw .preferences(error)
    }
    if let failure { throw .edit(failure) }
  }

  /// Commits the changes made so far in the turn of an update that ends the process.
  func commitWithinUpdate(_ limit: TimeLimit) throws(PreferencesError) {
    var delivery = Delivery()
    try lane.withinTurn { turn throws(PreferencesError) in
      if beginSaving(&delivery) { try save(limit, turn, &delivery) }
    }
  }

  /// Calls a closure in a turn, or throws after a timeout or if this thread already has the turn.
  private func inTurn<Result>(
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
      if values.beginSaving(in: change, &delivery) { change[state].commitNumber += 1 }
      let isSaving = values.isSaving(in: change)
      if isSaving { change[state].schedule.begin() }
      return isSaving
    }
  }

  /// Saves the changes being committed and publishes the new contents of the file.
  private func save(
    _ limit: TimeLimit, _ turn: borrowing Turn, _ delivery: inout Delivery, hasEdit: Bool = false,
    _ edit: Edit = { _ in true }
  ) throws(PreferencesError) {
    // Only the thread that has the turn changes these.
    let (before, old) = StateLock.change { ($0[state], values.dictionary(in: $0)) }
    let known = DomainContents(
      values: old, format: before.format, version: before.problem == nil ? before.version : nil)
    let saved = values.savingKeys(turn)
    /// The changed keys, if they are known.
    let ownKeys = !hasEdit && !saved.replacesAll ? saved.keys : nil

    let outcome: Outcome?
    do throws(PreferencesError) {
      if let path {
        let start = ContinuousClock.now
        outcome = try write(
          to: path, known: known, before, ownKeys: ownKeys, limit, turn, edit)
        if outcome != nil { runtime.commits.note(since: start) }
      } else {
        var contents = known
        contents.values = values.applyingSavingChanges(to: old, turn)
        outcome = try edit(&contents.values) ? Outcome(contents: contents, found: old) : nil
      }
    } catch {
      noteFailure(error, &delivery)
      throw error
    }
    guard let outcome else { return noteFailure(nil, &delivery) }
    for event in outcome.events { delivery.add(event, on: runtime.events) }
    publish(outcome, old: old, saved: saved.keys, ownKeys: ownKeys, &delivery)
    keepCopy(of: outcome.contents, turn, &delivery)
  }

  /// Notes that a commit has failed; without an error, its edit has.
  private func noteFailure(_ error: PreferencesError?, _ delivery: inout Delivery) {
    StateLock.change { change in
      reschedule(in: change) { schedule, now, delay in
        schedule.noteFailure(at: now, delay: delay)
      }
      guard let error, error.isAboutContents else { return }
      change[state].note(error, at: runtime.clock.now)
      report(error, in: change, &delivery)
    }
    if error != nil { runtime.commits.noteFailure() }
  }

  private struct Outcome {
    /// The new contents of the file.
    var contents: DomainContents
    /// The values before.
    var found: PlistDictionary
    /// Whether this process knew the old values, and only its own changes were made to them.
    var isUnchangedByOthers = true
    /// The inherited changes that are still left to the parent.
    var inherited: [InheritedChanges] = []
    var events: [PreferencesEvent] = []
  }

  /// Locks the file, unless this thread has locked it already, and replaces it.
  ///
  /// - Returns: Nil if the edit fails.
  private func write(
    to path: String, known: DomainContents, _ before: State, ownKeys: [String]?,
    _ limit: TimeLimit, _ turn: borrowing Turn, _ edit: Edit
  ) throws(PreferencesError) -> Outcome? {
    // Locked if the process ends within an update. A forked child does not hold its parent's lock.
    if let file = lane.lockedFile, !file.pointee.isLost {
      return try replace(
        &file.pointee, path: path, known: known, before, ownKeys: ownKeys, limit, turn, edit)
    }
    var file = try lock(path, keepsLockFile: before.keepsLockFile, limit)
    return try lane.withLockedFile(&file, turn) { file throws(PreferencesError) in
      try replace(
        &file.pointee, path: path, known: known, before, ownKeys: ownKeys, limit, turn, edit)
    }
  }

  /// Reads a locked file if it has changed, merges, and stores the result.
  private func replace(
    _ file: inout LockedFile, path: String, known: DomainContents, _ before: State,
    ownKeys: [String]?, _ limit: TimeLimit, _ turn: borrowing Turn, _ edit: Edit
  ) throws(PreferencesError) -> Outcome? {
    // Decided under the lock, which any process that saves them also takes.
    let inherited = StateLock.change { values.inherited(in: $0) }
      .map { changes in (changes, fate: changes.origin.fate) }
    // Repeated when a program that does not take the lock has changed the file in between.
    for round in 0..<LockedFile.attempts {
      // Unless an edit depends on them, the bytes of a file that looks unchanged are compared once,
      // when it is replaced.
      let isCertain = round > 0 || ownKeys == nil
      let (present, changed) = try DomainContents.read(
        path, attempts: 11, systemAttempts: 11, until: limit.deadline
      ) { () throws(FileSystemError) in
        try file.readIfChanged(
          since: known.version, limit: DomainContents.sizeLimit, comparesBytes: isCertain)
      }
      if let changed { try check(changed, turn) }
      let contents = changed ?? known
      var outcome = Outcome(
        contents: contents, found: contents.values, isUnchangedByOthers: changed == nil,
        inherited: inherited.filter { $0.fate == .undecided }.map(\.0))
      for (index, (changes, fate)) in inherited.enumerated() where fate == .abandoned {
        changes.apply(
          to: &outcome.contents.values, over: contents.values,
          after: inherited.prefix(index).map(\.0))
        outcome.isUnchangedByOthers = false
      }
      outcome.contents.values = values.applyingSavingChanges(to: outcome.contents.values, turn)
      guard try edit(&outcome.contents.values) else { return nil }
      if try store(
        &outcome, over: present, isCertain: isCertain, in: &file, path: path, before,
        ownKeys: ownKeys)
      {
        // Before the lock is released.
        StateLock.change { change in change[state].mark?.number = change[state].commitNumber }
        return outcome
      }
      try PreferencesError.wrapping(path) { () throws(FileSystemError) in
        try file.renewLock(timeout: limit.rest)
      }
    }
    throw PreferencesError(LockedFile.keepsChanging, path: path)
  }

  /// Encodes the new values and replaces the file with them, unless it holds them already.
  ///
  /// - Parameter isCertain: Whether the bytes of a file that looks unchanged were compared.
  /// - Returns: False if another program has changed the file in between, or may have and the bytes
  ///   must be compared.
  private func store(
    _ outcome: inout Outcome, over present: ConditionalRead, isCertain: Bool,
    in file: inout LockedFile, path: String, _ before: State, ownKeys: [String]?
  ) throws(PreferencesError) -> Bool {
    if before.storesWholeSeconds, let rounded = outcome.contents.values.roundedToWholeSeconds {
      outcome.contents.values = rounded
      // Values that this process has not set may also change.
      outcome.isUnchangedByOthers = false
    }
    let isStored =
      present.identity == nil
      ? outcome.contents.values.isEmpty
      : !before.mustRewrite
        && outcome.contents.values.isStoredLike(
          outcome.found, changed: outcome.isUnchangedByOthers ? ownKeys : nil)
    if isStored {
      if !isCertain, case .unchanged(let version) = present, version.identity.isRacy {
        return false
      }
      // The program that wrote it may not have waited for the disk.
      if present.identity != nil {
        try storing(path) { () throws(FileSystemError) in try file.synchronize() }
      }
      outcome.contents.version = present.version
      return true
    }
    try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try present.identity?.checkOwnerMayWrite()
    }
    // In the order they are written, so that the next commit need not sort them.
    outcome.contents.values.sortKeys()
    let (data, format, obstacle) =
      try outcome.contents.encode(pinned: before.pinnedFormat, path: path)
    let version = try storing(path) { () throws(FileSystemError) in
      try file.replace(present.version, with: data, isPrivate: true)
    }
    guard let version else { return false }
    let old = outcome.contents.format ?? .xml
    if before.pinnedFormat == nil, format != old {
      outcome.events.append(.formatChange(path: path, from: old, to: format, reason: obstacle))
    }
    if let change = file.ownerChange, !before.hasReportedOwner {
      outcome.events.append(
        .ownerChange(
          path: path, from: PreferencesEvent.Owner(change.old),
          to: PreferencesEvent.Owner(change.new)))
      StateLock.change { $0[state].hasReportedOwner = true }
    }
    outcome.contents.format = format
    outcome.contents.version = version
    return true
  }

  /// Calls a closure that writes the file. After an error it is unknown how much has reached the
  /// disk.
  private func storing<Result>(
    _ path: String, _ body: () throws(FileSystemError) -> Result
  ) throws(PreferencesError) -> Result {
    do throws(FileSystemError) {
      return try body()
    } catch {
      StateLock.change { $0[state].mustRewrite = true }
      throw PreferencesError(error, path: path)
    }
  }

  private func lock(
    _ path: String, keepsLockFile: Bool, _ limit: TimeLimit
  ) throws(PreferencesError) -> LockedFile {
    do throws(FileSystemError) {
      return try Self.makeFile(path).lock(
        timeout: limit.rest, keepsLockFile: keepsLockFile
      ) { lockFile in
        if StateLock.change({ exchange(&$0[state].hasReportedLock, with: true) }) { return }
        var delivery = Delivery()
        delivery.add(.lockWait(path: path, lockFile: lockFile), on: runtime.events)
        delivery.deliverAsynchronously(by: runtime.deliveries)
      }
    } catch .lockTimeout(_, let lockFile) {
      // The wait for the turn counts as well.
      throw .lockTimeout(path: path, waited: limit.duration, lockFile: lockFile)
    } catch {
      throw PreferencesError(error, path: path)
    }
  }

  /// Publishes the new contents of the file.
  ///
  /// - Parameters:
  ///   - old: The committed values before.
  ///   - saved: The keys that were committed.
  ///   - ownKeys: The same keys if no others have changed.
  private func publish(
    _ outcome: Outcome, old: PlistDictionary, saved: [String], ownKeys: [String]?,
    _ delivery: inout Delivery
  ) {
    let isSuppressed = Propagation.isSuppressed
    var base = old
    if isSuppressed, !outcome.isUnchangedByOthers {
      // Observers are first notified of what other processes have saved, which is not suppressed.
      let changed = old.keysChanged(to: outcome.found)
      StateLock.change { values.install(outcome.found, changed: changed, in: $0, &delivery) }
      base = outcome.found
    }
    // Changes of this process are visible already; observers may not know of any others.
    let ownKeys = outcome.isUnchangedByOthers ? ownKeys : nil
    let changed = ownKeys ?? base.keysChanged(to: outcome.contents.values)
    // Changes from before the fork must not replace later ones.
    let own = outcome.inherited.isEmpty ? [] : Set((saved + changed).map(ByteKey.init))
    let inherited = outcome.inherited.map { $0.without(own) }.filter { !$0.operations.isEmpty }
    StateLock.change { change in
      noteContents(outcome.contents, in: change, &delivery)
      change[state].mustRewrite = false
      change[state].hasReportedLock = false
      values.install(
        outcome.contents.values, changed: changed, observed: saved, endsSaving: true,
        leaving: inherited, isSuppressed: isSuppressed, in: change, &delivery)
      noteSaved(in: change)
      if values.hasChanges(in: change) { return }
      delivery.deferRelease(of: change[state].constraints?.removeEndedChecks())
      if exchange(&change[state].hasReportedSaveFailure, with: false), let path {
        delivery.add(.saveRecovery(path: path), on: runtime.events)
      }
    }
  }

  // MARK: Files

  /// Opens a file. A missing folder is created for the user alone.
  private static func makeFile(_ path: String) throws(FileSystemError) -> AtomicFile {
    do throws(FileSystemError) {
      return try AtomicFile(path)
    } catch {
      guard error.isMissing else { throw error }
      try AtomicFile.createFolder(of: path)
      return try AtomicFile(path)
    }
  }

  /// Claims the file, creating its folder if necessary.
  ///
  /// - Returns: Nil if another process or object has claimed it, or the domain is in memory.
  func claimFile() throws(PreferencesError) -> OwnershipLock? {
    guard let path else { return nil }
    return try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try Self.makeFile(path).acquireOwnership()
    }
  }

  /// Moves an unreadable file aside, so that a new one can replace it.
  ///
  /// - Returns: The new path of the old file; nil if the file is readable or missing.
  /// - Throws: Why the file cannot be moved, or cannot be read if the file is not the cause.
  func recover(
    suffix: String, _ delivery: inout Delivery
  ) throws(PreferencesError) -> String? {
    guard let path else { return nil }
    let limit = TimeLimit(.seconds(10))
    return try inTurn(within: limit) { turn throws(PreferencesError) -> String? in
      read(turn, &delivery)
      guard let problem = StateLock.change({ $0[state].problem }) else { return nil }
      guard problem.isOfTheFile else { throw problem }
      return try PreferencesError.wrapping(path) { () throws(FileSystemError) in
        var file = try Self.makeFile(path).lock(timeout: limit.rest, keepsLockFile: true)
        // Another process may have recovered the file since.
        read(turn, &delivery)
        guard StateLock.change({ $0[state].problem })?.isOfTheFile == true else { return nil }
        try AtomicFile.identity(of: path)?.checkOwnerMayWrite()
        let newPath = try file.moveAside(suffix: suffix)
        if newPath != nil { install(DomainContents(), turn, &delivery) }
        read(turn, &delivery)
        return newPath
      }
    }
  }
}
