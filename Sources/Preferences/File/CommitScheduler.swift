internal import Glibc
internal import Threading

/// Commits domains in the background, some time after they have changed, and at the end of the
/// process.
///
/// A thread does this. It lives while anything is uncommitted, and a few seconds longer, so that a
/// program that sets values again and again does not start one each time.
final class CommitScheduler: Sendable {
  static let shared = CommitScheduler()

  /// The longest time for which the lock of one file may delay the commits of other domains.
  private static let lockLimit = Duration.seconds(2)
  /// How long the thread waits for one commit before it leaves that to another thread and goes on
  /// with other domains: the file system may not answer.
  private static let patience = Duration.milliseconds(250)
  /// The time for which the thread stays when everything is committed.
  private static let idleLimit = Duration.seconds(5)

  private struct Entry {
    var file: DomainFile
    var due: ContinuousClock.Instant
    /// The number of failures in a row; the delay before the next attempt grows with it.
    var failures = 0
    /// Whether the domain is being committed.
    var isBusy = false
  }

  /// The thread that commits.
  private struct Worker {
    /// The fork count of the process in which it runs. A child does not have it.
    var forks: UInt32
    let wakeUp = AutoResetEvent()
    /// The time at which it wakes.
    var wakes = ContinuousClock.now
    /// The time at which it ends if there is nothing to commit until then; nil while there is.
    var end: ContinuousClock.Instant?
  }

  private struct State {
    /// The domains with uncommitted changes.
    var dirty: [ObjectIdentifier: Entry] = [:]
    var worker: Worker?
  }

  private let state = Lock(State())

  private init() {
    atexit { CommitScheduler.shared.commitAtExit() }
  }

  /// Schedules a commit of a domain.
  func schedule(_ file: DomainFile) {
    let due = ContinuousClock.now + RuntimeConfiguration.current.commitDelay
    state.withLock { state in
      let identifier = ObjectIdentifier(file)
      if state.dirty[identifier] == nil {
        state.dirty[identifier] = Entry(file: file, due: due)
      }
      // After the domain is in the list: a thread that finds it scheduled relies on that.
      file.markScheduled()
      if let worker = state.worker, worker.forks == Fork.count {
        if due < worker.wakes { worker.wakeUp.signal() }
      } else {
        let worker = Worker(forks: Fork.count)
        let isStarted = BackgroundThread.start("larder-save") { [wakeUp = worker.wakeUp] in
          CommitScheduler.shared.run(wakeUp)
        }
        if isStarted { state.worker = worker }
      }
    }
  }

  /// The domains with uncommitted changes.
  var dirtyFiles: [DomainFile] {
    state.withLock { $0.dirty.values.map(\.file) }
  }

  private func run(_ wakeUp: AutoResetEvent) {
    let side = SideThread("larder-commit")
    while let (due, wakes) = next() {
      if due.isEmpty {
        let pause = wakes - .now
        ForkGate.shared.allowingForks { wakeUp.wait(for: pause) }
      }
      for file in due {
        side.run(waiting: Self.patience) { [self] in
          let (failure, delivery) = commit(file)
          if let failure { ForkGate.shared.allowingForks { file.failureHandlers.report(failure) } }
          delivery.deliverAsynchronously()
          // The thread may not have waited for this.
          wakeUp.signal()
        }
      }
    }
  }

  /// The domains that are due, and the time at which the next one is; nil if there is nothing left
  /// to commit and the thread ends.
  private func next() -> (due: [DomainFile], wakes: ContinuousClock.Instant)? {
    state.withLock { state in
      let now = ContinuousClock.now
      let isBusy = state.dirty.values.contains { $0.isBusy }
      let waiting = state.dirty.values.filter { !$0.isBusy }
      guard let wakes = waiting.map(\.due).min() ?? (isBusy ? now + Self.idleLimit : nil) else {
        let end = state.worker?.end ?? now + Self.idleLimit
        if end <= now {
          state.worker = nil
          return nil
        }
        state.worker?.end = end
        state.worker?.wakes = end
        return ([], end)
      }
      state.worker?.end = nil
      state.worker?.wakes = wakes
      let due = waiting.filter { $0.due <= now }.map(\.file)
      for file in due { state.dirty[ObjectIdentifier(file)]?.isBusy = true }
      return (due, wakes)
    }
  }

