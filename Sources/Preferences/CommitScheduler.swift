internal import FileStorage
internal import Glibc

/// Saves domains in the background, some time after they have changed, and at the end of the process.
///
/// A thread does it that lives as long as something is unsaved. It is not one of Dispatch, which does
/// not survive a fork: a daemon that forks into the background goes on to save.
final class CommitScheduler: Sendable {
  static let shared = CommitScheduler()

  /// How long changes gather before they are saved.
  private static let window = Duration.milliseconds(50)
  /// How long the lock of one file may keep those of other domains waiting.
  private static let lockLimit = Duration.seconds(2)
  /// How long the end of the process waits for changes to be saved.
  private static let exitLimit = Duration.seconds(3)

  private struct Unsaved {
    var file: DomainFile
    var due: ContinuousClock.Instant
    /// How often in a row saving has failed; it is tried again less and less often.
    var failures = 0
  }

  private struct State {
    /// What is to be saved, until it has been.
    var unsaved: [ObjectIdentifier: Unsaved] = [:]
    /// The process in which the thread runs, which a child that was forked does not have.
    var process: pid_t?
  }

  private let state = Lock(State())
  private let gate = ForkGate()

  private init() {
    atexit { CommitScheduler.shared.saveAtExit() }
  }

  /// Has a domain saved soon.
  func schedule(_ file: DomainFile) {
    state.withLock { state in
      let identifier = ObjectIdentifier(file)
      if state.unsaved[identifier] == nil {
        state.unsaved[identifier] = Unsaved(file: file, due: .now + Self.window)
      }
      let process = getpid()
      if state.process != process, Self.startThread() { state.process = process }
    }
  }

  /// Starts the thread that saves. It leaves the handling of signals to others.
  private static func startThread() -> Bool {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
      CommitScheduler.shared.run()
      return nil
    }
    guard pthread_create(&thread, nil, body, nil) == 0 else { return false }
    pthread_detach(thread)
    return true
  }

  private func run() {
    while let due = gate.pass(dueFiles) {
      if due.isEmpty { Self.sleep(Self.window / 5) }
      for file in due {
        if let failure = gate.pass({ save(file) }) { file.report(failure) }
      }
    }
  }

  /// The domains that are to be saved now; nil when there is nothing left to save, and the thread ends.
  private func dueFiles() -> [DomainFile]? {
    state.withLock { state in
      if state.unsaved.isEmpty {
        state.process = nil
        return nil
      }
      let now = ContinuousClock.now
      return state.unsaved.values.filter { $0.due <= now }.map(\.file)
    }
  }

  /// Saves a domain, or finds out why it cannot be and when to try again.
  private func save(_ file: DomainFile) -> PreferencesError? {
    var failure: PreferencesError?
    do {
      try file.commit(timeout: Self.lockLimit)
    } catch {
      failure = PreferencesError(error)
    }
    state.withLock { [failure] state in
      let identifier = ObjectIdentifier(file)
      // Asked under the lock: a change that comes later schedules the domain again.
      guard file.hasChanges, var unsaved = state.unsaved[identifier] else {
        state.unsaved[identifier] = nil
        return
      }
      unsaved.failures = failure == nil ? 0 : min(unsaved.failures + 1, 5)
      let pause = failure == nil ? Self.window : .seconds(1 << (unsaved.failures - 1))
      unsaved.due = .now + pause
      state.unsaved[identifier] = unsaved
    }
    return failure
  }

  private func saveAtExit() {
    let deadline = ContinuousClock.now + Self.exitLimit
    var files = state.withLock { $0.unsaved.values.map(\.file) }
    while let file = files.popLast() {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return }
      do {
        // Each has its share of the time, so that one that is locked does not cost the others theirs.
        try file.commit(within: left / (files.count + 1))
      } catch {
        file.report(PreferencesError(error))
      }
    }
  }

  /// Puts the thread to sleep.
  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    nanosleep(&time, nil)
  }
}

extension PreferencesError {
  /// The error of a commit without a closure, which throws no others.
  init(_ error: any Error) {
    self = (error as? PreferencesError) ?? .unsupportedType("\(error)")
  }
}
