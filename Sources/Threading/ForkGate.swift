internal import Glibc
internal import Synchronization

/// Delays forks while a thread is working in the library.
///
/// A child has only the thread that forked. The work of other threads stays unfinished there: a
/// ``Lock`` is never released, and a global or type of the Swift runtime is never initialized. Such
/// work is done inside the gate, and a fork waits until no thread is inside. Anything that may take
/// long is done outside the gate: waiting, blocking system calls, and code from outside the
/// library.
///
/// While a fork waits, no thread enters. The wait ends when each thread inside reaches its next
/// ``allowingForks(_:)``.
///
/// Without the gate, a child would soon hang in a ``Lock`` that a thread of the parent held. Taking
/// all of the library's locks before a fork would not be enough, because no handler can take the
/// runtime's locks.
package final class ForkGate: @unchecked Sendable {
  // Sendable because the mutex guards only the condition.

  package static let shared = ForkGate()

  /// The number of threads inside, plus ``closed`` while a fork waits or runs.
  private let state = Atomic<UInt32>(0)
  private static let closed: UInt32 = 1 << 31

  /// Forks wait here until all threads have left, and threads until the fork has been made.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// How deeply a thread's calls of ``delayingForks(_:)`` are nested, and ``lock`` for each lock that
  /// it holds. Zero for a thread that is outside.
  private let depth = ThreadLocalWord()
  private static let lock = 1 << 32

  private init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    Fork.start()
  }

  /// Whether the calling thread holds a ``Lock``.
  package var holdsLock: Bool { depth.value >= Self.lock }

  // MARK: Threads

  package func delayingForks<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    advance(by: 1)
    defer { advance(by: -1) }
    return try body()
  }

  /// Calls a closure that may take long outside the gate. A thread that holds a ``Lock`` stays
  /// inside.
  package func allowingForks<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = depth.value
    if outer == 0 || outer >= Self.lock { return try body() }
    depth.value = 0
    leave()
    defer {
      enter()
      depth.value = outer
    }
    return try body()
  }

  /// Enters the gate to acquire a lock.
  @inline(__always)
  func willLock() { advance(by: Self.lock) }

  /// Leaves the gate after a lock was released.
  @inline(__always)
  func didUnlock() { advance(by: -Self.lock) }

  @inline(__always)
  private func advance(by change: Int) {
    let old = depth.value
    if old == 0 { enter() }
    depth.value = old + change
    if old + change == 0 { leave() }
  }

  private func enter() {
    while state.add(1, ordering: .acquiring).oldValue & Self.closed != 0 {
      // Keeps the error number of the system call that was made outside.
      let code = errno
      defer { errno = code }
      leave()
      pthread_mutex_lock(mutex)
      while state.load(ordering: .relaxed) & Self.closed != 0 {
        pthread_cond_wait(condition, mutex)
      }
      pthread_mutex_unlock(mutex)
    }
  }

  private func leave() {
    let isClosed = state.subtract(1, ordering: .acquiringAndReleasing).newValue & Self.closed != 0
    if isClosed { wakeAll() }
  }

  private func wakeAll() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  // MARK: Forks

  /// Takes the forking thread out of the gate if it is inside.
  func leaveToFork() { if depth.value != 0 { leave() } }

  /// Returns the forking thread to the gate if it was inside.
  func returnFromFork() { if depth.value != 0 { enter() } }

  /// Waits until all threads have left, and keeps them out.
  func close() {
    state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
    pthread_mutex_lock(mutex)
    while state.load(ordering: .acquiring) != Self.closed { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  func open(isChild: Bool) {
    if isChild {
      // Their state counts waiting threads that the child does not have.
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
      state.store(0, ordering: .releasing)
      return
    }
    state.bitwiseAnd(~Self.closed, ordering: .acquiringAndReleasing)
    wakeAll()
  }
}
