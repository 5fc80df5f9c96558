internal import Glibc

/// An event that one thread waits for and another signals. Waiting resets it.
package final class AutoResetEvent: @unchecked Sendable {
  // Sendable because the mutex guards `isSignaled`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isSignaled = false

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

  /// Wakes the waiting thread, or makes the next wait return at once.
  package func signal() {
    pthread_mutex_lock(mutex)
    isSignaled = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  package func wait(for timeout: Duration) {
    var deadline = timespec(timeout, fromNowOn: CLOCK_MONOTONIC)
    pthread_mutex_lock(mutex)
    while !isSignaled, pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
    isSignaled = false
    pthread_mutex_unlock(mutex)
  }
}
