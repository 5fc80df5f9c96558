internal import CLinuxFile
internal import Glibc
internal import Synchronization

/// The library's detached threads.
///
/// They are pthreads because Dispatch's threads do not survive a fork, and must exist in a daemon
/// that forks into the background.
package enum BackgroundThread {
  /// How long a thread without work stays.
  package static let idleLimit = Duration.seconds(5)

  private final class Start {
    let gate = ForkGate.shared
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    // The gate is entered before anything that might take a lock of the runtime.
    func run() { gate.delayingForks(body) }
  }

  private struct Failures {
    /// The names of threads that could not be started, and have not been started since.
    var current: [String] = []
    /// The names that ``takeFailures()`` has not returned yet.
    var unreported: [String] = []
  }

  private static let failures = Lock(Failures())
  /// Whether either list has names.
  private static let hasFailed = Atomic(false)
  private static let running = Lock((count: 0, forks: Fork.count))

  /// The number of threads that run in this process.
  package static var count: Int { running.withLock { $0.forks == Fork.count ? $0.count : 0 } }

  private static func count(_ change: Int, since forks: UInt32) {
    running.withLock { running in
      if forks != Fork.count { return }
      if running.forks != forks { running = (0, forks) }
      running.count += change
    }
  }

  /// Starts a thread with all signals blocked, inside the ``ForkGate``.
  ///
  /// - Parameter name: The name that debuggers show, at most 15 bytes.
  /// - Returns: False if the system cannot create another thread now.
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
    // The thread is counted before it can end.
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

  /// Returns the names of threads that could not be started since the last call. A name is returned
  /// again only after a thread of that name has been started.
  package static func takeFailures() -> [String] {
    guard hasFailed.load(ordering: .relaxed) else { return [] }
    return failures.withLock { exchange(&$0.unreported, with: []) }
  }
}
