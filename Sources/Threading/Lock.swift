internal import Glibc

/// A value that one thread at a time can reach.
///
/// It is a pthread mutex and not the standard library's `Mutex` because ThreadSanitizer understands it.
package final class Lock<Value>: @unchecked Sendable {
  // Sendable because `value` is reached only while `mutex` is held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// A lock on a value.
  package init(_ value: Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Calls the closure with the value once no other thread has it. That the thread has it already is
  /// a programming error, of saving a domain from within its own update, say.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = pthread_mutex_lock(mutex)
    precondition(result == 0, "the lock is held by this very thread")
    HeldLocks.didLock()
    defer {
      HeldLocks.willUnlock()
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// The same, but gives nil without a call when another thread keeps the value for too long.
  package func withLock<Result, Failure: Error>(
    waiting timeout: Duration, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    var deadline = timespec(timeout, fromNowOn: CLOCK_REALTIME)
    guard pthread_mutex_timedlock(mutex, &deadline) == 0 else { return nil }
    HeldLocks.didLock()
    defer {
      HeldLocks.willUnlock()
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }
}
