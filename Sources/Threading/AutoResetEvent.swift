internal import Glibc

/// Lets a thread sleep until something is to be done.
package final class AutoResetEvent: @unchecked Sendable {
  // Sendable because a condition is for all threads, and `isGiven` is guarded by the mutex.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isGiven = false

  package init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Wakes the thread that waits, or the next one at once.
  package func signal() {
    pthread_mutex_lock(mutex)
    isGiven = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the signal is given, but not for longer.
  package func wait(for timeout: Duration) {
    var deadline = timespec(timeout, fromNowOn: CLOCK_MONOTONIC)
    pthread_mutex_lock(mutex)
    while !isGiven, pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
    isGiven = false
    pthread_mutex_unlock(mutex)
  }
}
