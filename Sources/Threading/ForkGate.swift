internal import Glibc
internal import Synchronization

/// Delays forks while a thread is at work in the library.
///
/// A child has only the thread that forked. Whatever another thread was in the middle of stays so
/// in the child: a ``Lock`` would never be released, a lazily initialized global or type of the
/// Swift runtime never be finished. Such work is therefore done within the gate, and a fork waits
/// until no thread is inside. Whatever may take long is done outside: waiting, system calls that
/// may block, and code from outside the library.
///
/// While a fork waits, no thread enters, so that the wait ends when each thread inside has come to
/// its next call of ``allowingForks(_:)``.
package final class ForkGate: @unchecked Sendable {
  // Sendable because the mutex guards nothing but the condition.

  /// The only instance.
  package static let shared = ForkGate()

  /// The number of threads inside, and ``closed`` while a fork waits or is made.
  private let state = Atomic<UInt32>(0)
  private static let closed: UInt32 = 1 << 31

  /// Waited for by a fork until all threads have left, and by threads until it has been made.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  /// The place of each thread.
  private let word = ThreadLocalWord()

  /// The position of a thread.
  private struct Place: Equatable {
    var bits: Int
    static let outside = Place(bits: 0)
    /// How deeply calls of ``delayingForks(_:)`` are nested.
    static let inside = 1
    /// How many locks the thread holds.
    static let lock = 1 << 32

    var holdsLock: Bool { bits >= Self.lock }
  }

  private init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    Fork.start()
  }

  private var place: Place {
    @inline(__always) get { Place(bits: word.value) }
    @inline(__always) set { word.value = newValue.bits }
  }

  /// Whether the calling thread holds a ``Lock``.
  package var holdsLock: Bool { place.holdsLock }

  // MARK: Threads

  /// Calls the closure within the gate.
  package func delayingForks<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    advance(by: Place.inside)
    defer { advance(by: -Place.inside) }
    return try body()
  }

  /// Calls the closure, which may take long, outside of the gate. A thread that holds a ``Lock``
  /// stays inside.
  package func allowingForks<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let place = place
    if place == .outside || place.holdsLock { return try body() }
    self.place = .outside
    leave()
    defer {
      enter()
      self.place = place
    }
    return try body()
  }

  /// Enters the gate to acquire a lock.
  @inline(__always)
  func willLock() { advance(by: Place.lock) }

  /// Leaves the gate after a lock was released.
  @inline(__always)
  func didUnlock() { advance(by: -Place.lock) }

  @inline(__always)
  private func advance(by bits: Int) {
    let (old, new) = (place, Place(bits: place.bits + bits))
    if old == .outside { enter() }
    place = new
    if new == .outside { leave() }
  }

  private func enter() {
    while state.add(1, ordering: .acquiring).oldValue & Self.closed != 0 {
      // The error number of the system call for which the thread had left the gate.
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
    guard state.subtract(1, ordering: .acquiringAndReleasing).newValue & Self.closed != 0 else {
      return
    }
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  // MARK: Forks

  /// Takes the forking thread out, which may have been called from within the gate.
  func leaveToFork() { if place != .outside { leave() } }

  /// Puts the forking thread where it was.
  func returnFromFork() { if place != .outside { enter() } }

  /// Waits until all threads have left, and keeps them out.
  func close() {
    state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing)
    pthread_mutex_lock(mutex)
    while state.load(ordering: .acquiring) != Self.closed { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  /// Lets threads in again.
  func open(isChild: Bool) {
    if isChild {
      // Their state counts waiting threads that the child does not have.
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
      state.store(0, ordering: .releasing)
      return
    }
    state.bitwiseAnd(~Self.closed, ordering: .acquiringAndReleasing)
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
