internal import Glibc
internal import Threading

/// Commits domains in the background, some time after they have changed, and at the end of the
/// process.
///
/// A thread waits for the time, and others commit (``CommitGroup/savers``). It lives while anything is
/// uncommitted, and a few seconds longer, so that a program that sets values again and again does not
/// start one each time.
final class CommitScheduler: Sendable {
  static let shared = CommitScheduler()

  /// The longest time for which the lock of one file may delay the commits of other domains.
  private static let lockLimit = Duration.seconds(2)
  /// The time that committing everything may take: that for any number of domains, and that for each.
  private static let flushLimit = (base: Duration.seconds(10), each: Duration.milliseconds(10))
  /// The time for which the thread stays when everything is committed.
  private static let idleLimit = Duration.seconds(5)
  /// The minimum time between attempts to start the thread.
  private static let pauseBetweenStarts = Duration.milliseconds(10)
  /// The pause between looks at what became of inherited changes, doubled from one to the other.
  private static let looks = (first: Duration.milliseconds(100), longest: Duration.seconds(1))
  /// The longest time for which the end of a forked child waits for that.
  private static let inheritanceLimit = Duration.seconds(1)

  private struct Entry {
    var file: DomainFile
    var due: ContinuousClock.Instant
    /// The time of the oldest change that has not been committed.
    var start = ContinuousClock.now
    /// The number of failures in a row; the delay before the next attempt grows with it.
    var failures = 0
    /// Whether the domain is being committed.
    var isBusy = false
    /// The pause before the next look at what became of inherited changes.
    var look = CommitScheduler.looks.first
  }

  /// The thread that commits.
  private struct Worker {
    let wakeUp = AutoResetEvent()
    /// The time at which it wakes.
    var wakes = ContinuousClock.now
    /// The time at which it ends if there is nothing to commit until then; nil while there is.
    var end: ContinuousClock.Instant?
  }

  private struct State {
    /// The domains with uncommitted changes.
    var dirty: [ObjectIdentifier: Entry] = [:]
    /// The thread; nil if there is none.
    var worker: Worker?
    /// The time of the next attempt to start a thread, after the system had no more.
    var startingTime: ContinuousClock.Instant?
    /// Memory for the marks of this process; nil as long as it has changed nothing.
    var marks: CommitMark.SharedMemory?
    /// This process, if it is forking.
    var process: ProcessIdentity?
  }

  private let state = Guarded(State())

  private init() {
    atexit { CommitScheduler.shared.commitAtExit() }
    Fork.register(.running) {
      let process = ProcessIdentity.current
      StateLock.change { $0[self.state].process = process }
    } after: { isChild in
      if isChild { StateLock.change { self.inherit(in: $0) } }
    }
  }

  // MARK: Scheduling

  /// Schedules a commit of a domain by the shared scheduler.
  static var onDirty: DomainFile.OnDirty {
    // Not created under the state lock.
    let scheduler = shared
    return { file, change in scheduler.schedule(file, in: change) }
  }

  /// Schedules a commit of a domain. The thread is within the ``ForkGate``.
  func schedule(_ file: DomainFile, in change: borrowing StateChange) {
    let identifier = ObjectIdentifier(file)
    let due = ContinuousClock.now + RuntimeConfiguration.current(in: change).commitDelay
    let known = change[state].dirty[identifier]?.due
    change[state].dirty[identifier, default: Entry(file: file, due: due)].due = min(
      known ?? due, due)
    if change[file.state].mark == nil {
      if change[state].marks == nil { change[state].marks = CommitMark.SharedMemory() }
      change[file.state].mark = change[state].marks?.next(in: change)
    }
    if let worker = change[state].worker {
      if due < worker.wakes { worker.wakeUp.signal() }
    } else {
      start(in: change)
    }
    // Otherwise the next change tries again.
    change[file.state].isScheduled = change[state].worker != nil
  }

  /// Starts the thread if it is missing, as after the system had no more.
  func resume() {
    ForkGate.shared.delayingForks {
      StateLock.change { change in
        if change[state].dirty.isEmpty || change[state].worker != nil { return }
        start(in: change)
      }
    }
  }

  private func start(in change: borrowing StateChange) {
    if let time = change[state].startingTime, time > .now { return }
    let worker = Worker()
    let isStarted = BackgroundThread.start("larder-save") { [self, wakeUp = worker.wakeUp] in
      run(wakeUp)
    }
    change[state].worker = isStarted ? worker : nil
    change[state].startingTime = isStarted ? nil : .now + Self.pauseBetweenStarts
  }

  /// The domains with uncommitted changes.
  var dirtyFiles: [DomainFile] {
    StateLock.change { $0[state].dirty.values.map(\.file) }
  }

  /// The number of domains with changes of this process that have not been committed, and the time
  /// of the oldest of these changes; nil if there are none.
  var unsaved: (count: Int, since: ContinuousClock.Instant?) {
    StateLock.change { change in
      let starts = change[state].dirty.values.compactMap { entry in
        entry.file.values.hasChanges(in: change) ? entry.start : nil
      }
      return (starts.count, starts.min())
    }
  }

  // MARK: Background

  private func run(_ wakeUp: AutoResetEvent) {
    while let (due, wakes) = next() {
      if due.isEmpty {
        let pause = wakes - .now
        ForkGate.shared.allowingForks { wakeUp.wait(for: pause) }
      }
      for file in due {
        // A fork that is waiting is made first.
        ForkGate.shared.allowingForks {}
        let isRunning = CommitGroup.savers.run(for: ObjectIdentifier(file)) {
          self.commitScheduled(file, wakeUp)
        }
        // The system has no more threads.
        if !isRunning { commitScheduled(file, wakeUp) }
      }
    }
  }

