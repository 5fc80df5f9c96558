internal import Glibc

/// Delays forks while a thread of the library runs.
///
/// A child has none of these threads, and nothing would release the locks that they held at the
/// fork, among them those of the Swift runtime.
package final class ForkGate: @unchecked Sendable {
  // Sendable because the mutex guards all mutable state.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var runningThreads = 0
  private var isForking = false

  /// The only instance.
  package static let shared = ForkGate()

  private init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    Fork.register(.threads, before: { [self] in close() }, after: { [self] in open(isChild: $0) })
  }

  /// Counts the calling thread as running, once no fork is in progress.
  func enter() {
    pthread_mutex_lock(mutex)
    while isForking { pthread_cond_wait(condition, mutex) }
    runningThreads += 1
    pthread_mutex_unlock(mutex)
  }

  /// Ends what ``enter()`` began.
  func leave() {
    pthread_mutex_lock(mutex)
    runningThreads -= 1
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Calls the closure on a running thread, during which the process may fork: to wait, or to call
  /// code outside the library.
  package func allowingForks(_ body: () -> Void) {
    leave()
    body()
    enter()
  }

  private func close() {
    pthread_mutex_lock(mutex)
    isForking = true
    while runningThreads > 0 { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  private func open(isChild: Bool) {
    if isChild {
      // Their state counts waiting threads that the child does not have.
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }
    pthread_mutex_lock(mutex)
    isForking = false
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
