internal import FileStorage
internal import PropertyList
internal import Synchronization
internal import Threading

/// Reading and re-reading the file.
extension DomainFile {
  /// Prepares a read of values: opens the file, and watches it if that is due.
  ///
  /// - Parameter folders: The states of folders, as far as they were checked.
  func load(_ folders: FolderStates = FolderStates()) {
    noteUse()
    open(folders)
    watchIfDue()
  }

  /// Reads the file if it has not been read yet. Its values may be out of date.
  func open(_ folders: FolderStates = FolderStates()) {
    runtime.watching.restartIfNeeded()
    let phase = phase
    if !phase.contains(.isOpen) {
      readFirst(folders)
    } else if phase.contains(.needsReread) {
      rereadIfDue()
    }
  }

  /// Reads the file, unless another turn reads it.
  private func readFirst(_ folders: FolderStates) {
    if lane.isHeldHere {
      fatalError("a check of \(path ?? "a domain") reads the preferences that it checks")
    }
    var delivery = Delivery()
    while !isOpen {
      lane.withTurn(until: nil, isReader: true) { turn in open(turn, folders: folders, &delivery) }
    }
    delivery.deliver()
  }

  /// Reads the file if it has not been read yet, and resumes the threads that wait for it.
  ///
  /// - Parameter deadline: When to stop re-reading a file that does not parse.
  func open(
    _ turn: borrowing Turn, folders: FolderStates = FolderStates(),
    until deadline: ContinuousClock.Instant? = nil, _ delivery: inout Delivery
  ) {
    if isOpen { return }
    if runtime.watching.isDue { watch() }
    if let path, folders.isFolderMissing(of: path), !isWatched {
      install(DomainContents(), turn, &delivery)
    } else {
      read(turn, until: deadline, &delivery)
    }
    lane.noteRead()
  }

  private func watch() {
    guard let path else { return }
    let watch = runtime.disk.watch(path, with: runtime.watching.watcher) { [weak self] in
      self?.handleFileEvent()
    } polling: { [weak self] lacksWatches in
      self?.reportPolling(lacksWatches ? .noWatch : .networkFileSystem)
    }
    let old = changeState { $0.didWatch(watch) }
    withExtendedLifetime(old) {}
  }

  /// Reports once that the file is polled. The calling thread may have the turn.
  private func reportPolling(_ reason: PreferencesEvent.PollingReason) {
    guard let path, isFirstReport(of: .polling) else { return }
    var delivery = Delivery()
    delivery.add(.polling(path: path, reason: reason), on: runtime.events)
    delivery.deliverAsynchronously(by: runtime.deliveries)
  }

  /// Watches the file if it has been read and watching is due. The last read may be long ago, so
  /// the file is read again if it has changed, after a short wait for a turn.
  func watchIfDue() {
    guard !isWatched, runtime.watching.isDue, isOpen, changeState({ $0.claimWatching() }) else {
      return
    }
    var delivery = Delivery()
    watchNow(waiting: Self.patience, &delivery)
    delivery.deliver()
  }

  /// How long a getter waits for a turn.
  private static let patience = Duration.milliseconds(100)

  /// Watches and re-reads the file now or in a later turn.
  func watchNow(waiting patience: Duration, _ delivery: inout Delivery) {
    let isDone: Void? = withTurn(until: .now + patience) { turn in
      watch()
      read(turn, &delivery)
    }
    if isDone == nil { request(.watch) }
  }

  /// Reads the file if it has changed, now or, after a long wait for a turn, later.
  func reload(within limit: TimeLimit, _ delivery: inout Delivery) {
    let isDone: Void? = withTurn(until: limit.deadline) { turn in
      if isOpen { read(turn, &delivery) } else { open(turn, &delivery) }
    }
    if isDone == nil { request(.read) }
  }

  /// Reads a changed file, possibly in a later turn, so that the watcher's thread does not wait.
  private func handleFileEvent() {
    if !stopWatchingIfUnused() { request(.read) }
  }

  /// Reads a file after the watcher has reported a possible change.
  func readChangedFile(_ delivery: inout Delivery) {
    _ = withTurn(until: .now) { turn in read(turn, &delivery, isWatched: true) }
    // Searches do not record uses. In a new epoch, they load the file again, which records a use.
    StateLock.change { change in
      if !isFollowed(in: change) { change.publish { $0.beginEpoch() } }
    }
  }

  /// Whether there are observers or event handlers to notify of changes.
  private func isFollowed(in change: borrowing StateChange) -> Bool {
    values.hasSubscribers(in: change) || runtime.events.hasGeneralHandlers(in: change)
  }

  /// Stops watching a changed file if there is nothing to notify and no value was read since the
  /// previous change. The next read of a value reads and watches it again.
  ///
  /// Without this, many processes with one file would all read what any of them writes.
  private func stopWatchingIfUnused() -> Bool {
    guard let path else { return false }
    // A re-read because of racy timestamps is not a change.
    let known = StateLock.change { $0[state].lastFile?.version.identity }
    if (try? runtime.disk.identity(of: path)) == known { return false }
    let (isStopped, watch) = StateLock.change { change -> (Bool, (any DomainFileWatch)?) in
      if isFollowed(in: change) || takeUse() { return (false, nil) }
      let watch = change[state].stopWatching()
      publishPhase(in: change)
      change.publish { $0.beginEpoch() }
      return (true, watch)
    }
    withExtendedLifetime(watch) {}
    return isStopped
  }

  /// Re-reads an unreadable file if that is due and no other thread has the turn.
  private func rereadIfDue() {
    let next = StateLock.change { $0[state].nextReread }
    guard let next, next <= runtime.clock.now else { return }
    var delivery = Delivery()
    _ = withTurn(until: .now) { turn in read(turn, &delivery) }
    delivery.deliver()
  }

