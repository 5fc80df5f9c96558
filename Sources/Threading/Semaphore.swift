internal import Glibc

/// A semaphore. Unlike a mutex, it may be released by a thread other than the one that acquired it,
/// as happens in a forked child.
package final class Semaphore: @unchecked Sendable {
  // Sendable because threads may share a semaphore.
  private let semaphore: UnsafeMutablePointer<sem_t>

  /// - Parameter count: How many calls of ``wait()`` return at once; one makes a free lock.
  package init(count: UInt32 = 1) {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, count)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func wait() { while sem_wait(semaphore) != 0 {} }

  package func post() { sem_post(semaphore) }
}
