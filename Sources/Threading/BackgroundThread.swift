internal import CLinuxFile
internal import Glibc
internal import Synchronization

/// Detached threads of the library.
///
/// They are plain pthreads because the threads of Dispatch do not survive a fork, and a daemon that
/// forks into the background has to go on.
package enum BackgroundThread {
  private final class Start {
    let gate = ForkGate.shared
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    // Within the gate before anything that might take a lock of the runtime.
    func run() { gate.delayingForks(body) }
  }

  /// The names of threads that could not be started.
  private struct Failures {
    /// Those that have not been started since.
    var current: [String] = []
    /// Those that ``takeFailures()`` has not returned.
    var unreported: [String] = []
  }

  private static let failures = Lock(Failures())
  /// Whether there may be current failures.
  private static let hasFailed = Atomic(false)
  /// The number of running threads, and the fork count of the process that they belong to.
  private static let running = Lock((count: 0, forks: Fork.count))

  /// The number of threads of the library that run in this process.
  package static var count: Int {
    running.withLock { $0.forks == Fork.count ? $0.count : 0 }
  }

  /// Counts a thread that starts or ends.
  private static func count(_ change: Int, since forks: UInt32) {
    running.withLock { running in
      if forks != Fork.count { return }
      if running.forks != forks { running = (0, forks) }
      running.count += change
    }
  }

  /// Starts a thread with all signals blocked. It runs within the ``ForkGate``.
  ///
  /// - Parameter name: The name that debuggers show, of at most 15 bytes.
  /// - Returns: False when the system cannot create another thread, which may be possible later.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    var thread = pthread_t()
    let forks = Fork.count
    let start = Unmanaged.passRetained(
      Start {
        larder_name_thread(name)
        body()
        count(-1, since: forks)
      })
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().run()
      return nil
    }
    // Before it can end.
    count(1, since: forks)
    let isStarted = pthread_create(&thread, nil, run, start.toOpaque()) == 0
    note(name, isStarted: isStarted)
    guard isStarted else {
      count(-1, since: forks)
      start.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  // MARK: Failures

  private static func note(_ name: String, isStarted: Bool) {
    if isStarted, !hasFailed.load(ordering: .relaxed) { return }
    failures.withLock { failures in
      if isStarted {
        failures.current.removeAll { $0 == name }
      } else if !failures.current.contains(name) {
        failures.current.append(name)
        failures.unreported.append(name)
      }
      let isOver = failures.current.isEmpty && failures.unreported.isEmpty
      hasFailed.store(!isOver, ordering: .relaxed)
    }
  }

  /// Returns the names of threads that could not be started since the last call, each once until
  /// one of that name has been started.
  package static func takeFailures() -> [String] {
    guard hasFailed.load(ordering: .relaxed) else { return [] }
    return failures.withLock { exchange(&$0.unreported, with: []) }
  }
}
