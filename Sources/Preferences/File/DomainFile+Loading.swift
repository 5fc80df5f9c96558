internal import FileStorage
internal import PropertyList
internal import Synchronization
internal import Threading

/// Reading and re-reading the file.
extension DomainFile {
  /// Prepares a read of values: reads the file unless that has been done, and watches it if due.
  ///
  /// - Parameter looks: The current states of folders.
  func load(_ looks: FolderLooks = FolderLooks()) {
    noteUse()
    loadOnce(looks)
    watchIfDue()
  }

  /// Reads the file unless that has been done. Its values may be out of date.
  func loadOnce(_ looks: FolderLooks = FolderLooks()) {
    runtime.watching.restartIfNeeded()
    if !isLoaded { readFirst(looks) }
    if isUnreadable.load(ordering: .relaxed) { rereadIfDue() }
  }

  private func noteUse() {
    // Usually set already; then it is not written again.
    if !isUsed.load(ordering: .relaxed) { isUsed.store(true, ordering: .relaxed) }
  }

  /// Reads the file unless another turn does.
  private func readFirst(_ looks: FolderLooks) {
    if lane.isHeldHere {
      fatalError("a check of \(path ?? "a domain") reads the preferences that it checks")
    }
    var delivery = Delivery()
    while !isLoaded {
      lane.withTurn(until: nil, isReader: true) { turn in load(turn, looks: looks, &delivery) }
    }
    delivery.deliver()
  }

  /// Reads the file unless that has been done, and resumes the threads that wait for that.
  ///
  /// - Parameter deadline: When to stop re-reading a file that does not parse.
  func load(
    _ turn: borrowing Turn, looks: FolderLooks = FolderLooks(),
    until deadline: ContinuousClock.Instant? = nil, _ delivery: inout Delivery
  ) {
    if isLoaded { return }
    if runtime.watching.isDue { watch() }
    if let path, looks.isFolderMissing(of: path), !isWatched.load(ordering: .relaxed) {
      install(DomainContents(), turn, &delivery)
    } else {
      read(turn, until: deadline, &delivery)
    }
    loaded.store(true, ordering: .releasing)
    lane.noteRead()
  }

  private func watch() {
    guard let path else { return }
    let watch = runtime.disk.watch(path, with: runtime.watching.watcher) { [weak self] in
      self?.handleFileEvent()
    } polling: { [weak self] reason in
      self?.reportPolling(PreferencesEvent.PollingReason(reason))
    }
    let old = StateLock.change { change in
      isWatched.store(true, ordering: .releasing)
      change[state].isOutdated = false
      return exchange(&change[state].watch, with: watch)
    }
    withExtendedLifetime(old) {}
  }

  /// Reports once that the file is polled. The calling thread may have the turn.
  private func reportPolling(_ reason: PreferencesEvent.PollingReason) {
    guard let path, !runtime.watching.onlyPolls,
      !StateLock.change({ exchange(&$0[state].hasReportedPolling, with: true) })
    else { return }
    var delivery = Delivery()
    delivery.add(.polling(path: path, reason: reason), on: runtime.events)
    delivery.deliverAsynchronously(by: runtime.deliveries)
  }

  /// Watches the file if it has been read and watching is due. The last read may be long ago, so
  /// the file is read again if it has changed, after a short wait for a turn.
  func watchIfDue() {
    if isWatched.load(ordering: .acquiring) || !runtime.watching.isDue || !isLoaded { return }
    if isWatched.exchange(true, ordering: .acquiringAndReleasing) { return }
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
      if isLoaded { read(turn, &delivery) } else { load(turn, &delivery) }
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
    // Searches do not note uses; a new epoch makes them load the file again, which does.
    StateLock.change { change in
      if !isFollowed(in: change) { change.publish { $0.beginEpoch() } }
    }
  }

  /// Whether there are observers or event handlers to notify of changes.
  private func isFollowed(in change: borrowing StateChange) -> Bool {
    values.hasSubscribers(in: change) || runtime.events.list.hasGeneralHandlers(in: change)
  }

