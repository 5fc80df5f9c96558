internal import CLinuxFile
internal import Glibc
internal import Synchronization
internal import Threading

/// Serializes what is done with the file of one domain: loading, reloading, committing, recovering.
///
/// It is held for as long as that takes, and no fork waits for it: a forked child finds it free,
/// whichever thread of the parent holds it.
final class IOLock: @unchecked Sendable {
  // Sendable because the pointer leads to a mutex, which is made to be shared by threads.

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// The fork count of the process for which the mutex was initialized.
  private let forks = Atomic(Fork.count)
  /// Held while a mutex is initialized in a child.
  private static let renewal = Lock(false)

  init() {
    mutex = .allocate(capacity: 1)
    initializeMutex()
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func initializeMutex() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  private func renewIfForked() {
    if forks.load(ordering: .acquiring) == Fork.count { return }
    Self.renewal.withLock { _ in
      if forks.load(ordering: .relaxed) == Fork.count { return }
      initializeMutex()
      forks.store(Fork.count, ordering: .releasing)
    }
  }

  /// Calls the closure while no other thread does anything with the file, waiting no longer than
  /// until a deadline.
  ///
  /// - Returns: Nil if another thread held the lock for longer, or this thread holds it.
  func withLock<Result, Failure: Error>(
    until deadline: ContinuousClock.Instant,
    _ body: (borrowing IOAccess) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard acquire(until: deadline) else { return nil }
    HeldLocks.didLock()
    defer {
      HeldLocks.willUnlock()
      // Fails, as it should, in a child that was forked meanwhile and does not hold the lock.
      pthread_mutex_unlock(mutex)
    }
    return try body(IOAccess())
  }

  /// The longest wait between two looks at whether the wait is to be given up.
  private static let slice = Duration.milliseconds(20)

  private func acquire(until deadline: ContinuousClock.Instant) -> Bool {
    let gate = ForkGate.shared
    assert(!gate.holdsLock, "a thread that holds a lock waits for a file")
    renewIfForked()
    if pthread_mutex_trylock(mutex) == 0 { return true }
    WorkerPool.noteWait()
    while true {
      // A request to give up is seen in between.
      let rest = max(.zero, deadline - .now)
      let slice = Cancellation.current == nil ? rest : min(rest, Self.slice)
      let end = slice.endFromNow
      if gate.allowingForks({ larder_lock_until(mutex, end.seconds, end.nanoseconds) }) == 0 {
        return true
      }
      if rest <= slice || Cancellation.isRequested { return false }
    }
  }
}

/// Proof that the thread holds the I/O lock of a domain, which alone loads, reloads and commits it.
struct IOAccess: ~Copyable {
  fileprivate init() {}
}