  private func commitScheduled(_ file: DomainFile, _ wakeUp: AutoResetEvent) {
    let (failure, delivery) = commit(file)
    if let failure { ForkGate.shared.allowingForks { file.reportSaveFailure(failure) } }
    delivery.deliverAsynchronously()
    wakeUp.signal()
  }

  /// The domains that are due, and the time at which the next one is; nil if there is nothing left
  /// to commit and the thread ends.
  private func next() -> (due: [DomainFile], wakes: ContinuousClock.Instant)? {
    StateLock.change { change in
      let now = ContinuousClock.now
      let isBusy = change[state].dirty.values.contains { $0.isBusy }
      let waiting = change[state].dirty.values.filter { !$0.isBusy }
      guard let wakes = waiting.map(\.due).min() ?? (isBusy ? now + Self.idleLimit : nil) else {
        let end = change[state].worker?.end ?? now + Self.idleLimit
        if end <= now {
          change[state].worker = nil
          return nil
        }
        change[state].worker?.end = end
        change[state].worker?.wakes = end
        return ([], end)
      }
      change[state].worker?.end = nil
      change[state].worker?.wakes = wakes
      let due = waiting.filter { $0.due <= now }.map(\.file)
      for file in due { change[state].dirty[ObjectIdentifier(file)]?.isBusy = true }
      return (due, wakes)
    }
  }

  /// Commits a domain, or schedules another attempt.
  private func commit(_ file: DomainFile) -> (PreferencesError?, Delivery) {
    var failure: PreferencesError?
    var delivery = Delivery()
    do throws(PreferencesError) {
      try file.commit(timeout: Self.lockLimit, &delivery)
    } catch {
      failure = error
    }
    let ended = StateLock.change { [failure] change in endSchedule(file, failure, in: change) }
    withExtendedLifetime(ended) {}
    return (failure, delivery)
  }

  /// Ends the schedule of a domain if all its changes have been committed; the next change then
  /// schedules another commit. Otherwise schedules another attempt.
  ///
  /// - Returns: What to release once the lock is not held.
  private func endSchedule(
    _ file: DomainFile, _ failure: PreferencesError?, in change: borrowing StateChange
  ) -> Entry? {
    let identifier = ObjectIdentifier(file)
    let hasChanges = file.values.hasChanges(in: change)
    change[file.state].isScheduled = hasChanges
    guard hasChanges || file.values.hasInherited(in: change),
      var entry = change[state].dirty[identifier]
    else { return change[state].dirty.removeValue(forKey: identifier) }
    entry.isBusy = false
    entry.failures = failure == nil ? 0 : min(entry.failures + 1, 5)
    if failure != nil {
      entry.due = .now + .seconds(1 << (entry.failures - 1))
    } else if hasChanges {
      entry.start = .now
      entry.due = .now + RuntimeConfiguration.current(in: change).commitDelay
    } else {
      entry.due = .now + entry.look
      entry.look = min(entry.look * 2, Self.looks.longest)
    }
    change[state].dirty[identifier] = entry
    return nil
  }

  // MARK: Forks

  /// Leaves the uncommitted changes to the parent, in a forked child, and starts a thread that
  /// saves them if the parent does not.
  private func inherit(in change: borrowing StateChange) {
    let parent = change[state].process
    change[state].worker = nil
    change[state].startingTime = nil
    change[state].marks = nil
    guard let parent, !change[state].dirty.isEmpty else { return }
    for (identifier, entry) in change[state].dirty {
      change[entry.file.state].isScheduled = false
      change[state].dirty[identifier]?.isBusy = false
      // A domain in memory is not shared.
      guard entry.file.path != nil else { continue }
      entry.file.inheritChanges(from: parent, in: change)
      change[state].dirty[identifier] = Entry(file: entry.file, due: .now + Self.looks.first)
    }
    start(in: change)
  }

  // MARK: Committing several domains

  private func commitAtExit() {
    // Observers are not called any more.
    var delivery = Delivery()
    let deadline = ContinuousClock.now + RuntimeConfiguration.current.exitFlushTimeout
    for (file, error) in CommitGroup.commit(dirtyFiles, until: deadline, &delivery) {
      file.reportSaveFailure(error)
    }
    delivery.postEvents()
    // The parent of this process may be about to save inherited changes, or to end.
    let limit = min(deadline, .now + Self.inheritanceLimit)
    var inherited = dirtyFiles.filter(\.hasInherited)
    while !inherited.isEmpty, .now < limit {
      Duration.milliseconds(2).sleep()
      inherited = inherited.filter(\.hasInherited)
      _ = CommitGroup.commit(
        inherited.filter(\.hasDecidedInheritance), until: deadline, &delivery)
    }
  }

  /// Commits all domains with uncommitted changes.
  ///
  /// - Parameter timeout: The longest time for all of them together; nil for one that grows with
  ///   their number.
  /// - Throws: Why one could not be committed, after all others have been.
  func commitAll(
    within timeout: Duration?, _ delivery: inout Delivery
  ) throws(PreferencesError) {
    defer { resume() }
    let files = dirtyFiles
    let timeout = timeout ?? Self.flushLimit.base + Self.flushLimit.each * files.count
    let failures = CommitGroup.commit(files, until: .now + timeout, &delivery)
    guard let (_, error) = failures.first else { return }
    throw failures.count == 1
      ? error : .unsaved(count: failures.count, of: files.count, error)
  }
}
