internal import FileStorage
internal import PropertyList
internal import Synchronization
internal import Threading

/// Reading the file, and reading it again when it has changed.
extension DomainFile {
  /// Reads the file for somebody who asks for values, unless that has been done, and watches it if
  /// it is time.
  ///
  /// - Parameter looks: What was just found of folders.
  func load(_ looks: FolderLooks = FolderLooks()) {
    noteUse()
    loadOnce(looks)
    watchIfDue()
  }

  /// Reads the file unless that has been done. What is known of it may be out of date.
  func loadOnce(_ looks: FolderLooks = FolderLooks()) {
    advance(to: .loaded, looks)
    if isUnreadable.load(ordering: .relaxed) { lookAgainIfDue() }
  }

  /// Reads the file as ``load()`` does, except that values of a large file may be left to be
  /// decoded when they are looked up.
  func open(_ looks: FolderLooks = FolderLooks()) {
    noteUse()
    advance(to: .opened, looks)
    watchIfDue()
  }

  /// Notes that values are asked for.
  private func noteUse() {
    // Mostly known, and then not written again.
    if !isUsed.load(ordering: .relaxed) { isUsed.store(true, ordering: .relaxed) }
  }

  private func advance(to wanted: Stage, _ looks: FolderLooks) {
    engine.watching.restartIfNeeded()
    if hasReached(wanted) { return }
    if lane.isHeldHere {
      fatalError("a check of \(path ?? "a domain") reads the preferences that it checks")
    }
    var delivery = Delivery()
    while !hasReached(wanted) {
      lane.withTurnToRead { turn in
        open(turn, looks: looks, &delivery)
        if wanted == .loaded { load(turn, &delivery) }
      }
    }
    delivery.deliver()
  }

  private func hasReached(_ wanted: Stage) -> Bool {
    stage.load(ordering: .acquiring).rawValue >= wanted.rawValue
  }

  /// Decodes all values of the file.
  ///
  /// - Parameter deadline: The time until which a file that does not parse is looked at again.
  func load(
    _ turn: borrowing Turn, until deadline: ContinuousClock.Instant? = nil,
    _ delivery: inout Delivery
  ) {
    open(turn, until: deadline, &delivery)
    guard let path, !hasReached(.loaded) else { return }
    if let lazy = StateLock.change({ values.lazy(in: $0) }) {
      do throws(PlistError) {
        let all = try lazy.dictionary.allValues()
        let version = lazy.contents.version
        StateLock.change { change in
          change[state].version = version
          values.install(all, changed: nil, in: change, &delivery)
        }
      } catch {
        note(.corrupt(path: path, error), nil, isWatched: false, &delivery)
      }
    }
    noteStage(.loaded)
  }

  /// Notes how far the file has been read, and lets threads go on that wait for that.
  private func noteStage(_ new: Stage) {
    stage.store(new, ordering: .releasing)
    lane.noteRead()
  }

  private func open(
    _ turn: borrowing Turn, looks: FolderLooks = FolderLooks(),
    until deadline: ContinuousClock.Instant? = nil, _ delivery: inout Delivery
  ) {
    if hasReached(.opened) { return }
    if engine.watching.isDue { watch() }
    if let path, looks.isFolderMissing(of: path), !isWatched.load(ordering: .relaxed) {
      install(DomainContents(), turn, &delivery)
    } else {
      read(turn, until: deadline, &delivery)
    }
    let isLazy = StateLock.change { values.lazy(in: $0) != nil }
    noteStage(isLazy ? .opened : .loaded)
  }