  /// Stops watching a changed file if there is nothing to notify and no value was read since the
  /// previous change. The next read of a value reads and watches it again.
  ///
  /// Without this, many processes with one file would all read whatever one of them writes.
  private func stopWatchingIfUnused() -> Bool {
    guard let path else { return false }
    // A re-read because of racy timestamps is not a change.
    let known = StateLock.change { $0[state].version?.identity }
    if (try? runtime.disk.identity(of: path)) == known { return false }
    let (isStopped, watch) = StateLock.change { change -> (Bool, (any DomainFileWatch)?) in
      if isFollowed(in: change) || isUsed.exchange(false, ordering: .relaxed) {
        return (false, nil)
      }
      change[state].isOutdated = true
      isWatched.store(false, ordering: .releasing)
      change.publish { $0.beginEpoch() }
      return (true, exchange(&change[state].watch, with: nil))
    }
    withExtendedLifetime(watch) {}
    return isStopped
  }

  /// Re-reads an unreadable file if that is due and no other thread has the turn.
  private func rereadIfDue() {
    let next = StateLock.change { $0[state].retries?.failedReads.next }
    guard let next, next <= runtime.clock.now else { return }
    var delivery = Delivery()
    _ = withTurn(until: .now) { turn in read(turn, &delivery) }
    delivery.deliver()
  }

  /// Reads the file if it has changed.
  ///
  /// - Parameters:
  ///   - deadline: When to stop waiting for a file in the middle of being written.
  ///   - isWatched: Whether the watcher reports further changes. Then a file in the middle of being
  ///     written is not waited for, and one with unchanged but racy timestamps is read later.
  func read(
    _ turn: borrowing Turn, until deadline: ContinuousClock.Instant? = nil,
    _ delivery: inout Delivery, isWatched: Bool = false
  ) {
    guard let path else { return }
    let (version, watch) = StateLock.change { change in
      (change[state].problem == nil ? change[state].version : nil, change[state].watch)
    }
    do throws(PreferencesError) {
      if isWatched, let version, let pause = pause(before: version, at: path) {
        watch?.scheduleCall(after: pause)
        return
      }
      let start = ContinuousClock.now
      let (present, contents) = try DomainContents.read(
        path, unless: version, attempts: isWatched ? 1 : 10, until: deadline, on: runtime.disk)
      if isManaged, let identity = present.identity,
        !ManagedFile.isTrusted(path, holding: identity)
      {
        let problem = PreferencesError.untrustedManagedFile(path: path)
        // Installed once, because that clears the problem until it is noted again.
        if StateLock.change({ $0[state].problem }) != problem {
          install(DomainContents(), turn, &delivery, isReadable: false)
        }
        throw problem
      }
      if isWatched, version != nil, present.identity == nil, let pause = pauseBeforeRemoval() {
        watch?.scheduleCall(after: pause)
        return
      }
      if let contents {
        try check(contents, turn)
        install(contents, turn, &delivery)
        keepCopy(of: contents, turn, &delivery)
        runtime.reads.note(since: start)
      } else {
        StateLock.change { change in
          change[state].version = present.version
          change[state].retries?.missingSince = nil
        }
      }
      isUnreadable.store(false, ordering: .relaxed)
      if isWatched, let identity = present.identity { scheduleReread(after: identity, watch) }
    } catch {
      runtime.reads.noteFailure()
      useCopy(insteadOf: error, turn, &delivery)
      // Values that were read while the file was valid stay.
      note(error, watch, isWatched: isWatched, &delivery)
    }
  }

  /// Notes and reports why the file cannot be read.
  ///
  /// - Parameter isWatched: Whether the watcher has called. The file may then be in the middle of
  ///   being written, and a problem is reported only if it persists for some time.
  private func note(
    _ problem: PreferencesError, _ watch: (any DomainFileWatch)?, isWatched: Bool,
    _ delivery: inout Delivery
  ) {
    let pause = StateLock.change { change -> Duration? in
      let now = runtime.clock.now
      change[state].note(problem, at: now)
      let wait = Self.timeToWrite - (now - (change[state].retries?.problemTime ?? now))
      let waits = isWatched && problem.mayBeTransient && wait > .zero
      if !waits { report(problem, in: change, &delivery) }
      guard problem.leavesContentsUnknown else {
        change[state].retries?.failedReads.noteSuccess()
        return waits ? wait : nil
      }
      return change[state].madeRetries().failedReads.noteFailure(now: now)
    }
    isUnreadable.store(problem.leavesContentsUnknown, ordering: .relaxed)
    if let pause { watch?.scheduleCall(after: pause) }
  }

