internal import FileStorage
internal import FoundationEssentials
internal import PropertyList
internal import Threading

/// The error of a commit that includes an edit.
enum CommitError<EditError: Error>: Error {
  /// The domain could not be committed.
  case preferences(PreferencesError)
  /// The edit failed.
  case edit(EditError)
}

/// Committing changes to the file.
extension DomainFile {
  /// Commits the changes made so far, if there are any.
  ///
  /// - Parameters:
  ///   - limit: How long to wait for other threads and processes together.
  ///   - lockDeadline: The time until which they are waited for, if that is earlier.
  /// - Throws: Why nothing was committed; the changes stay and can be committed later.
  func commit(
    within limit: TimeLimit = TimeLimit(.seconds(10)),
    locksUntil lockDeadline: ContinuousClock.Instant? = nil, _ delivery: inout Delivery
  ) throws(PreferencesError) {
    let deadline = min(limit.deadline, lockDeadline ?? limit.deadline)
    let isDone: Void? = try withTurn(until: deadline) { turn throws(PreferencesError) in
      if beginSaving(&delivery) {
        try save(Attempt(within: limit, until: deadline), turn, &delivery)
      }
      // Then what is left to this process of what its parent had changed.
      if hasInherited, hasDecidedInheritance {
        try save(Attempt(within: limit, until: deadline), turn, &delivery)
      }
    }
    if isDone == nil { throw turnRefusal(limit) }
  }

  /// Commits the changes made so far together with an edit.
  ///
  /// - Parameters:
  ///   - limit: How long to wait for other threads and processes together.
  ///   - edit: Changes the values on top of everything else. It is called again when another
  ///     program has changed the file in between.
  /// - Throws: What the edit throws, or why nothing was committed; the changes stay and can be
  ///   committed later.
  func commit<EditError>(
    within limit: TimeLimit, _ delivery: inout Delivery,
    _ edit: (inout PlistDictionary) throws(EditError) -> Void
  ) throws(CommitError<EditError>) {
    let isDone: Void? = try withTurn(until: limit.deadline) { turn throws(CommitError<EditError>) in
      try commitEdit(Attempt(within: limit, until: limit.deadline), turn, &delivery, edit)
    }
    if isDone == nil { throw .preferences(turnRefusal(limit)) }
  }

  /// Commits the changes made so far within an update that does not come to its end, since it ends the
  /// process: under its lock, if it holds one.
  func commitWithinUpdate(_ limit: TimeLimit) throws(PreferencesError) {
    var delivery = Delivery()
    var attempt = Attempt(within: limit, until: limit.deadline)
    // A forked child does not hold the lock of its parent.
    if let file = lane.lockedFile, !file.pointee.isLost { attempt.lockedFile = file }
    try lane.withinTurn { turn throws(PreferencesError) in
      if beginSaving(&delivery) { try save(attempt, turn, &delivery) }
    }
  }

  /// How a commit is attempted.
  private struct Attempt {
    let limit: TimeLimit
    /// The time until which locks are waited for.
    let deadline: ContinuousClock.Instant
    /// The file, if this thread has locked it already.
    var lockedFile: UnsafeMutablePointer<LockedFile>?

    init(within limit: TimeLimit, until deadline: ContinuousClock.Instant) {
      self.limit = limit
      self.deadline = deadline
    }
  }

  /// Begins the next commit, of all changes made so far.
  ///
  /// - Returns: Whether there are any.
  @discardableResult
  private func beginSaving(_ delivery: inout Delivery) -> Bool {
    StateLock.change { change in
      if values.beginSaving(in: change, &delivery) { change[state].commitNumber += 1 }
      let isSaving = values.isSaving(in: change)
      if isSaving { change[state].schedule.begin() }
      return isSaving
    }
  }

  private func commitEdit<EditError>(
    _ attempt: Attempt, _ turn: borrowing Turn,
    _ delivery: inout Delivery, _ edit: (inout PlistDictionary) throws(EditError) -> Void
  ) throws(CommitError<EditError>) {
    // The edit may read values, for which the file must not be needed then.
    load(turn, until: attempt.deadline, &delivery)
    beginSaving(&delivery)
    try save(attempt, turn, &delivery, hasEdit: true) {
      (values) throws(CommitError<EditError>) in
      do throws(EditError) {
        // A fork need not wait for code from outside of the library.
        try ForkGate.shared.allowingForks { () throws(EditError) in try edit(&values) }
      } catch {
        throw .edit(error)
      }
      try CommitError<EditError>.wrapping { () throws(PreferencesError) in
        try values.checkStorable()
      }
    }
  }