  /// Watches the file, if the configuration says so.
  private func watch() {
    guard let path else { return }
    let watch = engine.watching.watcher.watch(path) { [weak self] in
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

  /// Reports that changes of the file are found by polling, unless that has been done. The calling
  /// thread may work with the file.
  private func reportPolling(_ reason: PreferencesEvent.PollingReason) {
    guard let path, !engine.watching.onlyPolls,
      !StateLock.change({ exchange(&$0[state].hasReportedPolling, with: true) })
    else { return }
    var delivery = Delivery()
    delivery.add(.polling(path: path, reason: reason), on: engine)
    delivery.deliverAsynchronously(by: engine)
  }

  /// Watches the file if it has been read and is to be watched by now. What has changed until then
  /// is read, which may be a long time ago, so that this waits for a moment for a thread that works
  /// with the file.
  func watchIfDue() {
    if isWatched.load(ordering: .acquiring) || !engine.watching.isDue || !hasReached(.opened) {
      return
    }
    if isWatched.exchange(true, ordering: .acquiringAndReleasing) { return }
    var delivery = Delivery()
    watchNow(waiting: Self.patience, &delivery)
    delivery.deliver()
  }

  /// The longest time for which a getter waits for a thread that works with the file.
  private static let patience = Duration.milliseconds(100)

  /// Watches the file and reads what has changed, or leaves that to a later turn.
  func watchNow(waiting patience: Duration, _ delivery: inout Delivery) {
    let isDone: Void? = withTurn(until: .now + patience) { turn in
      watch()
      read(turn, &delivery)
    }
    if isDone == nil { request(.watch) }
  }

  /// Reads the file again if it has changed. If a thread works with the file for too long, it is read
  /// later.
  func reload(_ delivery: inout Delivery) {
    let isDone: Void? = withTurn(until: .now + .seconds(10)) { turn in
      if hasReached(.opened) { read(turn, &delivery) } else { open(turn, &delivery) }
    }
    if isDone == nil { request(.read) }
  }

  /// Reads a file that has changed, now or, so that the watcher's thread does not wait for one file, in
  /// a later turn.
  private func handleFileEvent() {
    if !stopWatchingIfUnused() { request(.read) }
  }

  /// Reads a file of which the watcher has reported that it may have changed.
  func readChangedFile(_ delivery: inout Delivery) {
    _ = withTurn(until: .now) { turn in read(turn, &delivery, isWatched: true) }
    // Searches, which note no use, find out whether the values are still asked for.
    StateLock.change { change in
      if !isFollowed(in: change) { change.publish { $0.beginEpoch() } }
    }
  }

  /// Whether somebody is to be told what changes.
  private func isFollowed(in change: borrowing StateChange) -> Bool {
    values.hasSubscribers(in: change) || engine.handlers.hasGeneralHandlers(in: change)
  }

  /// Stops watching a file that has changed, if nobody is to be told what changes, and nobody has
  /// asked for values since it changed before. The next read of a value reads and watches it again.
  ///
  /// So many processes with one file do not all read what one of them writes.
  ///
  /// - Returns: Whether it is no longer watched.
  private func stopWatchingIfUnused() -> Bool {
    guard let path else { return false }
    // Another look at a file whose timestamps may not show a change is none.
    let known = StateLock.change { $0[state].version?.identity }
    if (try? AtomicFile.identity(of: path)) == known { return false }
    let (isStopped, watch) = StateLock.change { change -> (Bool, WatchedFile?) in
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

  /// Reads a file that could not be read, if it is time, and no other thread is about to.
  private func lookAgainIfDue() {
    let next = StateLock.change { $0[state].retries?.failedLooks.next }
    guard let next, next <= engine.clock.now else { return }
    var delivery = Delivery()
    _ = withTurn(until: .now) { turn in read(turn, &delivery) }
    delivery.deliver()
  }

  /// Reads the file if it has changed.
  ///
  /// - Parameters:
  ///   - deadline: The time until which a file in the middle of being written is waited for.
  ///   - isWatched: Whether the watcher reports further changes. A file in the middle of being
  ///     written is then not waited for, and a file that this process has just written not read.
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
        path, unless: version, attempts: isWatched ? 1 : 10, until: deadline,
        allowsLazy: !hasReached(.opened) && allowsLazyValues)
      if isManaged, let identity = present.identity,
        !ManagedFile.isTrusted(path, holding: identity)
      {
        let problem = PreferencesError.untrustedManagedFile(path: path)
        // Installed once: that takes the problem away until it is noted again.
        if StateLock.change({ $0[state].problem }) != problem {
          install(DomainContents(), turn, &delivery, isReadable: false)
        }
        throw problem
      }
      if let contents {
        try check(contents, turn)
        install(contents, turn, &delivery)
        keepCopy(of: contents, turn, &delivery)
        engine.reads.note(since: start)
      } else {
        StateLock.change { $0[state].version = present.version }
      }
      isUnreadable.store(false, ordering: .relaxed)
      if isWatched, let identity = present.identity { scheduleLook(after: identity, watch) }
    } catch {
      engine.reads.noteFailure()
      useCopy(insteadOf: error, turn, &delivery)
      // The values that were read while the file was valid stay.
      note(error, watch, isWatched: isWatched, &delivery)
    }
  }

  /// Notes why the file cannot be read, and reports it.
  ///
  /// - Parameter isWatched: Whether the watcher has called. The problem of a file that may be in the
  ///   middle of being written is then reported if it is still the same some time later.
  private func note(
    _ problem: PreferencesError, _ watch: WatchedFile?, isWatched: Bool, _ delivery: inout Delivery
  ) {
    let pause = StateLock.change { change -> Duration? in
      let now = engine.clock.now
      change[state].note(problem, at: now)
      let wait = Self.timeToWrite - (now - (change[state].retries?.problemTime ?? now))
      let waits = isWatched && problem.mayBeTransient && wait > .zero
      if !waits { report(problem, in: change, &delivery) }
      guard problem.leavesContentsUnknown else {
        change[state].retries?.failedLooks.noteSuccess()
        return waits ? wait : nil
      }
      return change[state].madeRetries().failedLooks.noteFailure(now: now)
    }
    isUnreadable.store(problem.leavesContentsUnknown, ordering: .relaxed)
    if let pause { watch?.scheduleCall(after: pause) }
  }

  /// The time after which a file that another program has begun to write should be complete.
  private static let timeToWrite = Duration.milliseconds(500)

  /// Adds the event of a problem to a delivery, unless it has been reported.
  func report(
    _ problem: PreferencesError, in change: borrowing StateChange, _ delivery: inout Delivery
  ) {
    guard exchange(&change[state].madeRetries().reportedProblem, with: problem) != problem else {
      return
    }
    if let path, change[state].keepsGoodValues {
      delivery.add(.lastGoodContents(path: path, reason: problem), on: engine)
    } else {
      delivery.add(.readFailure(problem), on: engine)
    }
  }

  /// How long to leave a file alone that looks as it did when it was read, but so shortly after its
  /// last change that a further one need not show in its timestamps; nil if it is to be read now.
  private func pause(before version: FileVersion, at path: String) -> Duration? {
    guard version.identity.isRacy, let present = try? AtomicFile.identity(of: path),
      present == version.identity, present.isRacy
    else { return nil }
    return StateLock.change {
      $0[state].madeRetries().racyLooks.pause(before: present, now: engine.clock.now)
    }
  }

  /// Schedules another look at a file that has just been looked at, if its timestamps do not tell
  /// whether it was changed again.
  private func scheduleLook(after identity: FileIdentity, _ watch: WatchedFile?) {
    let pause = StateLock.change {
      $0[state].madeRetries().racyLooks.pause(after: identity, now: engine.clock.now)
    }
    if let pause { watch?.scheduleCall(after: pause) }
  }

  /// Takes over what is known about the file from its contents, and adds an event to a delivery if
  /// the file was reported as one that cannot be read.
  func noteContents(
    _ contents: DomainContents, in change: borrowing StateChange, _ delivery: inout Delivery,
    isReadable: Bool = true
  ) {
    let wasReported = change[state].update(with: contents)
    if wasReported, isReadable, let path { delivery.add(.readRecovery(path: path), on: engine) }
  }

  /// Takes over the contents of the file.
  ///
  /// - Parameter isReadable: Whether they are those of the file, and not taken for it.
  func install(
    _ contents: DomainContents, _ turn: borrowing Turn, _ delivery: inout Delivery,
    isReadable: Bool = true
  ) {
    if let lazy = contents.lazy {
      return StateLock.change { change in
        noteContents(contents, in: change, &delivery, isReadable: isReadable)
        values.install(lazy: lazy, in: change)
      }
    }
    // Only the thread that has the turn changes the committed values.
    let (old, isLazy) = StateLock.change { (values.dictionary(in: $0), values.lazy(in: $0) != nil) }
    let changed = old.isEmpty ? nil : old.keysChanged(to: contents.values)
    StateLock.change { change in
      noteContents(contents, in: change, &delivery, isReadable: isReadable)
      if !isLazy, changed?.isEmpty ?? contents.values.isEmpty { return }
      values.install(contents.values, changed: changed, in: change, &delivery)
    }
  }
}
