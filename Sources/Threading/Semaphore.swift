internal import Glibc

/// A semaphore that one thread at a time can pass.
///
/// It is no mutex: only the thread that holds one can release it, and in a child that is another one.
package final class Semaphore: @unchecked Sendable {
  // Sendable because a semaphore is for all threads.
  private let semaphore: UnsafeMutablePointer<sem_t>

  package init() {
    semaphore = .allocate(capacity: 1)
    sem_init(semaphore, 0, 1)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  package func wait() {
    while sem_wait(semaphore) != 0 {}
  }

  package func post() {
    sem_post(semaphore)
  }
}