  /// Reads the file if it has changed.
  ///
  /// - Parameters:
  ///   - deadline: When to stop waiting for a file that is being written.
  ///   - isWatched: Whether the watcher reports further changes. Then a file in the middle of being
  ///     written is not waited for, and one with unchanged but racy timestamps is read later.
  func read(
    _ turn: borrowing Turn, until deadline: ContinuousClock.Instant? = nil,
    _ delivery: inout Delivery, isWatched: Bool = false
  ) {
    guard let path else { return }
    let (version, expectsFile, watch) = StateLock.change { change in
      (change[state].file?.version, change[state].expectsFile, change[state].watch)
    }
    do throws(PreferencesError) {
      if isWatched, let version, let pause = pause(before: version, at: path) {
        watch?.scheduleCall(after: pause)
        return
      }
      let start = ContinuousClock.now
      let (present, contents) = try DomainContents.read(
        path, unless: version, attempts: isWatched ? 1 : 10, until: deadline,
        expectsFile: expectsFile && !isWatched, on: runtime.disk)
      watch?.noteIdentity(present.identity)
      if isManaged, let identity = present.identity,
        !ManagedOwnership.isTrusted(path, holding: identity)
      {
        throw .untrustedManagedFile(path: path)
      }
      if isWatched, expectsFile, present.identity == nil,
        let pause = StateLock.change({ $0[state].pauseBeforeRemoval(at: runtime.clock.now) })
      {
        watch?.scheduleCall(after: pause)
        return
      }
      if let contents {
        try check(contents, turn)
        install(contents, turn, &delivery)
        keepCopy(of: contents, turn, &delivery)
        runtime.reads.note(since: start)
      } else if let version = present.version {
        StateLock.change { $0[state].didFindUnchanged(version) }
      }
      if isWatched, let identity = present.identity {
        let pause = StateLock.change {
          $0[state].pause(after: identity, at: runtime.clock.now)
        }
        if let pause { watch?.scheduleCall(after: pause) }
      }
    } catch {
      runtime.reads.noteFailure()
      // Values that were read while the file was valid stay, unless it is no longer trusted.
      var values: DomainState.Values?
      if case .untrustedManagedFile = error {
        if StateLock.change({ $0[state].problem }) != error {
          installValues(PlistDictionary(), turn, &delivery)
          values = .file(nil)
        }
      } else if useCopy(insteadOf: error, turn, &delivery) {
        values = .copy
      }
      let pause = StateLock.change {
        note(error, values: values, isWatched: isWatched, in: $0, &delivery)
      }
      if let pause { watch?.scheduleCall(after: pause) }
    }
  }

  /// How long to wait before reading a file whose racy timestamps show no change; nil if it is due.
  private func pause(before version: FileVersion, at path: String) -> Duration? {
    guard version.identity.isRacy, let present = try? runtime.disk.identity(of: path),
      present == version.identity, present.isRacy
    else { return nil }
    return StateLock.change { $0[state].pause(before: present, at: runtime.clock.now) }
  }

  /// Records why the file cannot be read, and reports it unless it is the problem that was reported
  /// last.
  ///
  /// - Returns: When the watch must call again.
  @discardableResult
  func note(
    _ problem: PreferencesError, values: DomainState.Values? = nil, isWatched: Bool = false,
    in change: borrowing StateChange, _ delivery: inout Delivery
  ) -> Duration? {
    let (isNew, pause) = change[state].didFailToRead(
      problem, values: values, isWatched: isWatched, at: runtime.clock.now)
    publishPhase(in: change)
    if isNew {
      let keepsGoodValues = change[state].keepsGoodValues
      delivery.add(
        keepsGoodValues
          ? .lastGoodContents(path: path ?? "", reason: problem) : .readFailure(problem),
        on: runtime.events)
    }
    return pause
  }

  /// Updates the state from contents, and reports that a file that was reported as unreadable is
  /// readable again. The caller then updates the values and the phase.
  func noteContents(
    _ contents: DomainContents, in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    if change[state].didRead(contents.file), let path {
      delivery.add(.readRecovery(path: path), on: runtime.events)
    }
  }

  /// Makes contents the committed values.
  func install(
    _ contents: DomainContents, _ turn: borrowing Turn, _ delivery: inout Delivery
  ) {
    installValues(contents.values, turn, &delivery) { change, delivery in
      noteContents(contents, in: change, &delivery)
      if contents.stamps != nil || change[state].constraints?.stamps != nil {
        change[state].changeStamps { $0.didRead(contents.stamps) }
      }
    }
  }

  /// Replaces the committed values.
  ///
  /// - Parameter body: Changes the state before.
  func installValues(
    _ new: PlistDictionary, _ turn: borrowing Turn, _ delivery: inout Delivery,
    _ body: (borrowing StateChange, inout Delivery) -> Void = { _, _ in }
  ) {
    // Only the thread with the turn changes the committed values.
    let old = StateLock.change { values.dictionary(in: $0) }
    let changed = old.isEmpty ? nil : old.keysChanged(to: new)
    StateLock.change { change in
      body(change, &delivery)
      if !(changed?.isEmpty ?? new.isEmpty) {
        values.install(new, changed: changed, in: change, &delivery)
      }
      publishPhase(in: change)
    }
  }

  /// In a forked child, leaves unsaved changes to the parent. The next use reads the file, and
  /// notifies observers of differences from the parent's values. A domain in memory is not shared
  /// and keeps its changes.
  func startAnew(in change: borrowing StateChange, _ delivery: inout Delivery) {
    reschedule(in: change) { _, now, _ in change[state].didFork(at: now) }
    if path != nil { values.dropChanges(in: change, &delivery) }
    publishPhase(in: change)
  }
}