  private func save(
    _ attempt: Attempt, _ turn: borrowing Turn, _ delivery: inout Delivery
  ) throws(PreferencesError) {
    do throws(CommitError<Never>) {
      try save(attempt, turn, &delivery, hasEdit: false) {
        (_: inout PlistDictionary) throws(CommitError<Never>) in
      }
    } catch {
      switch error {
      case .preferences(let error): throw error
      }
    }
  }

  /// Saves the changes that are being committed, and publishes the new contents of the file.
  ///
  /// - Parameter hasEdit: Whether the edit may change anything.
  private func save<EditError>(
    _ attempt: Attempt, _ turn: borrowing Turn, _ delivery: inout Delivery, hasEdit: Bool,
    _ edit: (inout PlistDictionary) throws(CommitError<EditError>) -> Void
  ) throws(CommitError<EditError>) {
    // Only the thread that has the turn changes these.
    let (before, old) = StateLock.change { ($0[state], values.dictionary(in: $0)) }
    let known = DomainContents(
      values: old, format: before.format, version: before.problem == nil ? before.version : nil)
    let saved = values.savingKeys(turn)
    /// The keys that are changed, if these are known.
    let ownKeys = !hasEdit && !saved.replacesAll ? saved.keys : nil

    let outcome: Outcome
    do throws(CommitError<EditError>) {
      if let path {
        let start = ContinuousClock.now
        outcome = try write(
          to: path, known: known, before, ownKeys: ownKeys, attempt, turn, edit)
        engine.commits.note(since: start)
      } else {
        var contents = known
        contents.values = values.applyingSavingChanges(to: old, turn)
        try edit(&contents.values)
        outcome = Outcome(
          contents: contents, found: old, isUnchangedByOthers: true, inherited: [])
      }
    } catch {
      noteFailure(error, &delivery)
      throw error
    }
    for event in outcome.events { delivery.add(event, on: engine) }
    publish(outcome, old: old, saved: saved.keys, ownKeys: ownKeys, &delivery)
    keepCopy(of: outcome.contents, turn, &delivery)
  }

  /// Notes that a commit has failed.
  private func noteFailure<EditError>(
    _ error: CommitError<EditError>, _ delivery: inout Delivery
  ) {
    StateLock.change { change in
      reschedule(in: change) { schedule, now, delay in
        schedule.noteFailure(at: now, delay: delay)
      }
      guard case .preferences(let error) = error, error.isAboutContents else { return }
      change[state].note(error, at: engine.clock.now)
      report(error, in: change, &delivery)
    }
    if case .preferences = error { engine.commits.noteFailure() }
  }

  /// The outcome for the file.
  private struct Outcome {
    /// Its contents now.
    var contents: DomainContents
    /// Its contents before.
    var found: PlistDictionary
    /// Whether that was what this process knew, and nothing but this process's changes was made to
    /// it.
    var isUnchangedByOthers: Bool
    /// The inherited changes that are still left to the parent.
    var inherited: [InheritedChanges]
    /// The events to post: changes of the format of the file, and of its owner.
    var events: [PreferencesEvent] = []
  }

  /// Locks the file and changes it.
  private func write<EditError>(
    to path: String, known: DomainContents, _ before: State, ownKeys: [String]?, _ attempt: Attempt,
    _ turn: borrowing Turn,
    _ edit: (inout PlistDictionary) throws(CommitError<EditError>) -> Void
  ) throws(CommitError<EditError>) -> Outcome {
    if let file = attempt.lockedFile {
      return try replace(
        &file.pointee, path: path, known: known, before, ownKeys: ownKeys, attempt, turn, edit)
    }
    var file = try CommitError<EditError>.wrapping { () throws(PreferencesError) in
      try lock(path, keepsLockFile: before.keepsLockFile, attempt)
    }
    return try lane.withLockedFile(&file, turn) { (file) throws(CommitError<EditError>) in
      try replace(
        &file.pointee, path: path, known: known, before, ownKeys: ownKeys, attempt, turn, edit)
    }
  }