  /// Commits a domain, or schedules another attempt.
  private func commit(_ file: DomainFile) -> (PreferencesError?, Delivery) {
    var failure: PreferencesError?
    var delivery = Delivery()
    do throws(PreferencesError) {
      try file.commit(totalTimeout: Self.lockLimit, &delivery)
    } catch {
      failure = error
    }
    let delay = RuntimeConfiguration.current.commitDelay
    state.withLock { [failure] state in
      let identifier = ObjectIdentifier(file)
      // Checked under the lock: a later change schedules the domain again.
      guard !file.endScheduleIfClean(), var entry = state.dirty[identifier] else {
        state.dirty[identifier] = nil
        return
      }
      entry.isBusy = false
      entry.failures = failure == nil ? 0 : min(entry.failures + 1, 5)
      entry.due = .now + (failure == nil ? delay : .seconds(1 << (entry.failures - 1)))
      state.dirty[identifier] = entry
    }
    return (failure, delivery)
  }

  private func commitAtExit() {
    // Observers are not called any more.
    var delivery = Delivery()
    let timeout = RuntimeConfiguration.current.exitFlushTimeout
    for (file, error) in commit(dirtyFiles, within: timeout, &delivery) {
      file.failureHandlers.report(error)
    }
  }

  /// Commits domains.
  ///
  /// - Parameter timeout: The longest time for all of them together.
  /// - Returns: The domains that could not be committed, and why.
  func commit(
    _ files: [DomainFile], within timeout: Duration, _ delivery: inout Delivery
  ) -> [(DomainFile, PreferencesError)] {
    let deadline = ContinuousClock.now + timeout
    let failures = commit(files, until: deadline, &delivery)
    // A file that was locked, perhaps for a moment by another thread's commit, is tried again with
    // all of the remaining time.
    let late = failures.filter { $0.1.isTimeout }.map(\.0)
    if late.isEmpty || deadline <= .now { return failures }
    return failures.filter { !$0.1.isTimeout } + commit(late, until: deadline, &delivery)
  }

  private func commit(
    _ files: [DomainFile], until deadline: ContinuousClock.Instant, _ delivery: inout Delivery
  ) -> [(DomainFile, PreferencesError)] {
    let side = SideThread("larder-commit")
    var failures: [(DomainFile, PreferencesError)] = []
    for (index, file) in files.enumerated() {
      // Each file gets its share of the time, so that a locked one does not use up that of the
      // others.
      let share = max(.zero, deadline - .now) / (files.count - index)
      if let error = commit(file, within: share, on: side, &delivery) {
        failures.append((file, error))
      }
    }
    return failures
  }

  /// Commits a domain, on another thread since its file system may not answer.
  ///
  /// - Returns: Why it could not be committed in time.
  private func commit(
    _ file: DomainFile, within timeout: Duration, on side: SideThread, _ delivery: inout Delivery
  ) -> PreferencesError? {
    guard timeout > .zero else { return file.lockTimeout(waited: .zero) }
    struct Outcome {
      var isLate = false
      var failure: PreferencesError?
      var delivery = Delivery()
    }
    let outcome = Lock(Outcome())
    let isInTime = side.run(waiting: timeout + Self.patience) {
      var failure: PreferencesError?
      var delivery = Delivery()
      do throws(PreferencesError) {
        try file.commit(totalTimeout: timeout, &delivery)
      } catch {
        failure = error
      }
      let isLate = outcome.withLock { outcome in
        if !outcome.isLate { outcome = Outcome(failure: failure, delivery: delivery) }
        return outcome.isLate
      }
      if isLate { delivery.deliverAsynchronously() }
    }
    let result = outcome.withLock { outcome in
      defer { outcome = Outcome(isLate: true) }
      return outcome
    }
    delivery.add(result.delivery)
    return isInTime ? result.failure : file.lockTimeout(waited: timeout)
  }
}
