internal import Synchronization
internal import Threading

/// Tells when files may have changed, by whatever program and in whatever way.
///
/// The kernel tells it (inotify), and what the kernel cannot tell is found out by looking at the files
/// from time to time. Only two things escape it: what is written through a memory mapping before the
/// file is closed, and a folder over which a file system is mounted later.
///
/// All handlers are called on one thread of the watcher, one after another, with no lock held. A handler
/// may watch and cancel files, also its own, and stop and start the watcher, but not fork. When the
/// process is forked elsewhere, the fork waits for the handler to return.
package final class FileWatcher: Sendable {
  /// How files are watched.
  package struct Options: Sendable {
    /// How often files are looked at whose changes the kernel does not tell. It is exceeded where that
    /// would take more than a few percent of the time.
    package var pollingInterval: Duration = .milliseconds(500)
    /// How many watches of the kernel may be had, besides the kernel's own limit.
    package var watchLimit = Int.max
    /// Whether the kernel is asked to tell of changes. A watcher that runs may notice a change late.
    package var usesInotify = true

    /// The usual options.
    package init() {}
  }

  /// What a watcher takes up.
  package struct Statistics: Sendable, Hashable {
    /// How many files are watched.
    package var fileCount: Int
    /// How many watches of the kernel there are, most of them of folders.
    package var watchCount: Int
    /// How many files are looked at from time to time.
    package var polledCount: Int
    /// How many descriptors are open.
    package var descriptorCount: Int
    /// How many threads there are: one, or while one ends and another has begun, two.
    package var threadCount: Int
  }

  /// Keeps it from being forked while any thread holds the lock.
  private let access = Semaphore()
  private let state: Lock<WatchState>
  /// `Fork.count` when everything was last known to be watched.
  private let forks = Atomic<UInt32>(Fork.count)

  /// A watcher of no files, which has neither a thread nor anything open until there are some.
  package init(options: Options = Options()) {
    state = Lock(WatchState(options: options))
    Fork.register(
      .memory, before: { [access] in access.wait() }, after: { [access] _ in access.post() })
  }

  /// Watches a file, which need not exist, nor its folder.
  ///
  /// When this returns, every change that follows will be told, if watching is not stopped.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the file. Where symbolic links are on the way, a change of any of
  ///     them is told as well.
  ///   - handler: Called after one or more changes; at times also when there was none.
  /// - Returns: The watched file, which is watched until it is canceled or released.
  package func watch(_ path: String, _ handler: @escaping @Sendable () -> Void) -> WatchedFile {
    let number = withState { state in
      let file = state.add(path, handler)
      if state.session == nil {
        startThread(&state, newFile: file)
      } else {
        state.resolve(file)
        // What has to be looked at from time to time needs the thread to wake for it.
        if state.sleepLimit != nil { state.session?.event?.signal() }
      }
      return file
    }
    return WatchedFile(watcher: self, number: number)
  }

  /// Watches a file no longer. A call that has begun, or is about to, is not waited for.
  func cancel(_ file: Int) {
    // Released after the lock is.
    let record = withState { $0.remove(file) }
    withExtendedLifetime(record) {}
  }

  /// Has the handler of a file called at a later time.
  func scheduleCall(_ file: Int, after delay: Duration) {
    withState { state in
      state.scheduleCall(file, at: .now + delay)
      state.session?.event?.signal()
    }
  }

  /// Stops watching: no call begins after this, and soon the thread ends and everything is closed. The
  /// files remain known, and more can be added.
  package func stop() {
    withState { state in
      state.isOn = false
      state.endSession()
    }
  }

  /// Goes on after a stop. When this returns, all files are watched; each handler is called, for what may
  /// have changed meanwhile.
  package func start() {
    withState { state in
      state.isOn = true
      startThread(&state)
    }
  }

  /// Goes on in a child that was forked, with a thread and descriptors of its own; each handler is called,
  /// for what may have changed meanwhile. Elsewhere this does nothing, and quickly.
  package func restartIfForked() {
    guard forks.load(ordering: .acquiring) != Fork.count else { return }
    withState { startThread(&$0) }
    forks.store(Fork.count, ordering: .releasing)
  }

  /// Changes the options.
  package func update(options: Options) {
    withState { state in
      state.options = options
      state.pollingTime = .now + options.pollingInterval
      state.session?.event?.signal()
    }
  }

  /// What the watcher takes up at the moment.
  package var statistics: Statistics { withState { $0.statistics } }

  /// Calls the closure with all that the watcher knows, of which nothing is the parent's any more.
  func withState<Result>(_ body: (inout WatchState) -> Result) -> Result {
    access.wait()
    defer { access.post() }
    return state.withLock { state in
      state.leaveParent()
      return body(&state)
    }
  }
}
