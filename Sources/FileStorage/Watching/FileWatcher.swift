internal import Synchronization
internal import Threading

/// Watches files for changes by any program.
///
/// Changes are reported by inotify or, if the kernel cannot report them, found by polling. Three
/// kinds of changes are missed: writes through a memory mapping before the file is closed, a later
/// mount over the file or a folder above it, and writes through a hard link that was made later.
///
/// Handlers are called one after another on a thread of the watcher, with no lock held. While one
/// takes long, for example because a file system does not respond, the handlers of other files are
/// called on another thread. A handler may watch and cancel files, including its own, and stop and
/// start the watcher, but must not fork. A fork on another thread waits for the handler to return.
package final class FileWatcher: Sendable {
  package struct Options: Sendable {
    /// The time between polls of files whose changes the kernel does not report; longer if polling
    /// would take more than a few percent of the time.
    package var pollingInterval: Duration = .milliseconds(500)
    /// The maximum number of inotify watches, in addition to the limit of the kernel.
    package var watchLimit = Int.max
    /// Whether to use inotify. A running watcher may apply a change late.
    package var usesInotify = true

    package init() {}
  }

  /// The resources that a watcher uses.
  package struct Statistics: Sendable, Hashable {
    package var fileCount: Int
    /// The number of inotify watches, most of them on folders.
    package var watchCount: Int
    package var polledCount: Int
    package var descriptorCount: Int
    /// The number of threads: one, or two while one is ending and another has started.
    package var threadCount: Int
  }

  private let state: Lock<WatchState>
  /// The threads, other than the watcher's own, that work on single files, one at a time while file
  /// systems respond; nil for a watcher without threads.
  let workers: WorkerPool?
  /// Whether there may be files to watch but no thread.
  let lacksThread = Atomic(false)

  /// Creates a watcher without files, which has no thread and no open descriptors.
  package convenience init(options: Options = Options()) {
    let workers = WorkerPool("larder-files", width: 1, limit: 33, patience: Self.patience)
    self.init(workers, WatchState(options: options, linger: .seconds(1)) { .now })
  }

  /// Creates a watcher without files that never has a thread. Its owner calls ``doWhatIsDue()``.
  package convenience init(
    options: Options = Options(), clock: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.init(nil, WatchState(options: options, linger: .zero, clock: clock))
  }

  private init(_ workers: WorkerPool?, _ state: WatchState) {
    self.workers = workers
    self.state = Lock(state)
    Fork.register(.running) { [weak self] isChild in
      // At once, because the program may close all descriptors and reuse their numbers.
      if isChild { self?.dropThread() }
    }
  }

  /// Starts watching a file. Neither the file nor its folder needs to exist.
  ///
  /// Every change after this returns is reported, unless the watcher is stopped.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the file. A change of a symbolic link on the path is reported,
  ///     too.
  ///   - handler: Called after one or more changes, and occasionally without any.
  ///   - polling: Called when the file begins to be polled, by this function or on the watcher's
  ///     thread.
  /// - Returns: The watched file; canceling or releasing it ends watching.
  package func watch(
    _ path: String, _ handler: @escaping @Sendable () -> Void,
    polling: @escaping @Sendable (_ lacksWatches: Bool) -> Void = { _ in }
  ) -> WatchedFile {
    let (number, session) = withState { state in
      let file = state.add(path, handler, polling)
      if state.session == nil { startThread(&state, newFile: file) }
      return (file, state.session)
    }
    if let session {
      resolve(number, session)
      withSession(session, else: ()) { state in
        // The thread may need to wake up for polling.
        if state.sleepLimit != nil { session.event?.signal() }
      }
    }
    return WatchedFile(watcher: self, number: number)
  }

  /// Stops watching a file, without waiting for a call of its handler.
  func cancel(_ file: Int) {
    // Released after the lock is.
    let record = withState { $0.remove(file) }
    withExtendedLifetime(record) {}
  }

  /// Schedules a call of a file's handler.
  func scheduleCall(_ file: Int, after delay: Duration) {
    withState { state in
      state.scheduleCall(file, at: state.now + delay)
      state.session?.event?.signal()
    }
  }

  /// Stops watching: no call begins after this returns, and soon the thread ends and all
  /// descriptors are closed. The files stay registered, and more can be added.
  package func stop() {
    withState { state in
      state.isOn = false
      state.endSession()
    }
  }

  /// Continues after ``stop()``. Every handler is called when its file is watched, since that may
  /// have changed in between.
  package func start() {
    withState { state in
      state.isOn = true
      startThread(&state)
    }
  }

  /// Restarts a missing thread: in a forked child, which gets its own thread and descriptors, or
  /// after the system had no more threads. Every handler is called, since its file may have changed
  /// in between. If the thread exists, this returns quickly.
  package func restartIfNeeded() {
    guard lacksThread.load(ordering: .acquiring) else { return }
    withState { state in
      if state.mayStart { startThread(&state) }
    }
  }

  /// Drops the thread's resources, which a forked child does not have.
  private func dropThread() {
    withState { $0.reset() }
    lacksThread.store(true, ordering: .releasing)
  }

  package func update(options: Options) {
    withState { state in
      state.options = options
      state.pollingTime = state.now + options.pollingInterval
      state.session?.event?.signal()
    }
  }

  package var statistics: Statistics { withState { $0.statistics } }

  /// Calls the closure with the state, or returns the other value if the session has ended.
  func withSession<Result>(
    _ session: WatchDescriptors, else result: Result, _ body: (inout WatchState) -> Result
  ) -> Result {
    withState { $0.session === session ? body(&$0) : result }
  }

  func withState<Result>(_ body: (inout WatchState) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}

/// A file that is watched until this object is canceled or released.
package final class WatchedFile: Sendable {
  private let watcher: FileWatcher
  private let number: Int

  init(watcher: FileWatcher, number: Int) { (self.watcher, self.number) = (watcher, number) }

  deinit { cancel() }

  /// Stops watching the file. A call of the handler that is in progress, or about to begin, is not
  /// waited for.
  package func cancel() { watcher.cancel(number) }

  /// Schedules one more call of the handler, whether or not the file changes.
  package func scheduleCall(after delay: Duration) { watcher.scheduleCall(number, after: delay) }

  /// Sets the identity with which the next poll of the file is compared.
  package func noteIdentity(_ identity: FileIdentity?) {
    watcher.withState { $0.noteIdentity(identity, of: number) }
  }
}
