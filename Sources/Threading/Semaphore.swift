internal import Glibc

/// A binary semaphore, initially free. Unlike a mutex it may be released by another thread than the
/// one that acquired it, as happens in a forked child.
package final class Semaphore: @unchecked Sendable {
  // Sendable because threads may share a semaphore.
  private let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 1)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func wait() { while sem_wait(semaphore) != 0 {} }

  package func post() { sem_post(semaphore) }
}