  /// Reads a locked file if it has changed, merges, and stores the result.
  private func replace<EditError>(
    _ file: inout LockedFile, path: String, known: DomainContents, _ before: State,
    ownKeys: [String]?, _ attempt: Attempt, _ turn: borrowing Turn,
    _ edit: (inout PlistDictionary) throws(CommitError<EditError>) -> Void
  ) throws(CommitError<EditError>) -> Outcome {
    // Decided under the lock, under which others save them.
    let inherited = StateLock.change { values.inherited(in: $0) }
      .map { changes in (changes, fate: changes.origin.fate) }
    // Again whenever a program that does not take the lock has changed the file in between.
    for round in 0..<LockedFile.attempts {
      // Unless an edit depends on them, the bytes of a file that looks unchanged are compared once,
      // when it is replaced.
      let isCertain = round > 0 || ownKeys == nil
      let (present, changed) = try CommitError<EditError>.wrapping { () throws(PreferencesError) in
        try Self.read(
          &file, path: path, unless: known.version, comparesBytes: isCertain,
          until: attempt.deadline)
      }
      if let changed {
        try CommitError<EditError>.wrapping { () throws(PreferencesError) in
          try check(changed, turn)
        }
      }
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
      outcome.contents.values = values.applyingSavingChanges(
        to: outcome.contents.values, turn)
      try edit(&outcome.contents.values)
      let isDone = try CommitError<EditError>.wrapping { () throws(PreferencesError) in
        try store(
          &outcome, over: present, isCertain: isCertain, in: &file, path: path, before,
          ownKeys: ownKeys)
      }
      if isDone {
        // Before the lock is released.
        StateLock.change { change in
          change[state].mark?.number = change[state].commitNumber
        }
        return outcome
      }
      do throws(FileSystemError) {
        try file.renewLock(timeout: max(.zero, attempt.deadline - .now))
      } catch {
        throw .preferences(PreferencesError(error, path: path))
      }
    }
    throw .preferences(PreferencesError(LockedFile.keepsChanging, path: path))
  }

  /// Encodes the new values and replaces the file with them, unless it holds them already.
  ///
  /// - Parameter isCertain: Whether the bytes of a file that looks unchanged were compared.
  /// - Returns: False if another program has changed the file in between, or if it may have done so
  ///   and the bytes have to be compared.
  private func store(
    _ outcome: inout Outcome, over present: ConditionalRead, isCertain: Bool,
    in file: inout LockedFile, path: String, _ before: State, ownKeys: [String]?
  ) throws(PreferencesError) -> Bool {
    if before.storesWholeSeconds, let rounded = outcome.contents.values.roundedToWholeSeconds {
      outcome.contents.values = rounded
      // Values that this process has not set may change, too.
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
    // In the order in which they are written, so that the next commit has nothing to sort.
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

  /// Calls a closure that stores the file. After an error it is unknown how much has reached the
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

  /// Locks the file of a path.
  private func lock(
    _ path: String, keepsLockFile: Bool, _ attempt: Attempt
  ) throws(PreferencesError) -> LockedFile {
    do throws(FileSystemError) {
      return try Self.makeFile(path).lock(
        timeout: max(.zero, attempt.deadline - .now), keepsLockFile: keepsLockFile
      ) { lockFile in
        if StateLock.change({ exchange(&$0[state].hasReportedLock, with: true) }) { return }
        var delivery = Delivery()
        delivery.add(.lockWait(path: path, lockFile: lockFile), on: engine)
        delivery.deliverAsynchronously(by: engine)
      }
    } catch .lockTimeout(_, let lockFile) {
      // With the time that was spent on waiting for the turn.
      throw .lockTimeout(path: path, waited: attempt.limit.duration, lockFile: lockFile)
    } catch {
      throw PreferencesError(error, path: path)
    }
  }

  /// Reads a locked file if it has changed, again for some time while it cannot be read, or does not
  /// parse: a program that does not take the lock may be in the middle of writing it.
  private static func read(
    _ file: inout LockedFile, path: String, unless known: FileVersion?, comparesBytes: Bool,
    until deadline: ContinuousClock.Instant
  ) throws(PreferencesError) -> (present: ConditionalRead, changed: DomainContents?) {
    var attempt = 1
    while true {
      do throws(PreferencesError) {
        let present = try PreferencesError.wrapping(path) { () throws(FileSystemError) in
          try file.readIfChanged(
            since: known, limit: DomainContents.sizeLimit, comparesBytes: comparesBytes)
        }
        return (present, try DomainContents(present, path: path))
      } catch {
        guard error.mayBeTransient, attempt <= 10, .now < deadline else { throw error }
        attempt += 1
        Duration.milliseconds(20).sleep()
      }
    }
  }

  /// Publishes the new contents of the file.
  ///
  /// - Parameters:
  ///   - old: The committed values before.
  ///   - saved: The keys of the changes that were committed.
  ///   - ownKeys: The same, if nothing else was changed.
  private func publish(
    _ outcome: Outcome, old: PlistDictionary, saved: [String], ownKeys: [String]?,
    _ delivery: inout Delivery
  ) {
    let isSuppressed = Propagation.isSuppressed
    var base = old
    if isSuppressed, !outcome.isUnchangedByOthers {
      // Other processes have saved this, not this thread: observers are notified of it first.
      let changed = old.keysChanged(to: outcome.found)
      StateLock.change { values.install(outcome.found, changed: changed, in: $0, &delivery) }
      base = outcome.found
    }
    // The changes of this process are visible already; anything else may be news to observers.
    let ownKeys = outcome.isUnchangedByOthers ? ownKeys : nil
    let changed = ownKeys ?? base.keysChanged(to: outcome.contents.values)
    // Changes since the fork are not replaced by changes from before it.
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
        delivery.add(.saveRecovery(path: path), on: engine)
      }
    }
  }

