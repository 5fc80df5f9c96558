internal import Glibc
internal import Threading

/// Saves domains in the background, some time after they have changed, and at the end of the process.
///
/// A thread does it that lives as long as something is unsaved, and somewhat longer: who sets and saves
/// again and again shall not have to start one each time.
final class CommitScheduler: Sendable {
  static let shared = CommitScheduler()

  /// How long the lock of one file may keep those of other domains waiting.
  private static let lockLimit = Duration.seconds(2)
  /// How long the thread stays when everything is saved.
  private static let idleLimit = Duration.seconds(5)

  private struct Unsaved {
    var file: DomainFile
    var due: ContinuousClock.Instant
    /// How often in a row saving has failed; it is tried again less and less often.
    var failures = 0
  }

  /// The thread that saves.
  private struct Worker {
    /// The fork count of the process in which it runs. A child that was forked does not have it.
    var forks: UInt32
    let wakeUp = AutoResetEvent()
    /// Until when it sleeps.
    var wakes = ContinuousClock.now
    /// When it ends if there is nothing to save until then; nil while there is something.
    var end: ContinuousClock.Instant?
  }

  private struct State {
    /// What is to be saved, until it has been.
    var unsaved: [ObjectIdentifier: Unsaved] = [:]
    var worker: Worker?
  }

  private let state = Lock(State())

  private init() {
    atexit { CommitScheduler.shared.saveAtExit() }
  }

  /// Has a domain saved soon.
  func schedule(_ file: DomainFile) {
    let due = ContinuousClock.now + PreferencesStore.runtimeConfiguration.commitDelay
    state.withLock { state in
      let identifier = ObjectIdentifier(file)
      if state.unsaved[identifier] == nil {
        state.unsaved[identifier] = Unsaved(file: file, due: due)
      }
      // Not before it is on the list: whoever finds this noted takes it to be there.
      file.noteSchedule()
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

  /// The domains that are not saved.
  var unsavedFiles: [DomainFile] {
    state.withLock { $0.unsaved.values.map(\.file) }
  }

  private func run(_ wakeUp: AutoResetEvent) {
    while let (due, wakes) = next() {
      if due.isEmpty {
        let pause = wakes - .now
        ForkGate.shared.allowingForks { wakeUp.wait(for: pause) }
      }
      for file in due {
        let (failure, delivery) = save(file)
        if let failure { ForkGate.shared.allowingForks { file.report(failure) } }
        delivery.deliverElsewhere()
      }
    }
  }

  /// The domains that are to be saved now, and when to look again where there are none; nil when there
  /// is nothing left to save, and the thread ends.
  private func next() -> (due: [DomainFile], wakes: ContinuousClock.Instant)? {
    state.withLock { state in
      let now = ContinuousClock.now
      guard let wakes = state.unsaved.values.map(\.due).min() else {
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
      return (state.unsaved.values.filter { $0.due <= now }.map(\.file), wakes)
    }
  }

  /// Saves a domain, or finds out why it cannot be and when to try again.
  private func save(_ file: DomainFile) -> (PreferencesError?, Delivery) {
    var failure: PreferencesError?
    var delivery = Delivery()
    do {
      try file.commit(within: Self.lockLimit, &delivery)
    } catch {
      failure = PreferencesError(error)
    }
    let delay = PreferencesStore.runtimeConfiguration.commitDelay
    state.withLock { [failure] state in
      let identifier = ObjectIdentifier(file)
      // Asked under the lock: a change that comes later schedules the domain again.
      guard file.continuesSchedule(), var unsaved = state.unsaved[identifier] else {
        state.unsaved[identifier] = nil
        return
      }
      unsaved.failures = failure == nil ? 0 : min(unsaved.failures + 1, 5)
      let pause = failure == nil ? delay : .seconds(1 << (unsaved.failures - 1))
      unsaved.due = .now + pause
      state.unsaved[identifier] = unsaved
    }
    return (failure, delivery)
  }

  private func saveAtExit() {
    // Observers are not called any more.
    var delivery = Delivery()
    let limit = PreferencesStore.runtimeConfiguration.exitFlushTimeout
    for (file, error) in save(unsavedFiles, within: limit, &delivery) { file.report(error) }
  }

  /// Saves domains.
  ///
  /// - Parameter timeout: How long to wait for all of them together.
  /// - Returns: Those that could not be saved, and why.
  func save(
    _ files: [DomainFile], within timeout: Duration, _ delivery: inout Delivery
  ) -> [(DomainFile, PreferencesError)] {
    let deadline = ContinuousClock.now + timeout
    let failures = save(files, within: timeout, until: deadline, &delivery)
    // One that was locked, as it is for a moment while another thread saves it, is tried again with all
    // the time that is left.
    let late = failures.filter { $0.1.isTimeout }.map(\.0)
    return failures.filter { !$0.1.isTimeout }
      + save(late, within: timeout, until: deadline, &delivery)
  }

  private func save(
    _ files: [DomainFile], within timeout: Duration, until deadline: ContinuousClock.Instant,
    _ delivery: inout Delivery
  ) -> [(DomainFile, PreferencesError)] {
    var failures: [(DomainFile, PreferencesError)] = []
    for (index, file) in files.enumerated() {
      let left = deadline - .now
      do {
        guard left > .zero else {
          throw PreferencesError.lockTimeout(path: file.path ?? "", waited: timeout)
        }
        // Each has its share of the time, so that one that is locked does not cost the others theirs.
        try file.commit(within: left / (files.count - index), &delivery)
      } catch {
        failures.append((file, PreferencesError(error)))
      }
    }
    return failures
  }
}

extension PreferencesError {
  /// The error of a commit without a closure, which throws no others.
  package init(_ error: any Error) {
    self = (error as? PreferencesError) ?? .unsupportedType("\(error)")
  }
}
