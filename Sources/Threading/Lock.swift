internal import Glibc

/// A value guarded by a mutex.
///
/// The mutex is a pthread mutex and not the standard library's `Mutex` because ThreadSanitizer
/// understands it.
package final class Lock<Value>: @unchecked Sendable {
  // Sendable because `value` is accessed only while `mutex` is held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// Creates a lock that guards a value.
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

  /// Calls the closure with exclusive access to the value. Traps if the calling thread already
  /// holds the lock, as when a domain is saved from within its own update.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = pthread_mutex_lock(mutex)
    precondition(result == 0, "the calling thread already holds the lock")
    HeldLocks.didLock()
    defer {
      HeldLocks.willUnlock()
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Calls the closure with exclusive access to the value, or returns nil if another thread holds
  /// the lock for the whole timeout.
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
