internal import Glibc

/// An event that one thread waits for and another signals; waiting resets it.
package final class AutoResetEvent: @unchecked Sendable {
  // Sendable because threads may share a condition variable, and the mutex guards `isSignaled`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isSignaled = false

  /// Creates an event that is not signaled.
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

  /// Wakes the waiting thread, or lets the next wait return immediately.
  package func signal() {
    pthread_mutex_lock(mutex)
    isSignaled = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the event is signaled or the timeout expires, and resets the event.
  package func wait(for timeout: Duration) {
    var deadline = timespec(timeout, fromNowOn: CLOCK_MONOTONIC)
    pthread_mutex_lock(mutex)
    while !isSignaled, pthread_cond_timedwait(condition, mutex, &deadline) == 0 {}
    isSignaled = false
    pthread_mutex_unlock(mutex)
  }
}