  // MARK: Files

  /// Opens the file of a path, creating its folder, for the user alone, if it is missing.
  private static func makeFile(_ path: String) throws(FileSystemError) -> AtomicFile {
    do throws(FileSystemError) {
      return try AtomicFile(path)
    } catch {
      guard error.isMissing else { throw error }
      try AtomicFile.createFolder(of: path)
      return try AtomicFile(path)
    }
  }

  /// Claims the file for the calling object, creating its folder if necessary.
  ///
  /// - Returns: Nil if another process or object has claimed it, or the domain lives in memory.
  func claimFile() throws(PreferencesError) -> OwnershipLock? {
    guard let path else { return nil }
    return try PreferencesError.wrapping(path) { () throws(FileSystemError) in
      try Self.makeFile(path).acquireOwnership()
    }
  }

  /// Moves a file that cannot be read aside, so that a new one can take its place.
  ///
  /// - Returns: The new path of the old file; nil if the file can be read, or there is none.
  /// - Throws: Why the file cannot be moved; also if it cannot be read for a reason that does not
  ///   lie in the file.
  func recover(
    suffix: String, _ delivery: inout Delivery
  ) throws(PreferencesError) -> String? {
    guard let path else { return nil }
    let limit = TimeLimit(.seconds(10))
    let result = try withTurn(until: limit.deadline) { turn throws(PreferencesError) -> String? in
      read(turn, &delivery)
      guard let problem = StateLock.change({ $0[state].problem }) else { return nil }
      guard problem.isOfTheFile else { throw problem }
      return try PreferencesError.wrapping(path) { () throws(FileSystemError) in
        var file = try Self.makeFile(path).lock(timeout: limit.rest, keepsLockFile: true)
        // Another process may have recovered the file by now.
        read(turn, &delivery)
        guard StateLock.change({ $0[state].problem })?.isOfTheFile == true else { return nil }
        let newPath = try file.moveAside(suffix: suffix)
        if newPath != nil { install(DomainContents(), turn, &delivery) }
        read(turn, &delivery)
        return newPath
      }
    }
    guard let result else { throw turnRefusal(limit) }
    return result
  }

  /// The error of a call that got no turn: in time, or because this thread has it.
  private func turnRefusal(_ limit: TimeLimit) -> PreferencesError {
    lane.isHeldHere
      ? .withinUpdate(path: path ?? "")
      : .lockTimeout(path: path ?? "", waited: limit.duration, lockFile: nil)
  }
}

extension CommitError {
  /// Calls a closure and wraps its error.
  fileprivate static func wrapping<Result: ~Copyable>(
    _ body: () throws(PreferencesError) -> Result
  ) throws(Self) -> Result {
    do throws(PreferencesError) { return try body() } catch { throw .preferences(error) }
  }
}