  /// How long another program may take to write a file.
  private static let timeToWrite = Duration.milliseconds(500)

  /// Reports a problem unless it is the one reported last.
  func report(
    _ problem: PreferencesError, in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    guard exchange(&change[state].madeRetries().reportedProblem, with: problem) != problem else {
      return
    }
    if let path, change[state].keepsGoodValues {
      delivery.add(.lastGoodContents(path: path, reason: problem), on: runtime.events)
    } else {
      delivery.add(.readFailure(problem), on: runtime.events)
    }
  }

  /// How long to wait for the return of a file that is missing; nil if it counts as removed.
  private func pauseBeforeRemoval() -> Duration? {
    StateLock.change { change in
      let now = runtime.clock.now
      let retries = change[state].madeRetries()
      let since = retries.missingSince ?? now
      retries.missingSince = since
      let pause = DomainContents.timeToReturn - (now - since)
      return pause > .zero ? pause : nil
    }
  }

  /// How long to wait before reading a file whose racy timestamps show no change; nil if it is due.
  private func pause(before version: FileVersion, at path: String) -> Duration? {
    guard version.identity.isRacy, let present = try? runtime.disk.identity(of: path),
      present == version.identity, present.isRacy
    else { return nil }
    return StateLock.change {
      $0[state].madeRetries().racyReads.pause(before: present, now: runtime.clock.now)
    }
  }

  /// Schedules a re-read of a file that was just read if its timestamps are racy.
  private func scheduleReread(after identity: FileIdentity, _ watch: (any DomainFileWatch)?) {
    let pause = StateLock.change {
      $0[state].madeRetries().racyReads.pause(after: identity, now: runtime.clock.now)
    }
    if let pause { watch?.scheduleCall(after: pause) }
  }

  /// Updates the state from contents, and reports that a file that was reported as unreadable is
  /// readable again.
  func noteContents(
    _ contents: DomainContents, in change: borrowing StateChange, _ delivery: inout Delivery,
    isReadable: Bool = true
  ) {
    let wasReported = change[state].update(with: contents)
    if wasReported, isReadable, let path {
      delivery.add(.readRecovery(path: path), on: runtime.events)
    }
  }

  /// Makes contents the committed values.
  ///
  /// - Parameter isReadable: False for substitutes of a file that cannot be used.
  func install(
    _ contents: DomainContents, _ turn: borrowing Turn, _ delivery: inout Delivery,
    isReadable: Bool = true
  ) {
    // Only the thread with the turn changes the committed values.
    let old = StateLock.change { values.dictionary(in: $0) }
    let changed = old.isEmpty ? nil : old.keysChanged(to: contents.values)
    StateLock.change { change in
      noteContents(contents, in: change, &delivery, isReadable: isReadable)
      if changed?.isEmpty ?? contents.values.isEmpty { return }
      values.install(contents.values, changed: changed, in: change, &delivery)
    }
  }

  /// In a forked child, leaves unsaved changes to the parent. The next use reads the file, and
  /// notifies observers of what differs from the parent's values. A domain in memory is not shared
  /// and keeps its changes.
  func startAnew(in change: borrowing StateChange, _ delivery: inout Delivery) {
    reschedule(in: change) { schedule, now, _ in
      if path == nil { schedule.restart(at: now) } else { schedule = .clean }
    }
    if path == nil { return }
    values.dropChanges(in: change, &delivery)
    change[state].forgetFile()
    isUnreadable.store(false, ordering: .relaxed)
    loaded.store(false, ordering: .releasing)
  }
}
