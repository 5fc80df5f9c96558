internal import Glibc

/// What keeps the process from being forked while a thread of the library is at work: the child, which has
/// none of these threads, would get the locks that they hold with nobody to release them, those of the
/// Swift runtime among them.
package final class ForkGate: @unchecked Sendable {
  // Sendable because what varies is guarded by the mutex.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var busyThreads = 0
  private var isForking = false

  /// The only one.
  package static let shared = ForkGate()

  private init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    Fork.register(.threads, before: { [self] in close() }, after: { [self] in open(isChild: $0) })
  }

  /// Begins the work of a thread, when no fork is under way.
  func enter() {
    pthread_mutex_lock(mutex)
    while isForking { pthread_cond_wait(condition, mutex) }
    busyThreads += 1
    pthread_mutex_unlock(mutex)
  }

  /// Ends it.
  func leave() {
    pthread_mutex_lock(mutex)
    busyThreads -= 1
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Does something, on a thread that is at work, during which the process may be forked: waiting, and
  /// calling what is not the library's.
  package func allowingForks(_ body: () -> Void) {
    leave()
    body()
    enter()
  }

  private func close() {
    pthread_mutex_lock(mutex)
    isForking = true
    while busyThreads > 0 { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  private func open(isChild: Bool) {
    if isChild {
      // They are as others were waiting for them, who are not here.
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }
    pthread_mutex_lock(mutex)
    isForking = false
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
